"""The only package that knows everybody: it puts the parts of an evening together."""
