// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the float model twice over the samples: for the ends of each range, then for what lies between.
#include "quantize/calibration.h"

#include "quantize/trial.h"

using namespace llvm;

namespace sinter::quantize {

Expected<std::vector<Histogram>> observe(const onnx::ModelProto &model, const Plan &plan, size_t samples,
                                         MakeProgram makeProgram) {
  std::vector<std::string> names;
  std::vector<size_t> groupOf;
  for (const Plan::Value &value : plan.values)
    if (value.observed) {
      names.push_back(value.name);
      groupOf.push_back(static_cast<size_t>(value.group));
    }
  std::vector<Histogram> histograms(static_cast<size_t>(plan.groups));
  Expected<std::unique_ptr<Program>> program = makeProgram(withOutputs(model, names));
  if (!program)
    return program.takeError();
  auto own = static_cast<size_t>(model.graph().output_size());
  for (void (Histogram::*take)(ArrayRef<float>) : {&Histogram::widen, &Histogram::count})
    for (size_t sample = 0; sample < samples; ++sample) {
      Expected<std::vector<FloatTensor>> values = (*program)->run(sample);
      if (!values)
        return values.takeError();
      for (size_t v = 0; v < names.size(); ++v)
        (histograms[groupOf[v]].*take)((*values)[own + v].values);
    }
  return histograms;
}

std::vector<std::optional<Scale>> scalesFrom(ArrayRef<Histogram> histograms, const Plan &plan, Calibration method,
                                             double percent, const Grid &grid) {
  std::vector<Scale> ofGroup;
  for (const Histogram &histogram : histograms)
    ofGroup.push_back(scaleOf(chooseRange(histogram, method, percent, grid), grid));
  std::vector<std::optional<Scale>> scales;
  for (const Plan::Value &value : plan.values)
    scales.push_back(ofGroup[static_cast<size_t>(value.group)]);
  return scales;
}

} // namespace sinter::quantize
