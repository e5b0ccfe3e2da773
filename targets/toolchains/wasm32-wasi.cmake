# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# WebAssembly with WASI by Debian's clang-19, wasi-libc, libc++-19-dev-wasm32 and libclang-rt-19-dev-wasm32: cmake -DCMAKE_TOOLCHAIN_FILE=.../wasm32-wasi.cmake.
# CMake before 3.31 knows no system of that name.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_AR llvm-ar-19)
set(CMAKE_RANLIB llvm-ranlib-19)
