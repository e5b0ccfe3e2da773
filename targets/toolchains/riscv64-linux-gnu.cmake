# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# CMake toolchain: 64-bit RISC-V Linux with Debian's cross compiler (g++-riscv64-linux-gnu); programs run under qemu-user where there is one.
#   cmake -S . -B build-riscv64 -DCMAKE_TOOLCHAIN_FILE=/path/to/this/file
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(CMAKE_C_COMPILER riscv64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER riscv64-linux-gnu-g++)
set(CMAKE_FIND_ROOT_PATH /usr/riscv64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
find_program(QEMU_RISCV64 qemu-riscv64)
if(QEMU_RISCV64)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${QEMU_RISCV64} -L /usr/riscv64-linux-gnu)
endif()
