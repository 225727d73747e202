"""Speech models: the manifest, downloads, and the folder they are kept in."""
