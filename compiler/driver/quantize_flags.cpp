// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checking of quantize's flags.
#include "driver/quantize_flags.h"

#include "driver/version.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace sinter {
namespace {
using quantize::Calibration;
using quantize::Choice;

bool fail(const Twine &message, const Twine &hint = "") {
  printError(message, hint);
  return false;
}

bool parseChoice(StringRef flag, StringRef text, Choice &choice) {
  if (text != "auto" && text != "on" && text != "off")
    return fail("--" + flag + " " + text + " is none of auto, on, off");
  choice = text == "auto" ? Choice::Auto : text == "on" ? Choice::On : Choice::Off;
  return true;
}

bool parseCalibration(StringRef text, quantize::StaticOptions &options) {
  auto [method, percent] = text.split('=');
  options.calibration = llvm::StringSwitch<std::optional<Calibration>>(method)
                            .Case("minmax", Calibration::MinMax)
                            .Case("percentile", Calibration::Percentile)
                            .Case("entropy", Calibration::Entropy)
                            .Case("mse", Calibration::Mse)
                            .Default(std::nullopt);
  if (!options.calibration && method != "best")
    return fail("--calibrate " + text + " is none of best, minmax, percentile[=P], entropy, mse");
  if (!text.contains('='))
    return true;
  if (options.calibration != Calibration::Percentile || percent.getAsDouble(options.percent) ||
      !(options.percent > 50 && options.percent <= 100))
    return fail("--calibrate " + text + ": only percentile takes a number, above 50 and up to 100");
  return true;
}

bool parseWeightsOnly(StringRef text, quantize::WeightsOnly &form) {
  auto [type, block] = text.split(':');
  if (type != "int8" && type != "int4")
    return fail("--weights-only " + text + " is none of int8, int4, int8:N, int4:N");
  form.bits = type == "int8" ? 8 : 4;
  form.block = type == "int8" ? 0 : 32;
  if (text.contains(':') && (block.getAsInteger(10, form.block) || form.block < 1))
    return fail("--weights-only " + text + ": a block has at least one weight");
  return true;
}
} // namespace

bool QuantizeFlags::check(quantize::StaticOptions &options, quantize::WeightsOnly &form) const {
  if (dynamic + !weightsOnly.empty() + fp16 + bf16 > 1)
    return fail("--dynamic, --weights-only, --fp16 and --bf16 exclude each other");
  if (!weightsOnly.empty() && !parseWeightsOnly(weightsOnly, form))
    return false;
  if (!parseCalibration(calibrate, options) ||
      !parseChoice("bias-correction", biasCorrection, options.biasCorrection) ||
      !parseChoice("equalize", equalize, options.equalization))
    return false;
  if (activations != "int8" && activations != "uint8")
    return fail("--activations " + activations + " is none of int8, uint8");
  if (activations == "uint8")
    options.grid = {0, 255, false};
  options.grid.symmetric = symmetric;
  options.perChannel = !perTensor;
  options.sensitivity = sensitivity;
  if (maxLoss.getNumOccurrences()) {
    if (!(maxLoss >= 0))
      return fail("--max-loss is below zero");
    options.maxLoss = maxLoss;
  }
  options.trialSamples = trialSamples;
  if (data.empty() && isStatic())
    return fail("no samples are given",
                "--data FOLDER names a folder with some of the model's inputs; --dynamic and --weights-only need none");
  if (!data.empty() && !sys::fs::is_directory(data))
    return fail("--data " + data + " is not a folder");
  if (StringRef(report).contains('/'))
    return fail("--report " + report + " is not the name of a file: it lies beside the model");
  return true;
}

bool QuantizeFlags::toJob(CompileJob &job) const {
  if (!toImport(job))
    return false;
  std::string problem;
  std::optional<Target> host = findTarget("host", problem);
  if (!host)
    return fail(problem);
  job.codegen.target = *host;
  job.codegen.threads = threads;
  job.codegen.compiler = std::string("sinter ") + version();
  return true;
}

} // namespace sinter
