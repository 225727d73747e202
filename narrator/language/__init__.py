"""Pure: sentence templates become what to listen for, and a transcript becomes a meaning."""
