"""The pure core: events in, effects out.

No clock, no file, no thread, no sound, no chance but the seeded one.
"""
