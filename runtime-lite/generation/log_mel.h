// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sound to the features that Whisper's encoder takes: log10 of the energy in mel bands, of frames of 25 ms every 10 ms.
// As transformers' WhisperFeatureExtractor makes them, within rounding of floats. How it is called:
//   sinter::logMel(samples, count, 80, 3000, features);   // 16 kHz, mono; features[80][3000]
// Sound that is shorter ends in silence. Longer sound is not heard, but that frames at the end reach into it. No heap,
// no tables: some 13 KiB of stack.
#pragma once

#include "runtime-lite/compiler.h"
#include "runtime-lite/types.h"

#include <math.h>
#include <stdint.h>

namespace sinter {
namespace {

constexpr int32_t kSoundRate = 16000, kFrameSamples = 400, kFrameHop = 160, kFrameBins = kFrameSamples / 2 + 1;
constexpr double kTwoPi = 6.283185307179586476925;

/// A sum of products with roots of unity, by the factors of 400 = 5 * 5 * 4 * 4: the first pass over `factor` parts
/// that lie `stride` apart, each of which is transformed by itself before.
SINTER_FUNCTION void transformPart(const double *samples, int32_t stride, int32_t count, double *real,
                                   double *imaginary, const double *cosines) {
  if (count == 1) {
    *real = *samples;
    *imaginary = 0;
    return;
  }
  const int32_t factor = count % 5 == 0 ? 5 : count % 4 == 0 ? 4 : 2, part = count / factor;
  for (int32_t i = 0; i < factor; ++i)
    transformPart(samples + i * stride, stride * factor, part, real + i * part, imaginary + i * part, cosines);
  const int32_t turn = kFrameSamples / count; // what one step of the root is in the table
  for (int32_t k = 0; k < part; ++k) {
    double re[5], im[5];
    for (int32_t i = 0; i < factor; ++i) {
      re[i] = real[i * part + k];
      im[i] = imaginary[i * part + k];
    }
    for (int32_t j = 0; j < factor; ++j) {
      double sumRe = re[0], sumIm = im[0];
      for (int32_t i = 1; i < factor; ++i) {
        const int32_t angle = turn * i * (k + j * part) % kFrameSamples;
        const double c = cosines[angle], s = -cosines[(angle + 3 * kFrameSamples / 4) % kFrameSamples];
        sumRe += re[i] * c - im[i] * s;
        sumIm += re[i] * s + im[i] * c;
      }
      real[j * part + k] = sumRe;
      imaginary[j * part + k] = sumIm;
    }
  }
}

/// Slaney's scale: linear up to 1 kHz, logarithmic above.
SINTER_FUNCTION double melOf(double hertz) {
  return hertz < 1000 ? 3 * hertz / 200 : 15 + log(hertz / 1000) * (27 / log(6.4));
}
SINTER_FUNCTION double hertzOf(double mel) {
  return mel < 15 ? 200 * mel / 3 : 1000 * exp((mel - 15) * (log(6.4) / 27));
}

/// The sample at a place before the sound, in it or behind it: it is mirrored at its ends, and silent from its end to
/// the end of all frames.
SINTER_FUNCTION double soundAt(const float *samples, int64_t count, int64_t total, int64_t place) {
  place = place < 0 ? -place : place >= total ? 2 * (total - 1) - place : place;
  return place >= 0 && place < count ? double(samples[place]) : 0;
}

/// features[bands][frames].
SINTER_FUNCTION void logMel(const float *samples, int64_t count, int32_t bands, int64_t frames, float *features) {
  double cosines[kFrameSamples], windowed[kFrameSamples], real[kFrameSamples], imaginary[kFrameSamples];
  for (int32_t i = 0; i < kFrameSamples; ++i)
    cosines[i] = cos(kTwoPi * i / kFrameSamples);
  const double lastMel = melOf(kSoundRate / 2.0), binHertz = double(kSoundRate) / kFrameSamples;
  const int64_t all = frames * kFrameHop, total = count > all ? count : all;
  double greatest = -HUGE_VAL;
  for (int64_t frame = 0; frame < frames; ++frame) {
    const int64_t first = frame * kFrameHop - kFrameSamples / 2;
    for (int32_t i = 0; i < kFrameSamples; ++i)
      windowed[i] = (0.5 - 0.5 * cosines[i]) * soundAt(samples, count, total, first + i);
    transformPart(windowed, 1, kFrameSamples, real, imaginary, cosines);
    double *power = windowed;
    for (int32_t bin = 0; bin < kFrameBins; ++bin)
      power[bin] = real[bin] * real[bin] + imaginary[bin] * imaginary[bin];
    double below = 0, at = hertzOf(lastMel / (bands + 1));
    for (int32_t band = 0; band < bands; ++band) {
      const double above = hertzOf(lastMel * (band + 2) / (bands + 1));
      double energy = 0;
      for (int32_t bin = int32_t(below / binHertz); bin < kFrameBins && bin * binHertz < above; ++bin) {
        const double rising = (bin * binHertz - below) / (at - below),
                     falling = (above - bin * binHertz) / (above - at);
        const double share = rising < falling ? rising : falling;
        energy += share > 0 ? share * power[bin] : 0;
      }
      energy *= 2 / (above - below); // bands of equal area
      const double level = log10(energy > 1e-10 ? energy : 1e-10);
      greatest = level > greatest ? level : greatest;
      features[int64_t(band) * frames + frame] = float(level);
      below = at;
      at = above;
    }
  }
  for (int64_t i = 0; i < int64_t(bands) * frames; ++i) {
    const double level = double(features[i]);
    features[i] = float(((level > greatest - 8 ? level : greatest - 8) + 4) / 4);
  }
}

} // namespace
} // namespace sinter
