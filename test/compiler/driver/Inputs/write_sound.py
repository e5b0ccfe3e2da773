# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""write_sound.py FOLDER: a tone as WAV files of many kinds, right ones and wrong ones."""
import math
import struct
import sys

SAMPLES = [0.4 * math.sin(2 * math.pi * 1000 * i / 16000) for i in range(3200)]


def wav(kind, bits, data, rate=16000, channels=1, before=b"", size=None):
    held = len(data) if size is None else size
    form = struct.pack("<HHIIHH", kind, channels, rate, rate * channels * bits // 8, channels * bits // 8, bits)
    body = b"WAVE" + before + b"fmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", held) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body


def integers(bits, samples):
    most = 2 ** (bits - 1)
    return b"".join((round(x * (most - 1)) + (most if bits == 8 else 0)).to_bytes(bits // 8, "little", signed=bits != 8) for x in samples)


def main():
    plain = integers(16, SAMPLES)
    sides = [x for sample in SAMPLES for x in (2 * sample, 0)]  # the mean of both is the tone
    files = {
        "mono16": wav(1, 16, plain),
        "stereo24": wav(1, 24, integers(24, sides), channels=2),
        "mono8": wav(1, 8, integers(8, SAMPLES), before=b"LIST" + struct.pack("<I", 3) + b"abc\0"),
        "float32": wav(3, 32, struct.pack(f"<{len(SAMPLES)}f", *SAMPLES)),
        "truncated": wav(1, 16, plain + b"\1", size=1 << 31),  # the file ends before its data does, within a sample
        "silent": wav(1, 16, b""),
        "slow": wav(1, 16, plain, rate=8000),
        "mulaw": wav(7, 8, bytes(800)),
        "no_channels": wav(1, 16, plain, channels=0),
        "infinite": wav(3, 32, struct.pack(f"<{len(SAMPLES)}f", *(float("inf") if i % 3 == 0 else float("nan") if i % 3 == 1 else x for i, x in enumerate(SAMPLES)))),
        "text": b"it is no sound",
    }
    random = __import__("random").Random(1)
    for i in range(60):  # a head that is cut or changed; hostile0 is whole
        data = bytearray(wav(1, 16, plain[:64]))
        for _ in range(i and 1 + i % 4):
            data[random.randrange(44)] = random.choice((0, 1, 3, 127, 255, random.randrange(256)))
        files[f"hostile{i}"] = bytes(data[: random.randrange(8, len(data))] if i % 3 == 2 else data)
    for name, data in files.items():
        with open(f"{sys.argv[1]}/{name}.wav", "wb") as file:
            file.write(data)


main()
