"""The Protocols between the core and the world. Adapters implement them; the session calls them."""
