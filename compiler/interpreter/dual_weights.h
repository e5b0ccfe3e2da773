// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that put weights in the order of templates/dual/ when weights are written: operands are the weights as they
// came, the table of filters (kernels/dual/support/dual_packing.h) and the words; `zero` is the weights' zero point.
#pragma once

#include "interpreter/kernel_call.h"
#include "kernels/dual/support/dual_packing.h"

namespace sinter {

inline std::vector<int8_t> dualWeights(const KernelCall &call) {
  std::vector<int8_t> weights;
  const HostTensor &given = call.inputs[0];
  int64_t zero = call.integer("zero");
  for (int64_t i = 0; i < given.size(); ++i)
    weights.push_back(static_cast<int8_t>(
        (call.isUnsigned(0) ? int64_t(given.at<uint8_t>(i)) : int64_t(given.at<int8_t>(i))) - zero));
  return weights;
}

inline DualFilters dualFilters(const KernelCall &call) {
  const HostTensor &table = call.inputs[1];
  std::vector<int32_t> numbers;
  for (int64_t i = 0; i < table.size(); ++i)
    numbers.push_back(table.at<int32_t>(i));
  return DualFilters::ofTable(numbers, call.flag("rescaled"));
}

inline bool writeDualWords(KernelCall &call, const DualWords &words) {
  HostTensor &out = call.outputs[0];
  if (out.size() != static_cast<int64_t>(words.words.size()))
    return false;
  memcpy(out.mutableBytes(), words.words.data(), words.words.size() * sizeof(int32_t));
  return true;
}

} // namespace sinter
