# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A tokenizer file as Python calls it: `sinter tokenizer`, a C++ compiler, ctypes on the C interface."""
import ctypes
import os
import subprocess


class Emitted:
    def __init__(self, file, folder, cxx, flags=()):
        os.makedirs(folder, exist_ok=True)
        said = subprocess.run(["sinter", "tokenizer", file, "-o", f"{folder}/tok.h", *flags], capture_output=True, text=True, check=False)
        if said.returncode:
            raise SystemExit(said.stderr)
        library = f"{folder}/tok.so"
        subprocess.run([cxx, "-std=c++17", "-O0", "-Wall", "-Wextra", "-Werror", "-fno-exceptions", "-shared", "-fPIC", f"{folder}/tok.cpp", "-o", library],
                       check=True)
        self.library = ctypes.CDLL(library)
        self.library.tok_encode.restype = self.library.tok_encode_in.restype = self.library.tok_decode.restype = ctypes.c_int64
        self.library.tok_scratch_bytes.restype = self.library.tok_stream_next.restype = self.library.tok_stream_end.restype = ctypes.c_size_t
        self.library.tok_scratch_bytes.argtypes = [ctypes.c_size_t]

    def encode(self, text, flags=0, scratch=None):
        """The ids; with `scratch`, through memory of that many bytes."""
        data = text if isinstance(text, bytes) else text.encode()
        capacity = 2 * len(data) + 64
        while True:
            ids = (ctypes.c_int32 * capacity)()
            arguments = [data, ctypes.c_size_t(len(data)), ids, ctypes.c_size_t(capacity), ctypes.c_uint32(flags)]
            if scratch is None:
                count = self.library.tok_encode(*arguments)
            else:
                count = self.library.tok_encode_in(*arguments, ctypes.create_string_buffer(scratch), ctypes.c_size_t(scratch))
            if count < 0:
                return count
            if count <= capacity:
                return list(ids[:count])
            capacity = count

    def decode(self, ids, flags=0):
        array = (ctypes.c_int32 * len(ids))(*ids)
        size = self.library.tok_decode(array, ctypes.c_size_t(len(ids)), None, ctypes.c_size_t(0), ctypes.c_uint32(flags))
        text = ctypes.create_string_buffer(size + 1)
        self.library.tok_decode(array, ctypes.c_size_t(len(ids)), text, ctypes.c_size_t(size), ctypes.c_uint32(flags))
        return text.raw[:size].decode()

    def stream(self, ids, flags=0):
        """The parts, each of whole code points."""
        state, parts = (ctypes.c_uint32 * 3)(), []
        text = ctypes.create_string_buffer(1 << 16)
        for i in ids:
            size = self.library.tok_stream_next(state, ctypes.c_int32(i), text, ctypes.c_size_t(len(text)), ctypes.c_uint32(flags))
            parts.append(text.raw[:size].decode())
        size = self.library.tok_stream_end(state, text, ctypes.c_size_t(len(text)))
        return [*parts, text.raw[:size].decode()]
