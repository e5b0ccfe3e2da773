// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file that gets a run's numbers: tokens and seconds of the prompt, steps and seconds of what followed.
#pragma once

#include "end_with.h"

#include <cerrno>
#include <cstring>
#include <string>

[[noreturn]] inline void endWithStats(const char *path) {
  endWith((std::string("the numbers of the run cannot be written to ") + path + ": " + std::strerror(errno)).c_str(),
          "--stats FILE names a file in a folder that is there");
}

/// Ends before the work is done where the file cannot be written. "" or null: there is none.
inline void requireStatsFile(const char *path) {
  if (!path || !*path)
    return;
  std::FILE *file = std::fopen(path, "a"); // what is there stays until there are numbers
  if (!file)
    endWithStats(path);
  std::fclose(file);
}

inline void writeStatsTo(const char *path, long long promptTokens, double promptSeconds, long long steps,
                         double stepSeconds) {
  if (!path || !*path)
    return;
  std::FILE *file = std::fopen(path, "w");
  if (!file || std::fprintf(file, "%lld %.9f %lld %.9f\n", promptTokens, promptSeconds, steps, stepSeconds) < 0 ||
      std::fclose(file) != 0) // a disk may be full as late as here
    endWithStats(path);
}
