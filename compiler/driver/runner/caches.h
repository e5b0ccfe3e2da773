// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How large the caches of the first core are, as Linux tells. For peak.cpp.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>

/// Bytes of the data cache of a level; 0 where nobody says.
inline int64_t cacheBytes(int level) {
  for (int index = 0; index < 8; ++index) {
    char path[96], text[32];
    auto read = [&](const char *what) {
      std::snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, what);
      std::FILE *file = std::fopen(path, "r");
      const bool isRead = file && std::fgets(text, sizeof text, file);
      if (file)
        std::fclose(file);
      return isRead;
    };
    int found = 0;
    if (!read("level") || std::sscanf(text, "%d", &found) != 1 || found != level)
      continue;
    if (!read("type") || std::strncmp(text, "Instruction", 11) == 0)
      continue;
    long size = 0;
    char unit = ' ';
    if (!read("size") || std::sscanf(text, "%ld%c", &size, &unit) < 1)
      continue;
    return int64_t(size) * (unit == 'K' ? 1024 : unit == 'M' ? 1 << 20 : 1);
  }
  return 0;
}
