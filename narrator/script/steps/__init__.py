"""The kinds of step as authors write them: a file each in one of the groups."""
