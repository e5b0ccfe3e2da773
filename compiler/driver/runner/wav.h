// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A WAV file that a program is given.
#pragma once

#include "end_with.h"
#include "wav_sound.h"

class WavFile : public WavSound {
public:
  /// Ends the program where the file is none, or of another rate.
  WavFile(const char *path, uint32_t rate) {
    if (const char *problem = parse(contentsOf(path), rate))
      endWith(problem);
  }

private:
  static std::vector<unsigned char> contentsOf(const char *path) {
    std::FILE *file = std::fopen(path, "rb");
    if (!file)
      endWith("the file of the sound cannot be read");
    std::vector<unsigned char> bytes;
    constexpr size_t part = 1 << 16, most = size_t(1) << 30;
    for (size_t got = part; got == part && bytes.size() < most;) {
      bytes.resize(bytes.size() + part);
      got = std::fread(&bytes[bytes.size() - part], 1, part, file);
      bytes.resize(bytes.size() - part + got);
    }
    std::fclose(file);
    return bytes;
  }
};
