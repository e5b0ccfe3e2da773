/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * A program that is linked with a net that calls libraries: a bitmap of one white pixel is decoded. */
#include "pictures.h"

static _Alignas(PICTURES_ARENA_ALIGN) char arena[PICTURES_ARENA_BYTES];

int main(void) {
  const uint8_t stream[] = "P4 1 1 \x00";
  uint8_t pixel[PICTURES_OUTPUT_RGB_ELEMENTS] = {0};
  pictures_inputs in = {.stream = stream};
  pictures_outputs out = {.rgb = pixel};
  const int status = pictures_run(&in, &out, arena);
  return status != 0 ? status : pixel[0] != 255 || pixel[2] != 255;
}
