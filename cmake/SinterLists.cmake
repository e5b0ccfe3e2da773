# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Lists made from the files that exist, so that adding a file is all the registration there is. (Static constructors are lost in archives.)
set(SINTER_GENERATED ${PROJECT_BINARY_DIR}/generated)
file(MAKE_DIRECTORY ${SINTER_GENERATED})

# sinter_file_list(OUT macro glob...): writes generated/OUT with a line `macro(stem)` per file, sorted.
function(sinter_file_list out macro)
  file(GLOB files CONFIGURE_DEPENDS ${ARGN})
  set(text "")
  foreach(file IN LISTS files)
    get_filename_component(stem ${file} NAME_WE)
    string(APPEND text "${macro}(${stem})\n")
  endforeach()
  file(CONFIGURE OUTPUT ${SINTER_GENERATED}/${out} CONTENT "${text}" @ONLY)
endfunction()

sinter_file_list(op_list.inc SINTER_OP_FILE ${PROJECT_SOURCE_DIR}/compiler/ops/onnx/*.cpp)
sinter_file_list(interpreted_kernels.inc SINTER_KERNEL_FILE ${PROJECT_SOURCE_DIR}/compiler/interpreter/kernels/*.cpp)
sinter_file_list(contraction_kernels.inc SINTER_CONTRACTION_KERNEL ${PROJECT_SOURCE_DIR}/compiler/kernels/*/*.cpp)
