"""eSpeak NG through its library."""
