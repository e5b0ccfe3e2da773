// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a call writes to each state: of a cache that is only appended to its new rows, of one that is made anew all of
// it. So a decoder's report says whether each token moves the whole cache.
#include "codegen/report/report.h"
#include "dialect.h"
#include "ir/dim_bounds.h"
#include "ir/work.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;

namespace sinter {
namespace {

/// Bytes of the largest that a buffer can be; nothing where it has no bound.
std::optional<int64_t> mostBytesOf(DimBounds &bounds, Value buffer) {
  std::optional<int64_t> elements = bounds.maxElements(buffer);
  if (!elements)
    return std::nullopt;
  return *elements * memoryBytes(cast<MemRefType>(buffer.getType()).getElementType());
}

/// The input that a buffer is a part of, or nothing. Before it is written and behind that a state is an op each.
std::optional<size_t> inputOf(Value buffer) {
  auto input = bufferOf(buffer).getDefiningOp<InputOp>();
  return input ? std::optional<size_t>(input.getIndex()) : std::nullopt;
}

/// What an op writes of an output: of a scatter into the tensor that it scatters to, the updates.
Value writtenBy(DestinationStyleOpInterface op, Value output) {
  constexpr size_t updates = 2; // behind the data and the places
  auto kernel = dyn_cast<KernelOp>(op.getOperation());
  bool isInPlace = kernel && kernel.isScatter() && inputOf(kernel.getInputs().front()) == inputOf(output);
  return isInPlace ? kernel.getInputs()[updates] : output;
}

} // namespace

std::vector<ReportedState> findStates(ArrayRef<PrintedCall> calls, const Interface &interface) {
  std::vector<ReportedState> states;
  DimBounds bounds;
  Work work;
  for (auto [i, tensor] : llvm::enumerate(interface.inputs)) {
    if (!tensor.isState())
      continue;
    ReportedState &state = states.emplace_back(ReportedState{i, 0});
    for (const PrintedCall &call : calls) {
      auto op = cast<DestinationStyleOpInterface>(call.op);
      for (Value output : op.getDpsInits()) {
        if (inputOf(output) != i)
          continue;
        std::optional<int64_t> bytes = mostBytesOf(bounds, writtenBy(op, output));
        state.written =
            bytes && state.written ? std::optional(*state.written + *bytes * work.repeatsOf(call.op)) : std::nullopt;
      }
    }
  }
  return states;
}

} // namespace sinter
