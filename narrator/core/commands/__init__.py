"""What the table of people can say or press at any time."""
