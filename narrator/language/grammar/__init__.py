"""From templates to an automaton, and from words to meanings."""
