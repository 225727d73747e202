"""Draw a recording: its captions, its spectrogram, and its level over time.

Usage: python tools/picture.py FILE [--begin S] [--seconds S] [--out PNG]

FILE is any sound file. Captions are taken from a WebVTT file of the same name beside it, as
`narrator rehearse` writes one.
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from narrator.adapters.sound.files import read
from narrator.app.telling import told
from narrator.audio.loudness import loudness
from narrator.ports.audio import SPEAKER_RATE, Pcm
from narrator.ports.errors import NarratorError

LEFT, WIDTH, RIGHT = 64, 1400, 20
TEXTS, SPECTRUM, LEVELS, GAP = 64, 300, 220, 34
LOWEST, HIGHEST = 60.0, 10_000.0
DARK, BRIGHT = -95.0, -30.0
"""Decibels that are drawn black and white."""
FLOOR, TOP = -70.0, 0.0
"""Decibels between which the level is drawn."""
WINDOW = 1024
INK, FAINT, PAPER = "#1b1b1b", "#8a8a8a", "#ffffff"
SHORT, LONG = "#35608f", "#c07b00"
COLOURS = ((0, (8, 8, 32)), (0.35, (70, 20, 110)), (0.65, (205, 70, 70)), (1, (255, 250, 190)))

Wave = NDArray[np.float64]


@dataclass(frozen=True)
class Caption:
    """A stretch of time with its words."""

    begin: float
    end: float
    text: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=Path, help="Any sound file.")
    parser.add_argument("--begin", type=float, default=0.0, help="Seconds to begin at.")
    parser.add_argument("--seconds", type=float, default=0.0, help="Seconds to draw; 0: all.")
    parser.add_argument("--out", type=Path, help="PNG; beside the recording if not given.")
    wanted = parser.parse_args()
    try:
        whole = read(wanted.file, SPEAKER_RATE)
    except NarratorError as error:
        sys.exit(f"Error: {told(error)}")
    begin = max(0.0, wanted.begin)
    sound = whole[round(begin * SPEAKER_RATE) :]
    sound = sound[: round(wanted.seconds * SPEAKER_RATE)] if wanted.seconds > 0 else sound
    if sound.size < 4 * WINDOW:
        sys.exit("Error: There is too little sound to be drawn. Choose another part.")
    out = wanted.out or wanted.file.with_suffix(".picture.png")
    draw(sound, begin, captions(wanted.file.with_suffix(".vtt"))).save(out, optimize=True)
    print(out)


def draw(sound: Pcm, begin: float, spoken: list[Caption]) -> Image.Image:
    """Return the picture of a sound that begins at so many seconds of its recording."""
    seconds = sound.size / SPEAKER_RATE
    image = Image.new("RGB", (LEFT + WIDTH + RIGHT, TEXTS + SPECTRUM + LEVELS + 3 * GAP), PAPER)
    pen = ImageDraw.Draw(image)
    write_captions(pen, spoken, begin, seconds)
    image.paste(Image.fromarray(spectrogram(sound)), (LEFT, TEXTS))
    scale_frequencies(pen)
    top = TEXTS + SPECTRUM + GAP
    levels(pen, sound, top)
    scale_time(pen, begin, seconds, top + LEVELS)
    return image


def captions(path: Path) -> list[Caption]:
    """Read a WebVTT file; one that is not there has none."""
    if not path.is_file():
        return []
    found = []
    for cue in re.split(r"\n\s*\n", path.read_text(encoding="utf-8")):
        times, _, text = cue.partition(" --> ")
        end, _, words = text.partition("\n")
        if words:
            plain = " ".join(re.sub(r"<v ([^>]*)>", r"\1: ", words).split())
            found.append(Caption(moment(times.split("\n")[-1]), moment(end), plain))
    return found


def moment(text: str) -> float:
    """Return the seconds of `00:01:02.500`."""
    total = 0.0
    for part in text.split()[0].split(":"):
        total = 60 * total + float(part)
    return total


def spectrogram(sound: Pcm) -> NDArray[np.uint8]:
    """Return colours (SPECTRUM, WIDTH, 3): low tones below, each column at its loudest."""
    padded = np.pad(sound / 32768, (0, WINDOW))
    per_column = sound.size / WIDTH
    # Several looks in each column, so that nothing short falls between two of them.
    looks = max(1, int(np.ceil(per_column / (WINDOW // 2))))
    starts = (np.arange(WIDTH * looks) * per_column / looks).astype(int)
    window = np.hanning(WINDOW)
    columns = np.zeros((WIDTH, WINDOW // 2 + 1))
    for column in range(WIDTH):
        places = starts[column * looks : (column + 1) * looks]
        frames = padded[places[:, None] + np.arange(WINDOW)] * window
        columns[column] = np.abs(np.fft.rfft(frames, axis=1)).max(axis=0) * 2 / window.sum()
    heights = np.geomspace(HIGHEST, LOWEST, SPECTRUM)
    places = heights / (SPEAKER_RATE / WINDOW)
    picked = np.array([np.interp(places, np.arange(c.size), c) for c in columns]).T
    shade = (20 * np.log10(np.maximum(picked, 1e-9)) - DARK) / (BRIGHT - DARK)
    stops = [place for place, _ in COLOURS]
    channels = [np.interp(shade, stops, [c[i] for _, c in COLOURS]) for i in range(3)]
    colours: NDArray[np.uint8] = np.stack(channels, axis=-1).astype(np.uint8)
    return colours


def levels(pen: ImageDraw.ImageDraw, sound: Pcm, top: int) -> None:
    """Draw the level of 50 ms and the momentary loudness of 0.4 s, with the scale."""
    font = ImageFont.load_default(10)
    for decibels in range(int(FLOOR), int(TOP) + 1, 10):
        y = height(decibels, top)
        pen.line((LEFT, y, LEFT + WIDTH, y), fill="#e8e8e8")
        pen.text((8, y - 6), f"{decibels} dB", fill=FAINT, font=font)
    moments = np.linspace(0, sound.size, WIDTH, endpoint=False).astype(int)
    for length, colour, measure in ((0.05, SHORT, rms), (0.4, LONG, loudness)):
        half = round(length * SPEAKER_RATE / 2)
        values = [measure(sound[max(0, m - half) : m + half]) for m in moments]
        line = [(LEFT + x, height(v, top)) for x, v in enumerate(values)]
        pen.line(line, fill=colour, width=2 if colour == LONG else 1)
    pen.text((LEFT + 6, top + 2), "level of 50 ms, dBFS", fill=SHORT, font=font)
    pen.text((LEFT + 150, top + 2), "loudness of 0.4 s, LUFS", fill=LONG, font=font)


def rms(sound: Pcm) -> float:
    power = float(np.mean((sound / 32768) ** 2)) if sound.size else 0.0
    return 10 * float(np.log10(max(power, 1e-12)))


def height(decibels: float, top: int) -> float:
    share = (TOP - min(TOP, max(FLOOR, decibels))) / (TOP - FLOOR)
    return top + share * LEVELS


def write_captions(
    pen: ImageDraw.ImageDraw, spoken: list[Caption], begin: float, seconds: float
) -> None:
    """Write what was said over the time it took, in two rows in turn."""
    font = ImageFont.load_default(10)
    shown = [c for c in spoken if c.end > begin and c.begin < begin + seconds]
    for number, caption in enumerate(shown):
        y = 4 + 30 * (number % 2)
        left = LEFT + max(0.0, caption.begin - begin) / seconds * WIDTH
        right = LEFT + min(seconds, caption.end - begin) / seconds * WIDTH
        pen.rectangle((left, y + 14, right, y + 20), fill=SHORT)
        after = shown[number + 2].begin if number + 2 < len(shown) else begin + seconds
        room = LEFT + min(seconds, after - begin) / seconds * WIDTH - left - 6
        text = caption.text
        while text and pen.textlength(text, font) > room:
            text = text[:-1]
        pen.text((left, y), text, fill=INK, font=font)


def scale_frequencies(pen: ImageDraw.ImageDraw) -> None:
    font = ImageFont.load_default(10)
    for hertz in (100, 300, 1000, 3000, 10_000):
        share = np.log(HIGHEST / hertz) / np.log(HIGHEST / LOWEST)
        y = TEXTS + float(share) * SPECTRUM
        pen.line((LEFT - 5, y, LEFT, y), fill=INK)
        pen.text((8, y - 6), f"{hertz} Hz", fill=FAINT, font=font)


def scale_time(pen: ImageDraw.ImageDraw, begin: float, seconds: float, y: int) -> None:
    font = ImageFont.load_default(10)
    step = next(s for s in (1, 2, 5, 10, 30, 60, 300, 600, 3600) if seconds / s <= 20 or s == 3600)
    mark = np.ceil(begin / step) * step
    while mark <= begin + seconds:
        x = LEFT + (mark - begin) / seconds * WIDTH
        for line_end in (y + 5, TEXTS + SPECTRUM + 5):
            pen.line((x, line_end - 5, x, line_end), fill=INK)
        pen.text((x - 10, y + 8), f"{int(mark) // 60}:{int(mark) % 60:02d}", fill=INK, font=font)
        mark += step


if __name__ == "__main__":
    main()
