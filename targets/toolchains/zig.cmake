# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# CMake toolchain: any system that Zig's compiler knows, from anywhere: SINTER_ZIG and SINTER_ZIG_TARGET of the environment are the program and the system, such as
# x86_64-windows-gnu, aarch64-linux-musl, aarch64-macos; they have to be there when the project is built, too. The first program in C++ for a system takes
# minutes, in which Zig compiles its C++ library.
#   SINTER_ZIG=.../zig SINTER_ZIG_TARGET=x86_64-windows-gnu cmake -S . -B build-windows -DCMAKE_TOOLCHAIN_FILE=/path/to/this/file
if(NOT DEFINED ENV{SINTER_ZIG} OR NOT DEFINED ENV{SINTER_ZIG_TARGET})
  message(FATAL_ERROR "zig.cmake takes SINTER_ZIG and SINTER_ZIG_TARGET of the environment: the program `zig`, and a system such as x86_64-windows-gnu")
endif()
if(NOT "$ENV{SINTER_ZIG_TARGET}" MATCHES "^([^-]+)-([^-.]+)")
  message(FATAL_ERROR "SINTER_ZIG_TARGET=$ENV{SINTER_ZIG_TARGET} is no system such as x86_64-windows-gnu")
endif()
set(CMAKE_SYSTEM_PROCESSOR ${CMAKE_MATCH_1})
set(CMAKE_SYSTEM_NAME Linux)
if(CMAKE_MATCH_2 STREQUAL "windows")
  set(CMAKE_SYSTEM_NAME Windows)
elseif(CMAKE_MATCH_2 STREQUAL "macos")
  set(CMAKE_SYSTEM_NAME Darwin)
endif()
# From the source folder, or from the package.
find_program(SINTER_ZIG_CXX zig-c++ REQUIRED NO_CMAKE_FIND_ROOT_PATH PATHS ${CMAKE_CURRENT_LIST_DIR}/../../python/src/sinter/bin ${CMAKE_CURRENT_LIST_DIR})
get_filename_component(folder ${SINTER_ZIG_CXX} DIRECTORY)
set(CMAKE_CXX_COMPILER ${SINTER_ZIG_CXX})
set(CMAKE_AR ${folder}/zig-ar CACHE FILEPATH "")
set(CMAKE_RANLIB : CACHE FILEPATH "") # nothing is left to do
# What CMake would find out by a program, for which Zig compiles its C++ library.
set(CMAKE_CXX_COMPILER_ID Clang)
set(CMAKE_CXX_COMPILER_ID_RUN TRUE)
set(CMAKE_CXX_COMPILER_VERSION 20)
set(CMAKE_CXX_STANDARD_COMPUTED_DEFAULT 17)
set(CMAKE_CXX_COMPILER_WORKS TRUE)
set(CMAKE_CXX_ABI_COMPILED TRUE)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
