// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The way from node IR to planned IR, to be read from top to bottom. A pass is a function in the file of its name.
#include "pipeline.h"

#include "passes/tiling/support/row_tile_limits.h"

using namespace mlir;

namespace sinter {
namespace {

/// While the structure of the ONNX graph is still visible; then comes convert-nodes.
constexpr StringRef onNodes[] = {
    "drop-identities",     // patterns are as short as they look
    "recognize-attention", // what exporters spell in many nodes is one
    "recognize-norms",     //
    "recognize-gelu",      //
    "scatter-in-place",    // before conversion, which asks what is a state
    "raise-quantizations", // towards what computes, so that integers are moved
    "recognize-quantized", // operators of integers, as onnxruntime rounds them
};

/// On values: less work, in fewer ops.
constexpr StringRef onTensors[] = {
    "simplify",
    "drop-empty-tensors", // passes meet none
    "fold-constants",
    "scatters-as-inserts",  // indices of exporters are known by now
    "fold-comparisons",     // masks that hide nothing are known to
    "check-assertions",     // operands fit each other, as far as that is known now
    "drop-empty-tensors",   // those that only folding shows
    "raise-slices",         // positions that nobody reads are not computed
    "remove-dead-channels", // less work, exactly the same results
    "fuse-quantized",       // what is quantized lies in memory as integers
    "fold-pads",
    "fold-scales",      // padding and normalization vanish in the contraction beside them
    "order-channels",   // shuffles and splits go into weights
    "raise-transposes", // towards ops that can write in another order
    "split-words",      // sums of bytes go in 32 bits
    "choose-layouts",   // feature maps as kernels want them
    "simplify",
    "fuse-epilogues", // what follows a contraction runs on its accumulators
    "intform",        // one rounding, one factor, one clamp: sinter.requantize
    "fit-integers",   // what reads two bytes needs no floats
    "fit-signs",      // no byte is flipped that the net makes; before zero points meet weights
    "pack-integers",
    "pack-weights",
    "look-up-packed", // in what products read, where that is the same matrix
    "lower-layouts",
    "transposes-as-views",
    "fuse-elementwise", // values pass from op to op in registers
    "simplify",
    "narrow-masks",      // whose bodies are whole by now
    "fuse-epilogues",    // what read a contraction twice is one op by now
    "merge-scalars",     // bodies and epilogues hold all steps of an activation
    "byte-tables",       // activations of bytes, where a load is cheaper
    "requantize-fixed",  // no floats in quantized nets, where there is no FPU
    "tabulate-softmax",  // nor in their last step
    "tile-rows",         // feature maps between convolutions stay small
    "pack-dual",         // for Cortex-M: weights and epilogues in one
    "round-to-integers", // rounding and conversion in one
    "expand-requantize", // what is left of quantization is scalar operations
    "narrow-indices",    // as many in a vector as of elements
    "outline-constants", // what is known now is computed now
    "share-weights",
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
    "note-values",             // which value each operand means
    "bufferize",               //
    "drop-copies",             // what bufferization could not see
    "gather-operands",         // views with gaps, for kernels that need them dense
    "fill-halos",              // of padded maps only the padding
    "space-rows",              // for products of many
    "bind-states",             // one buffer for what is carried from call to call
    "io-in-arena",             // --io-in-arena
    "place-on-host",           // of a GPU's program, what is no kernel
    "choose-kernels",          // as operands lie
    "share-reductions",        // few results by many threads
    "fuse-reductions",         // launches of a GPU are few: ops that can share one do
    "fuse-inverted-residuals", //
    "launch-in-turn",          //
    "launch-side-by-side",
    "tiles-of-launches",   // together they fill more of the GPU
    "norms-into-products", // of all products that share one, so behind
    "slice-contractions",  // of those that are left alone
    "place-scratch",       // what kernels need beside inputs and outputs
    "buffers-of-bands",    // all of it, for threads that run side by side
    "check-values",        // on every compile: it still is that value
    "check-strides",       // on every compile: where operands lie, kernels can go along them
    "plan-memory",         //
    "check-plan",          // on every compile
};

/// Of these, what puts operands in the order of a CPU's kernels, or chains rows through its caches.
constexpr StringRef forCpus[] = {"byte-tables", "tile-rows", "pack-dual"};

LogicalResult runAll(ArrayRef<StringRef> passes, ModuleOp module, PassRunner &runner) {
  for (StringRef name : passes)
    if (failed(runner.run(name, module)))
      return failure();
  return success();
}

/// --fit ram: the way to make row tiles whose plan is the smallest. `rest`: the passes that a plan takes, and more.
void chooseRowTiling(ModuleOp module, ArrayRef<StringRef> rest, PassRunner &runner) {
  if (runner.context.fit != Fit::Ram || runner.context.rowTilingBudget.bytes)
    return;
  rest = rest.take_front(llvm::find(rest, "plan-memory") - rest.begin() + 1);
  const RowTilingWay given{runner.context.fit, runner.context.rowTilingBudget};
  auto go = [&](const RowTilingWay &way) {
    runner.context.fit = way.fit;
    runner.context.rowTilingBudget = way.budget;
  };
  auto plan = [&](ModuleOp copy, const RowTilingWay &way) {
    go(way);
    return runAll(rest, copy, runner);
  };
  std::optional<RowTilingWay> best;
  runner.onCopies([&] { best = bestRowTiling(module, runner.context.target, runner.context.threads, plan); });
  go(best.value_or(given));
  noteContext(module, runner.context);
}

} // namespace

ArrayRef<FitMode> fitModes() {
  static constexpr FitMode modes[] = {{"balanced", Fit::Balanced}, {"speed", Fit::Speed}, {"ram", Fit::Ram}};
  return modes;
}

LogicalResult simplifyNodes(ModuleOp module, PassRunner &runner) { return runAll(onNodes, module, runner); }

LogicalResult compileToPlannedIR(ModuleOp module, const PipelineOptions &options, PassRunner &runner) {
  if (options.ioInArena)
    module->setAttr("sinter.io_in_arena", UnitAttr::get(module.getContext()));
  if (!options.ram.empty())
    setArenas(module, options.ram);
  SmallVector<StringRef> passes;
  for (ArrayRef<StringRef> stage : {ArrayRef(onTensors), ArrayRef(destinations), ArrayRef(memory)})
    llvm::copy_if(stage, std::back_inserter(passes),
                  [&](StringRef name) { return !runner.context.target.isGpu() || !llvm::is_contained(forCpus, name); });
  for (const auto &[i, name] : llvm::enumerate(passes)) {
    if (name == "tile-rows" && !runner.isDisabled(name))
      chooseRowTiling(module, ArrayRef(passes).drop_front(i), runner);
    if (failed(runner.run(name, module)))
      return failure();
  }
  return success();
}

} // namespace sinter
