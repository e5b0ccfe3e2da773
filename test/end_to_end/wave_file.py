# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""WAV files of speech models' tests: one channel of 16 bits, 16,000 samples a second."""
import wave


def write_wave(path, samples):
    """Writes samples from -1 to 1; gives those that the file then has."""
    import numpy as np

    samples = np.round(samples * 32767).astype(np.int16)
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16000)
        file.writeframes(samples.tobytes())
    return samples.astype(np.float32) / 32768
