# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Plausible inputs: what a model might really be fed. Each maker takes its arguments from models.toml, then shape, element type, and a seed.
import numpy as np


def picture(shape, rng):
    """A scene, 0 to 1: shaded ground, soft blobs, a grating, something like a face, a little noise. The last two dims are height and width;
    planes before them are colours of the same scene."""
    *outer, height, width = shape
    y, x = np.mgrid[0:height, 0:width] / max(height, width)
    scene = [("blob", *rng.uniform(0, 1, 2), rng.uniform(0.05, 0.4)) for _ in range(6)]
    angle, frequency, contrast = rng.uniform(0, np.pi), rng.uniform(4, 60), rng.uniform(0, 0.5)
    cx, cy, r = rng.uniform(0.3, 0.7) * width / max(height, width), rng.uniform(0.3, 0.6), rng.uniform(0.1, 0.25)
    out = np.empty((int(np.prod(outer)), height, width))
    for plane in out:
        plane[:] = rng.uniform(0.2, 0.8) + rng.uniform(-0.3, 0.3) * x + rng.uniform(-0.3, 0.3) * y
        for _, bx, by, br in scene:
            plane += rng.uniform(-0.5, 0.5) * np.exp(-((x - bx) ** 2 + (y - by) ** 2) / br**2)
        plane += contrast * np.sin(2 * np.pi * frequency * (x * np.cos(angle) + y * np.sin(angle)))
        face = ((x - cx) / r) ** 2 + ((y - cy) / (1.3 * r)) ** 2 < 1
        plane[face] = rng.uniform(0.6, 0.8) - 0.2 * ((x - cx) / r)[face] ** 2
        for ex, ey, ew, eh in ((-0.4, -0.25, 0.2, 0.1), (0.4, -0.25, 0.2, 0.1), (0, 0.6, 0.4, 0.1), (0, 0.15, 0.1, 0.2)):
            part = ((x - cx - ex * r) / (ew * r)) ** 2 + ((y - cy - ey * r) / (eh * r)) ** 2 < 1
            plane[part] = rng.uniform(0.1, 0.3)
        plane += rng.normal(0, 0.02, plane.shape)
    return np.clip(out, 0, 1).reshape(shape)


def sound(shape, rng):
    """A few partials with noise, -1 to 1, along the longest dim."""
    count = int(np.prod(shape))
    t = np.arange(count) / 16000
    base = rng.uniform(80, 500)
    wave = sum(rng.uniform(0.1, 1) / k * np.sin(2 * np.pi * base * k * t + rng.uniform(0, 6)) for k in range(1, 6))
    wave = wave * (0.5 + 0.5 * np.sin(2 * np.pi * rng.uniform(1, 4) * t)) + rng.normal(0, 0.05, count)
    return (wave / max(1e-6, np.abs(wave).max())).reshape(shape)


def spectrum(shape, rng):
    """Frames of a logarithmic spectrum or of cepstral coefficients, -1 to 1: falling, with resonances that move slowly, and noise."""
    count = int(np.prod(shape))
    width = next((w for w in (128, 49, 40, 10) if count % w == 0), count)
    frames, bands = np.mgrid[0 : count // width, 0:width]
    level = 0.6 - 1.2 * bands / width * rng.uniform(0.3, 1.5) + 0.3 * np.sin(frames * rng.uniform(0.05, 0.8) + rng.uniform(0, 6))
    for _ in range(4):
        at = width * (rng.uniform(0, 1) + 0.1 * np.sin(frames * rng.uniform(0.02, 0.3) + rng.uniform(0, 6)))
        level += rng.uniform(-0.6, 0.9) * np.exp(-(((bands - at) / (rng.uniform(0.02, 0.2) * width)) ** 2))
    return np.clip(level + rng.normal(0, 0.1, level.shape), -1, 1).reshape(shape)


WORDS = ["yes", "no", "", "n\u00f6", "yes ", "\u732b", "Yes", "a longer piece of text"]
TEXT = b"#include <stdio.h>\nint main(int argc, char **argv) { return printf(\"%d\\n\", argc); }\n<html><body>{\"key\": [1, 2]}"


def make(spec, shape, dtype, seed):
    rng = np.random.default_rng(seed)
    kind, *arguments = spec.split()
    numbers = [float(a) for a in arguments]
    if kind == "normal":
        value = rng.normal(0, numbers[0], shape)
    elif kind == "uniform":
        value = rng.uniform(numbers[0], numbers[1], shape)
    elif kind == "image":
        value = numbers[0] + (numbers[1] - numbers[0]) * picture(shape, rng)
    elif kind == "photo":
        planes = picture([*shape[:-3], shape[-1], *shape[-3:-1]], rng)
        value = numbers[0] + (numbers[1] - numbers[0]) * np.moveaxis(planes, -3, -1)
    elif kind == "spectrum":
        value = numbers[0] + (numbers[1] - numbers[0]) * (spectrum(shape, rng) + 1) / 2
    elif kind == "audio":
        value = numbers[0] * sound(shape, rng)
        value.reshape(-1)[: int(sum(numbers[1:]))] = 0
    elif kind == "tokens":
        value = rng.integers(0, int(numbers[0]), shape)
    elif kind == "bytes":
        start = rng.integers(0, 40)
        value = np.frombuffer((TEXT[start:] * 100)[: int(np.prod(shape))], np.uint8).reshape(shape)
    elif kind == "words":
        return rng.choice(np.array(WORDS, object), shape)
    elif kind == "alternating":
        value = np.full(shape, numbers[seed % len(numbers)])
    elif kind == "positions":
        value = np.full(shape, seed % 1000)
    elif kind == "constant":
        value = np.full(shape, numbers[0])
    else:
        raise ValueError(f"models.toml: no way of making inputs is called {kind}")
    return np.asarray(value).astype(dtype)
