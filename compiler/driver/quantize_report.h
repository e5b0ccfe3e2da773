// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What sinter quantize tells: for people and as JSON.
#pragma once

#include "quantize/half.h"
#include "quantize/static.h"
#include "quantize/trial.h"
#include "quantize/weights_only.h"

#include "llvm/Support/JSON.h"

namespace sinter {

struct QuantizeReport {
  std::string way; ///< "static", "dynamic", "weights-only", "fp16", "bf16"
  std::optional<quantize::StaticReport> quantization;
  std::vector<quantize::WeightReport> weights; ///< of the ways dynamic and weights-only
  std::optional<quantize::HalfReport> half;
  std::optional<quantize::Difference> difference; ///< of those ways, on the samples, if there are some
  int batchNorms = 0;                             ///< that went into weights
};

void printReport(const QuantizeReport &report, llvm::raw_ostream &out);
llvm::json::Object jsonOf(const QuantizeReport &report);
llvm::json::Object histogramOf(const quantize::Outline &outline);
std::string textOf(llvm::json::Object object);

} // namespace sinter
