// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "winograd_choice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"
#include <limits>
#include <numeric>

using namespace llvm;

namespace sinter {

static std::string thousands(int64_t number) { return formatv("{0:F1} k", static_cast<double>(number) / 1000); }

std::vector<WinogradChoice> chooseWinograd(ArrayRef<WinogradCandidate> candidates, Fit fit, int64_t weightBytes,
                                           llvm::function_ref<bool(size_t candidate)> leavesPeak) {
  bool isForSpeed = fit == Fit::Speed;
  int64_t left = isForSpeed ? std::numeric_limits<int64_t>::max() : weightBytes / 2;
  auto perByte = [&](const WinogradCandidate &c) {
    return static_cast<double>(c.saved()) / static_cast<double>(std::max<int64_t>(1, c.moreWeights));
  };
  SmallVector<size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), size_t(0));
  stable_sort(order, [&](size_t a, size_t b) { return perByte(candidates[a]) > perByte(candidates[b]); });
  std::vector<WinogradChoice> choices(candidates.size());
  for (size_t i : order) {
    const WinogradCandidate &candidate = candidates[i];
    std::string gain =
        thousands(candidate.saved()) + " instructions less for " + thousands(candidate.moreWeights) + "B of weights";
    WinogradChoice &choice = choices[i];
    if (candidate.saved() <= 0) {
      choice.reason = "no Winograd: it would take no fewer instructions";
    } else if (!isForSpeed && !leavesPeak(i)) {
      choice.reason = "no Winograd, which --fit speed takes: its scratch would raise the arena's peak (" + gain + ")";
    } else if (candidate.moreWeights > left) {
      choice.reason =
          "no Winograd, which --fit speed takes: the net's weights would grow by more than half (" + gain + ")";
    } else {
      choice = {true, "Winograd: about " + gain};
      left -= candidate.moreWeights;
    }
  }
  return choices;
}

} // namespace sinter
