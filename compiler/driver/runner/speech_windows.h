// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Features of a whole sound, and what an encoder of a fixed number of frames is given of them: from any frame on,
// silence behind the end. They are made at once, as how loud a sound is, is told by all of it. The library's log_mel.h
// is before this file.
#pragma once

#include <algorithm>
#include <vector>

class SpeechWindows {
public:
  SpeechWindows(const std::vector<float> &samples, int32_t bands, int64_t window) : bands(bands), window(window) {
    const auto count = static_cast<int64_t>(samples.size());
    const bool isLong = count > window * sinter::kFrameHop;
    heard = count / sinter::kFrameHop;
    all = isLong ? count / sinter::kFrameHop : window;
    features.resize(static_cast<size_t>(bands * all));
    sinter::logMel(samples.data(), count, bands, all, features.data());
  }

  int64_t frames() const { return all; }
  /// Those that are no silence behind the sound.
  int64_t soundFrames() const { return heard; }

  /// [bands][window]
  const float *at(int64_t first, std::vector<float> &part) const {
    part.assign(static_cast<size_t>(bands * window), 0);
    const int64_t count = std::min(window, all - first);
    for (int64_t band = 0; band < bands; ++band) {
      const auto from = features.begin() + band * all + first;
      std::copy(from, from + count, part.begin() + band * window);
    }
    return part.data();
  }

private:
  int32_t bands;
  int64_t window, all = 0, heard = 0;
  std::vector<float> features;
};
