// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sound of a WAV file as models take it: one channel of floats. The file is a stranger's: lengths that it states are
// held against its own.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

class WavSound {
public:
  /// Makes samples of the bytes of a file. What is wrong with it, or null.
  const char *parse(std::vector<unsigned char> file, uint32_t rate) {
    bytes = std::move(file);
    if (bytes.size() < 12 || std::memcmp(&bytes[0], "RIFF", 4) != 0 || std::memcmp(&bytes[8], "WAVE", 4) != 0)
      return "the sound is no WAV file";
    for (size_t at = 12; at + 8 <= bytes.size();) {
      const size_t size = number(at + 4, 4), rest = bytes.size() - at - 8;
      const size_t held = size < rest ? size : rest;
      if (std::memcmp(&bytes[at], "fmt ", 4) == 0 && held >= 16)
        readFormat(at + 8, held);
      else if (std::memcmp(&bytes[at], "data", 4) == 0 && channels)
        return readData(at + 8, held, rate);
      at += 8 + held + (held & 1);
    }
    return "the WAV file has no sound behind a format";
  }

  std::vector<float> samples;

private:
  uint32_t number(size_t at, int count) const {
    uint32_t value = 0;
    for (int i = 0; i < count; ++i)
      value |= static_cast<uint32_t>(bytes[at + static_cast<size_t>(i)]) << 8 * i;
    return value;
  }
  void readFormat(size_t at, size_t size) {
    kind = number(at, 2);
    constexpr uint32_t extensible = 0xfffe;
    if (kind == extensible && size >= 26)
      kind = number(at + 24, 2);
    channels = number(at + 2, 2);
    ownRate = number(at + 4, 4);
    bits = number(at + 14, 2);
  }
  const char *readData(size_t at, size_t size, uint32_t rate) {
    const bool isFloat = kind == 3;
    if (!(isFloat && bits == 32) && !(kind == 1 && (bits == 8 || bits == 16 || bits == 24 || bits == 32)))
      return "the WAV file holds neither integers of 8, 16, 24 or 32 bits nor floats of 32";
    if (ownRate != rate)
      return "the sound has another rate than the model takes: `ffmpeg -i FILE -ar 16000 -ac 1 sound.wav` makes it "
             "16 kHz";
    const size_t sampleBytes = bits / 8, frameBytes = sampleBytes * channels;
    samples.reserve(size / frameBytes);
    for (size_t i = 0; i + frameBytes <= size; i += frameBytes) {
      float sum = 0;
      for (size_t channel = 0; channel < channels; ++channel)
        sum += sample(at + i + channel * sampleBytes, isFloat);
      samples.push_back(sum / static_cast<float>(channels));
    }
    return nullptr;
  }
  float sample(size_t at, bool isFloat) const {
    const uint32_t raw = number(at, static_cast<int>(bits / 8));
    if (isFloat) {
      float value;
      std::memcpy(&value, &raw, sizeof value);
      return value - value == 0 ? value : 0; // no number, or an infinite one
    }
    if (bits == 8)
      return (static_cast<float>(raw) - 128) / 128;
    return static_cast<float>(static_cast<int32_t>(raw << (32 - bits))) / 2147483648.0f;
  }

  std::vector<unsigned char> bytes;
  uint32_t kind = 0, channels = 0, ownRate = 0, bits = 0;
};
