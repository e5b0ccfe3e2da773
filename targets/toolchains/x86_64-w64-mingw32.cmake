# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# CMake toolchain: Windows on x86-64 with Debian's MinGW-w64 (g++-mingw-w64-x86-64-posix); programs run under Wine where there is one. Nets for
# x86-64-v3-windows and v4 take -DCMAKE_CXX_COMPILER=clang++-19 -DCMAKE_CXX_COMPILER_TARGET=x86_64-w64-mingw32.
#   cmake -S . -B build-windows -DCMAKE_TOOLCHAIN_FILE=/path/to/this/file
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++)
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
find_program(WINE NAMES wine wine64)
if(WINE)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${WINE})
endif()
