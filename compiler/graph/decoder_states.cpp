// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An output of floats depends on its state, which is of the same type and the same sizes; where it depends on several,
// as those of all layers below, names tell which it is. Of a model that takes one token in each call other tensors have
// such sizes, too: rows of embeddings and masks, which say what they are.
#include "graph/decoder_states.h"

#include "graph/node_match.h"

using namespace mlir;

namespace sinter {
namespace {

/// Floats of one size in each call, but for the batch, which is first.
bool isState(const DecoderTensor &tensor) {
  return tensor.hasShape && isa<FloatType>(tensor.element) && tensor.sizes.size() >= 2 &&
         llvm::all_of(ArrayRef(tensor.sizes).drop_front(), [](int64_t size) { return size > 0; });
}

/// A dim of an output that no input names says nothing: exporters call it after the node that makes it.
bool isNamedByInput(StringRef symbol, func::FuncOp main) {
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    if (llvm::is_contained(decoderInput(main, i).symbols, symbol))
      return true;
  return false;
}

/// Whether an output may have the sizes of a state, as far as these are stated.
bool fits(const DecoderTensor &output, const DecoderTensor &state, func::FuncOp main) {
  if (!output.hasShape || output.element != state.element || output.sizes.size() != state.sizes.size())
    return false;
  for (size_t i = 0; i < state.sizes.size(); ++i) {
    bool isOpen = output.sizes[i] < 0 && !isNamedByInput(output.symbols[i], main);
    if (!isOpen && (output.sizes[i] != state.sizes[i] || output.symbols[i] != state.symbols[i]))
      return false;
  }
  return true;
}

bool saysNoState(StringRef name) { return name.contains_insensitive("embed") || name.contains_insensitive("mask"); }

} // namespace

llvm::SmallSetVector<unsigned, 8> argumentsOf(Value value, func::FuncOp main, size_t &budget) {
  llvm::SmallSetVector<unsigned, 8> arguments;
  llvm::DenseSet<Value> seen;
  std::vector<Value> waiting = {value};
  while (!waiting.empty() && budget > 0) {
    Value next = waiting.back();
    waiting.pop_back();
    if (!seen.insert(next).second)
      continue;
    --budget;
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      if (argument.getOwner()->getParentOp() == main)
        arguments.insert(argument.getArgNumber());
    } else if (!producer(next, "Shape")) {
      next.getDefiningOp()->walk([&](Operation *op) { llvm::append_range(waiting, op->getOperands()); });
    }
  }
  return arguments;
}

void addStates(func::FuncOp main, std::vector<DecoderCache> &caches, size_t budget) {
  constexpr size_t leastLikeness = 2;
  llvm::DenseSet<unsigned> inputs, outputs;
  for (const DecoderCache &cache : caches) {
    inputs.insert(cache.input);
    outputs.insert(cache.output);
  }
  Operation *end = main.getBody().front().getTerminator();
  for (unsigned i = 0; i < end->getNumOperands(); ++i) {
    DecoderTensor output = decoderOutput(main, i);
    if (outputs.contains(i) || !isa<FloatType>(output.element))
      continue;
    std::optional<unsigned> best;
    size_t most = leastLikeness - 1;
    for (unsigned argument : argumentsOf(end->getOperand(i), main, budget)) {
      DecoderTensor input = decoderInput(main, argument);
      size_t like = likeness(input.name, output.name);
      if (like > most && !inputs.contains(argument) && isState(input) && !saysNoState(input.name) &&
          fits(output, input, main) && !isPassedOn(end->getOperand(i), main.getArgument(argument)))
        std::tie(best, most) = std::pair(argument, like);
    }
    if (!best)
      continue;
    inputs.insert(*best);
    caches.push_back({*best, i, decoderInput(main, *best).name, output.name, CacheKind::Whole, 0});
  }
}

} // namespace sinter
