# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# CMake toolchain: Cortex-M microcontrollers with Arm's GCC (gcc-arm-none-eabi).
#   cmake -S . -B build -DCMAKE_TOOLCHAIN_FILE=/path/to/this/file -DSINTER_CPU=cortex-m4
# SINTER_CPU is a target as `sinter targets` lists them, "cortex-m4-fp" without the FPU; add_onnx_library compiles for it.
set(SINTER_CPU cortex-m4 CACHE STRING "cortex-m0plus, m3, m4, m7, m33 or m55; with -fp at its end floats are computed without an FPU")
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR ${SINTER_CPU})
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY) # a program would need start-up code
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SINTER_CPU)
string(REGEX REPLACE "-fp$" "" _cpu ${SINTER_CPU})
if(NOT _cpu STREQUAL SINTER_CPU OR _cpu MATCHES "^cortex-m(0|0plus|1|3|23)$")
  set(_flags "-mcpu=${_cpu} -mthumb -mfloat-abi=soft")
elseif(_cpu STREQUAL "cortex-m7")
  set(_flags "-mcpu=${_cpu} -mthumb -mfpu=fpv5-sp-d16 -mfloat-abi=hard") # single precision: some have no more
else()
  set(_flags "-mcpu=${_cpu} -mthumb -mfloat-abi=hard")
endif()
set(CMAKE_C_FLAGS_INIT ${_flags})
set(CMAKE_CXX_FLAGS_INIT ${_flags})
