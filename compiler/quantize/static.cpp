// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of the work: calibrate, choose ranges, correct biases, leave out what costs most, write.
#include "quantize/static.h"

#include "quantize/calibration.h"
#include "quantize/choose.h"
#include "quantize/equalize.h"
#include "quantize/write_qdq.h"

using namespace llvm;

namespace sinter::quantize {
namespace {

/// A model with all choices made for it but which layers are left float.
struct Candidate {
  onnx::ModelProto model;
  std::vector<Layer> layers;
  Plan plan;
  std::unique_ptr<Chooser> chooser;
};

/// Calibrates and chooses for a model as it is.
Expected<std::unique_ptr<Candidate>> prepare(onnx::ModelProto model, OutsideWeights *outside, bool equalize,
                                             size_t samples, const StaticOptions &options, MakeProgram makeProgram) {
  auto candidate = std::make_unique<Candidate>();
  candidate->model = std::move(model);
  GraphEdit edit(candidate->model, outside);
  candidate->layers = layersOf(edit);
  edit.release();
  if (equalize && !equalizeLayers(edit, candidate->layers))
    return nullptr;
  candidate->plan = makePlan(edit, candidate->layers, std::vector<bool>(candidate->layers.size(), true));
  if (!llvm::is_contained(candidate->plan.layers, true))
    return nullptr;
  options.onPart("collecting ranges", 2 * samples);
  Expected<std::vector<Histogram>> histograms = observe(candidate->model, candidate->plan, samples, makeProgram);
  if (!histograms)
    return histograms.takeError();
  candidate->chooser =
      std::make_unique<Chooser>(edit, candidate->layers, candidate->plan, std::move(*histograms), options);
  if (Error error = candidate->chooser->choose(candidate->model, samples, makeProgram))
    return std::move(error);
  return candidate;
}

/// The better of the model as it is and with its layers equalized.
Expected<std::unique_ptr<Candidate>> better(const onnx::ModelProto &model, OutsideWeights *outside, size_t samples,
                                            const StaticOptions &options, MakeProgram makeProgram, bool &equalized) {
  std::unique_ptr<Candidate> plain;
  if (options.equalization != Choice::On) {
    auto made = prepare(model, outside, false, samples, options, makeProgram);
    if (!made || options.equalization == Choice::Off)
      return made;
    plain = std::move(*made);
  }
  auto other = prepare(model, outside, true, samples, options, makeProgram);
  if (!other)
    return other;
  if (!*other && !plain) // nothing to equalize
    return prepare(model, outside, false, samples, options, makeProgram);
  if (!*other || (plain && plain->chooser->loss() <= (*other)->chooser->loss()))
    return plain;
  equalized = true;
  return other;
}
} // namespace

void reportNothing(Diagnostics &diagnostics) {
  diagnostics.report({Code::NothingToQuantize,
                      "no Conv, ConvTranspose, Gemm or MatMul with float32 weights is in the main graph",
                      {},
                      "--fp16 and --bf16 do models of any operators"});
}

Expected<std::optional<StaticReport>> quantizeStatic(onnx::ModelProto &model, OutsideWeights *outside, size_t samples,
                                                     const StaticOptions &options, MakeProgram makeProgram,
                                                     Diagnostics &diagnostics) {
  StaticReport report;
  auto candidate = better(model, outside, samples, options, makeProgram, report.equalized);
  if (!candidate)
    return candidate.takeError();
  if (!*candidate) {
    reportNothing(diagnostics);
    return std::nullopt;
  }
  Chooser &chooser = *(*candidate)->chooser;
  if (options.sensitivity || options.maxLoss)
    if (Error error = chooser.measureLayers())
      return std::move(error);
  if (options.maxLoss)
    if (Error error = chooser.leaveOut(*options.maxLoss))
      return std::move(error);
  chooser.report(report);
  report.samples = samples;
  model = std::move((*candidate)->model);
  writeQdq(model, (*candidate)->layers, (*candidate)->plan, chooser.setting(), options.grid);
  return report;
}

} // namespace sinter::quantize
