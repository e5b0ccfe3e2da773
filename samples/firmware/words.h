// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the keyword net's twelve outputs mean, in MLPerf Tiny's order.
#pragma once

#include "kws.h"
#include "sound.h"

static const char *const words[12] = {"down",  "go",   "left", "no",  "off",       "on",
                                      "right", "stop", "up",   "yes", "(silence)", "(unknown)"};

/// Runs the net on `sound`; the word, or a null pointer if the call fails. `ram` is scratch: an arena, or with --ram
/// its regions.
template <class Ram>
const char *hear(Ram *ram) {
  static float features[490], scores[12];
  for (int i = 0; i < 490; ++i)
    features[i] = static_cast<float>(sound[i]);
  kws_inputs in = {};
  kws_outputs out = {};
  in.input_1 = features;
  out.dense = scores;
  if (kws_run(&in, &out, ram) != 0)
    return nullptr;
  int best = 0;
  for (int i = 1; i < 12; ++i)
    if (scores[i] > scores[best])
      best = i;
  return words[best];
}
