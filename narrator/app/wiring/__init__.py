"""Where the parts are joined; the only place."""
