"""From microphone blocks to transcripts."""
