// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "small_pairs.h"

#include "templates/dot4/weight_pairs.h"

#include "llvm/Support/MathExtras.h"

namespace sinter {

int64_t LargePairs::mostOfPanel(int64_t columns) const {
  int64_t most = 0;
  for (int64_t g = 0; g < groups; ++g)
    for (int64_t first = 0; first < filters; first += columns) {
      std::vector<bool> isExtra(fours, false);
      for (int64_t j = g * filters + first, end = g * filters + std::min(first + columns, filters); j < end; ++j)
        for (int64_t q = 0; q < fours; ++q)
          isExtra[q] = isExtra[q] || isLarge[j * fours + q];
      most = std::max<int64_t>(most, std::count(isExtra.begin(), isExtra.end(), true));
    }
  return most;
}

std::optional<LargePairs> largePairsOf(Tensor weights, const RunsOfWindow &runs, EvaluationCache &cache) {
  // A four of a shorter run would read behind it.
  if (runs.length < 4 || !fitsPlace(runs.rows, runs.columns, runs.length))
    return std::nullopt;
  std::optional<HostTensor> data = evaluate(weights.value, cache);
  if (!data)
    return std::nullopt;
  llvm::ArrayRef<int64_t> shape = data->shape();
  int64_t ofRun = llvm::divideCeil(shape[3], 4);
  LargePairs pairs{shape[0], shape[1], shape[2] * ofRun, {}};
  pairs.isLarge.resize(pairs.groups * pairs.filters * pairs.fours, false);
  const auto *bytes = reinterpret_cast<const int8_t *>(data->bytes());
  for (int64_t run = 0, all = shape[0] * shape[1] * shape[2]; run < all; ++run, bytes += shape[3])
    for (int64_t q = 0; q < ofRun; ++q) {
      // The last four of a run ends with it, and has zeros for what the one before has.
      int64_t from = std::min(q * 4, shape[3] - 4);
      auto at = [&](int64_t i) { return from + i < q * 4 ? 0 : int(bytes[from + i]); };
      pairs.isLarge[run * ofRun + q] = !isSmallPair(at(0), at(1)) || !isSmallPair(at(2), at(3));
    }
  return pairs;
}

} // namespace sinter
