"""The system's own voice through pyttsx3."""
