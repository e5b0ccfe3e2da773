// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "occupied_bytes.h"

#include "llvm/ADT/STLExtras.h"

namespace sinter {

void OccupiedBytes::add(int64_t begin, int64_t end, unsigned holder) {
  holders.change(begin, end, [&](auto &here, int64_t from, int64_t to) {
    if (here.empty())
      occupied += to - from;
    here.insert(llvm::lower_bound(here, holder), holder);
  });
}

void OccupiedBytes::remove(int64_t begin, int64_t end, unsigned holder) {
  holders.change(begin, end, [&](auto &here, int64_t from, int64_t to) {
    here.erase(llvm::lower_bound(here, holder));
    if (here.empty())
      occupied -= to - from;
  });
}

llvm::SmallVector<unsigned> OccupiedBytes::holdersOf(int64_t begin, int64_t end) const {
  llvm::SmallVector<unsigned> found;
  holders.visit(begin, end, [&](const auto &here, int64_t, int64_t) { found.append(here.begin(), here.end()); });
  llvm::sort(found);
  found.erase(llvm::unique(found), found.end());
  return found;
}

} // namespace sinter
