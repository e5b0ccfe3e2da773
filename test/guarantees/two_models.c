/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * The headers of two models in one unit, which is C99 and C++ alike; null pointers and dims out of bounds are statuses.
 * headers.py builds it. */
#include "first.h"
#include "second.h"

#include <string.h>

static int expect(int holds) { return holds ? 0 : 1; }

int main(void) {
  static const float pixels[64] = {0}, x[2 * 5 * 8] = {0}, w[8 * 12] = {0};
  static const int64_t places[5] = {0, 1, 2, 3, 4}, outside[5] = {0, 1, 2, 3, 5};
  static float probabilities[10], y[2 * 5 * 12], chosen[2 * 5 * 12];
  static double first_arena[FIRST_ARENA_BYTES / 8 + FIRST_ARENA_ALIGN / 8],
      second_arena[SECOND_ARENA_BYTES / 8 + SECOND_ARENA_ALIGN / 8];
  void *const scratch =
      (char *)first_arena + (FIRST_ARENA_ALIGN - (uintptr_t)first_arena % FIRST_ARENA_ALIGN) % FIRST_ARENA_ALIGN;
  void *const more =
      (char *)second_arena + (SECOND_ARENA_ALIGN - (uintptr_t)second_arena % SECOND_ARENA_ALIGN) % SECOND_ARENA_ALIGN;
  first_inputs in;
  first_outputs out;
  second_inputs inputs;
  second_outputs outputs;
  int wrong = 0;
  in.image = pixels;
  out.probabilities = probabilities;
  wrong += expect(first_run(&in, &out, scratch) == 0);
  wrong += expect(first_run(&in, &out, NULL) == 1);
  wrong += expect(first_run(NULL, &out, scratch) == 1);
  wrong += expect(first_run(&in, &out, (char *)scratch + 1) == 2);
  in.image = NULL;
  wrong += expect(first_run(&in, &out, scratch) == 1);

  memset(&inputs, 0, sizeof inputs);
  memset(&outputs, 0, sizeof outputs);
  inputs.x = x;
  inputs.w = w;
  inputs.places = places;
  inputs.batch = 2;
  inputs.n = 5;
  outputs.y = y;
  outputs.chosen = chosen;
  wrong += expect(second_run(&inputs, &outputs, more) == 0);
  wrong += expect(y[0] > 0.19f && y[0] < 0.21f); /* softmax of five zeros */
  inputs.places = outside;
  wrong += expect(second_run(&inputs, &outputs, more) == 5);
  inputs.n = 65;
  wrong += expect(second_run(&inputs, &outputs, more) == 3);
  inputs.n = 0;
  wrong += expect(second_run(&inputs, &outputs, more) == 3);

  wrong += expect(strcmp(first_info()->prefix, "first") == 0 && strcmp(second_info()->prefix, "second") == 0);
  wrong += expect(second_info()->dim_count == 2 && second_info()->dims[1].max == 64);
  return wrong;
}
