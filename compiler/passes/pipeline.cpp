// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The way from tensor IR to planned IR, to be read from top to bottom. A pass is a function in the file of its name.
#include "pipeline.h"

#include "passes.h"
#include "stripe_limits.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace sinter {
namespace {

/// On values: less work, in fewer ops.
constexpr StringRef onTensors[] = {
    "simplify",
    "drop-empty-tensors", // passes meet none
    "fold-constants",
    "remove-dead-channels", // less work, exactly the same results
    "fuse-quantized",       // what is quantized lies in memory as integers
    "fold-pads",
    "fold-scales",      // padding and normalization vanish in the product beside them
    "raise-transposes", // towards ops that can write in another order
    "choose-layouts",   // feature maps as kernels want them
    "simplify",
    "fuse-epilogues", // what follows a product runs on its accumulators
    "intform",        // one rounding, one factor, one clamp
    "fit-integers",   // what reads two bytes needs no floats
    "pack-integers",
    "pack-weights",
    "lower-layouts",
    "transposes-as-views",
    "fuse-elementwise", // values pass from op to op in registers
    "simplify",
    "fuse-epilogues",    // what read a product twice is one op by now
    "byte-tables",       // activations of bytes, where a load is cheaper
    "requantize-fixed",  // no floats in quantized nets, where there is no FPU
    "tabulate-softmax",  // nor in their last step
    "stripe-chains",     // feature maps between convolutions stay small
    "pack-dual",         // for Cortex-M: weights and epilogues in one
    "round-to-integers", // rounding and conversion in one
    "outline-constants", // what is known now is computed now
};

/// Where results go: after these, one-shot bufferization has little left to copy.
constexpr StringRef destinations[] = {
    "simplify",
    "place-outputs",      // results are written where the caller wants them
    "unshare-inits",      // every op has a destination of its own
    "place-concats",      // parts are written where they belong
    "place-inserts",      // so is what gets a padding
    "reuse-inits",        // state of loops is updated in place
    "place-yields",       // what loops carry and choices give stays in one buffer
    "place-destinations", // what is copied somewhere is made there
};

/// Tensors become buffers, buffers get places.
constexpr StringRef memory[] = {
    "note-values",     // which value each operand means
    "bufferize",       //
    "drop-copies",     // what bufferization could not see
    "gather-operands", // views with gaps, for kernels that need them dense
    "fill-frames",     // of padded maps only the padding
    "bind-states",     // one buffer for what is carried from call to call
    "io-in-arena",     // --io-in-arena
    "place-scratch",   // what kernels need beside inputs and outputs
    "check-values",    // on every compile: it still is that value
    "check-strides",   // on every compile: where operands lie, kernels can go along them
    "plan-memory",     //
    "check-plan",      // on every compile
};

LogicalResult run(ModuleOp module, StringRef name, const PipelineOptions &options) {
  const PassInfo *pass = findPass(name);
  if (pass->optional && llvm::is_contained(options.disabledPasses, name))
    return success();
  LogicalResult result = pass->run(module);
  if (options.observe && succeeded(result))
    options.observe(name, module);
  if (llvm::is_contained(options.dumpAfter, name) || llvm::is_contained(options.dumpAfter, "all")) {
    raw_ostream &out = options.dumpStream ? *options.dumpStream : llvm::errs();
    out << "// after " << name << "\n";
    OpPrintingFlags flags;
    flags.elideLargeElementsAttrs(16).elideLargeResourceString(64);
    module->print(out, flags);
    out << "\n";
  }
  return result;
}

/// Up to the plan, unobserved.
LogicalResult plan(ModuleOp module, ArrayRef<StringRef> passes, PipelineOptions options) {
  options.dumpAfter.clear();
  options.observe = nullptr;
  for (StringRef name : passes) {
    if (failed(run(module, name, options)))
      return failure();
    if (name == "plan-memory")
      break;
  }
  return success();
}

} // namespace

ArrayRef<FitMode> fitModes() {
  static constexpr FitMode modes[] = {{"balanced", Fit::Balanced}, {"speed", Fit::Speed}, {"ram", Fit::Ram}};
  return modes;
}

std::optional<std::string> checkOptions(const PipelineOptions &options) {
  for (const std::string &name : options.disabledPasses) {
    const PassInfo *pass = findPass(name);
    if (!pass)
      return "no pass is called '" + name + "'";
    if (!pass->optional)
      return "the pass '" + name + "' cannot be switched off: later steps need what it does";
  }
  for (const std::string &name : options.dumpAfter)
    if (name != "all" && !findPass(name))
      return "no pass is called '" + name + "'";
  return std::nullopt;
}

LogicalResult compileToPlannedIR(ModuleOp module, const PipelineOptions &options) {
  if (options.ioInArena)
    module->setAttr("sinter.io_in_arena", UnitAttr::get(module.getContext()));
  if (options.foldSteps)
    module->setAttr("sinter.fold_steps",
                    IntegerAttr::get(IntegerType::get(module.getContext(), 64), *options.foldSteps));
  if (options.stripeBytes)
    module->setAttr("sinter.stripe_bytes",
                    IntegerAttr::get(IntegerType::get(module.getContext(), 64), *options.stripeBytes));
  if (!options.ram.empty())
    setRegions(module, options.ram);
  if (options.fit != Fit::Balanced)
    module->setAttr("sinter.fit", StringAttr::get(module.getContext(), options.fit == Fit::Ram ? "ram" : "speed"));
  if (options.requant == Requant::Fixed)
    module->setAttr("sinter.requant", StringAttr::get(module.getContext(), "fixed"));
  SmallVector<StringRef> passes;
  for (ArrayRef<StringRef> stage : {ArrayRef(onTensors), ArrayRef(destinations), ArrayRef(memory)})
    llvm::append_range(passes, stage);
  for (const auto &[i, name] : llvm::enumerate(passes)) {
    if (name == "stripe-chains" && !llvm::is_contained(options.disabledPasses, name))
      tryStripeLimits(module,
                      [&, rest = ArrayRef(passes).drop_front(i)](ModuleOp copy) { return plan(copy, rest, options); });
    if (failed(run(module, name, options)))
      return failure();
  }
  return success();
}

} // namespace sinter
