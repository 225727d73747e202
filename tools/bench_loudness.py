"""Measure the loudness of every voice and cue on recordings of the mixer.

Usage: python tools/bench_loudness.py [--all-languages]

Each line is rendered, levelled, mixed and recorded; loudness is measured as BS.1770 says, the true
peak eight times oversampled.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from narrator.adapters.voices.espeak.synthesiser import EspeakSynthesiser
from narrator.audio.cues import CUE, CUES, cue
from narrator.audio.loudness import SPEECH, levelled, loudness
from narrator.audio.mixer import Mixer, MixerSettings
from narrator.ports.audio import SPEAKER_RATE, Clip, Pcm
from narrator.ports.errors import SynthesiserError
from narrator.ports.speech import Voice

LINES = {"en": ("Night. All eyes closed. Keep your hands by your own token.", "Vote!")}
RATES = (165, 300)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--all-languages", action="store_true", help="Every voice, not only en.")
    engine = EspeakSynthesiser()
    before, after, peaks, worst = [], [], [], (0.0, "")
    for voice in voices(engine, every=parser.parse_args().all_languages):
        for text in LINES["en"]:
            try:
                raw = engine.render(text, voice)
            except SynthesiserError as error:
                print(error)
                continue
            heard = recorded(levelled(raw))
            before.append(loudness(raw))
            after.append(loudness(heard))
            peaks.append(peak(heard))
            worst = max(worst, (abs(after[-1] - SPEECH), f"{voice.name} {voice.rate} {text}"))
    print(f"{len(after)} lines; target {SPEECH} LUFS, peaks below -1 dBTP")
    print(f"from the engine  {min(before):7.2f} to {max(before):7.2f} LUFS")
    print(f"as recorded      {min(after):7.2f} to {max(after):7.2f} LUFS, worst: {worst[1]}")
    print(f"true peak        {max(peaks):7.2f} dBTP at most")
    for name in CUES:
        heard = recorded(cue(name))
        print(f"cue {name:12} {loudness(heard):7.2f} LUFS (target {CUE}), {peak(heard):.2f} dBTP")


def voices(engine: EspeakSynthesiser, *, every: bool) -> Iterator[Voice]:
    """Yield every voice at the usual rate, and every variant of the usual one at several."""
    for info in engine.voices():
        if every or info.language.startswith("en"):
            yield Voice(info.id, info.language)
    for variant in engine.variants():
        for rate in RATES:
            yield Voice(f"en+{variant}", rate=rate)


def recorded(pcm: Pcm) -> Pcm:
    mixer = Mixer(MixerSettings(lead_in=0.0))
    mixer.play(Clip(1, pcm))
    return np.concatenate([mixer.read(2205) for _ in range(pcm.size // 2205 + 1)])[: pcm.size]


def peak(pcm: Pcm) -> float:
    size = pcm.size + SPEAKER_RATE // 10
    fine = np.fft.irfft(np.fft.rfft(pcm / 32768, size), 8 * size) * 8
    return float(20 * np.log10(np.abs(fine).max()))


if __name__ == "__main__":
    main()
