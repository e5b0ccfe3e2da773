# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ByteLevel's alphabet, to bytes."""
SEEN = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
HIDDEN = [byte for byte in range(256) if byte not in SEEN]
BYTES = {chr(byte): byte for byte in SEEN} | {chr(256 + i): byte for i, byte in enumerate(HIDDEN)}


def bytes_of(word):
    return bytes(BYTES[c] for c in word)
