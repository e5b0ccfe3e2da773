// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of a program's images of device code a GPU runs.
#pragma once

#include <stddef.h>

namespace sinter {
namespace {

struct DeviceImage {
  int sm;          ///< 87
  bool isPtx;      ///< text that the driver compiles, ended by a zero, for its SM and all later ones; else a cubin
  bool isPortable; ///< a cubin that later minor versions of its major version run: none of Tegra
  const void *data;
};

/// The best image for a GPU: its own SM; on a GPU with memory of its own, the highest minor version below within the
/// major one; PTX of the highest SM that is not above. Null where there is none.
struct ImageChoice {
  static const DeviceImage *choose(const DeviceImage *images, int count, int sm, bool isIntegrated) {
    const DeviceImage *best = nullptr;
    int bestRank = 0;
    for (int i = 0; i < count; ++i) {
      const int rank = rankOf(images[i], sm, isIntegrated);
      if (rank > bestRank || (rank == bestRank && best && images[i].sm > best->sm)) {
        best = &images[i];
        bestRank = rank;
      }
    }
    return best;
  }

private:
  /// 3: its own; 2: a lower minor version; 1: to be compiled; 0: does not run.
  static int rankOf(const DeviceImage &image, int sm, bool isIntegrated) {
    if (image.isPtx)
      return image.sm <= sm ? 1 : 0;
    if (image.sm == sm)
      return 3;
    return image.isPortable && !isIntegrated && image.sm / 10 == sm / 10 && image.sm < sm ? 2 : 0;
  }
};

} // namespace
} // namespace sinter
