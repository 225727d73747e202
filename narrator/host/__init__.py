"""The loop around the core: one inbox, the speech queue, the listening gate, the configuration."""
