// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/tuning_choice.h"

#include "llvm/ADT/STLExtras.h"

namespace sinter {

size_t bestOption(const TimedSite &site) {
  size_t best = 0;
  double enough = site.usual() - std::max(site.usual() * kTuningMargin, kTuningResolution);
  for (size_t i = 1; i < site.seconds.size(); ++i)
    if (site.seconds[i] >= 0 && site.usual() >= 0 && site.seconds[i] < enough &&
        (best == 0 || site.seconds[i] < site.seconds[best]))
      best = i;
  return best;
}

std::vector<size_t> boldestHalf(llvm::ArrayRef<TimedSite> sites, llvm::ArrayRef<size_t> best) {
  std::vector<size_t> changed;
  for (size_t i = 0; i < best.size(); ++i)
    if (best[i])
      changed.push_back(i);
  auto saved = [&](size_t i) { return sites[i].usual() - sites[i].seconds[best[i]]; };
  llvm::stable_sort(changed, [&](size_t a, size_t b) { return saved(a) > saved(b); });
  changed.resize(changed.size() / 2);
  std::vector<size_t> half(best.size());
  for (size_t i : changed)
    half[i] = best[i];
  return changed.empty() ? std::vector<size_t>() : half;
}

bool isNotSlower(double tuned, double usual) { return tuned <= usual; }

} // namespace sinter
