// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// log_mel.h: against the sums of its definition in some places; test/end_to_end/encoder_decoders.py compares whole
// ones.
#include "runtime-lite/generation/log_mel.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace sinter;

TEST_CASE("log_mel: the parts of a transform of 400 are those of its definition") {
  std::vector<double> samples(kFrameSamples), cosines(kFrameSamples), real(kFrameSamples), imaginary(kFrameSamples);
  for (int32_t i = 0; i < kFrameSamples; ++i) {
    samples[static_cast<size_t>(i)] = std::sin(0.3 * i) + 0.01 * i;
    cosines[static_cast<size_t>(i)] = std::cos(kTwoPi * i / kFrameSamples);
  }
  transformPart(samples.data(), 1, kFrameSamples, real.data(), imaginary.data(), cosines.data());
  for (size_t k : {0u, 1u, 7u, 80u, 200u, 399u}) {
    double re = 0, im = 0;
    for (size_t i = 0; i < samples.size(); ++i) {
      re += samples[i] * std::cos(kTwoPi * static_cast<double>(i * k) / kFrameSamples);
      im -= samples[i] * std::sin(kTwoPi * static_cast<double>(i * k) / kFrameSamples);
    }
    CHECK(std::fabs(real[k] - re) < 1e-9);
    CHECK(std::fabs(imaginary[k] - im) < 1e-9);
  }
}

TEST_CASE("log_mel: a tone is loudest in its band, silence behind it is 8 decades below at most") {
  constexpr int32_t bands = 80, frames = 200, hertz = 1000;
  std::vector<float> samples(kSoundRate), features(bands * frames);
  for (size_t i = 0; i < samples.size(); ++i)
    samples[i] = static_cast<float>(std::sin(kTwoPi * hertz * static_cast<double>(i) / kSoundRate));
  logMel(samples.data(), kSoundRate, bands, frames, features.data());
  int32_t loudest = 0;
  for (int32_t band = 0; band < bands; ++band)
    if (features[static_cast<size_t>(band * frames + 50)] > features[static_cast<size_t>(loudest * frames + 50)])
      loudest = band;
  const double width = melOf(kSoundRate / 2.0) / (bands + 1);
  CHECK(std::fabs(melOf(hertz) - width * (loudest + 1)) <= width);
  float least = 9, most = -9;
  for (float level : features) {
    least = std::fmin(least, level);
    most = std::fmax(most, level);
  }
  CHECK(std::fabs(most - least - 2) < 1e-6f);
}
