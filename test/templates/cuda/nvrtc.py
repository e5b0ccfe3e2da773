# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NVRTC by ctypes: CUDA source -> a cubin and the compiler's log. Found among the Python packages (nvidia-cuda-nvrtc-cu11 and others), where
several versions may lie side by side, each in a folder of its own."""
import ctypes
import pathlib
import sys


# What compiles for sm_53 to sm_90, where it is there: compiler/cuda/nvrtc.cpp.
OLDEST = (11, 8)


class CompileError(Exception):
    pass


def libraries(folders=()):
    """The libraries that there are: [((major, minor), path)], the oldest first."""
    found = {}
    for folder in [*folders, *sys.path]:
        for path in pathlib.Path(folder).glob("nvidia/*/lib/libnvrtc.so.*"):
            major, minor = ctypes.c_int(), ctypes.c_int()
            ctypes.CDLL(str(path)).nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
            found.setdefault((major.value, minor.value), path)
    return sorted(found.items())


def compile_cubin(library, source, sm, options=(), headers=()):
    """The cubin, and the log, with what ptxas says of each kernel. Headers of these names are there, and empty."""
    nvrtc = ctypes.CDLL(str(library))

    def text_of(size_name, get_name):
        size = ctypes.c_size_t()
        getattr(nvrtc, size_name)(program, ctypes.byref(size))
        buffer = ctypes.create_string_buffer(size.value)
        getattr(nvrtc, get_name)(program, buffer)
        return buffer.raw

    program = ctypes.c_void_p()
    names = (ctypes.c_char_p * len(headers))(*[name.encode() for name in headers])
    texts = (ctypes.c_char_p * len(headers))(*[b""] * len(headers))
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"kernels.cu", len(headers), texts, names)
    every = [f"--gpu-architecture=sm_{sm}", "--std=c++17", "-default-device", "--fmad=false", "--ptxas-options=-v", *options]
    failed = nvrtc.nvrtcCompileProgram(program, len(every), (ctypes.c_char_p * len(every))(*[option.encode() for option in every]))
    log = text_of("nvrtcGetProgramLogSize", "nvrtcGetProgramLog").rstrip(b"\0").decode()
    if failed:
        raise CompileError(log)
    cubin = text_of("nvrtcGetCUBINSize", "nvrtcGetCUBIN")
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return cubin, log
