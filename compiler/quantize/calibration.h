// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms of what a model's values are on the samples, and scales from them.
#pragma once

#include "quantize/histogram.h"
#include "quantize/plan.h"
#include "quantize/program.h"

namespace sinter::quantize {

/// One histogram per group of the plan.
llvm::Expected<std::vector<Histogram>> observe(const onnx::ModelProto &model, const Plan &plan, size_t samples,
                                               MakeProgram makeProgram);

/// A scale per value of the plan.
std::vector<std::optional<Scale>> scalesFrom(llvm::ArrayRef<Histogram> histograms, const Plan &plan, Calibration method,
                                             double percent, const Grid &grid);

} // namespace sinter::quantize
