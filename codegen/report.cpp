// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects the facts; report_text.cpp and report_json.cpp print them.
#include "report.h"

#include "dialect.h"
#include "element_text.h"
#include "ir/work.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace sinter {
namespace {

/// The buffer that a view looks at.
Value rootOf(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

int64_t bytesOf(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  return type && type.hasStaticShape() ? type.getNumElements() * memoryBytes(type.getElementType()) : -1;
}

ReportedBuffer describeBuffer(Value value) {
  ReportedBuffer buffer;
  buffer.bytes = bytesOf(value);
  Operation *root = rootOf(value).getDefiningOp();
  if (auto arena = dyn_cast_or_null<ArenaOp>(root)) {
    buffer.place = "arena";
    buffer.offset = static_cast<int64_t>(arena.getOffset());
  } else if (auto constant = dyn_cast_or_null<ConstantOp>(root)) {
    buffer.place = constant.getOffset() ? "weights" : "source"; // strings
    buffer.offset = static_cast<int64_t>(constant.getOffset().value_or(0));
  } else {
    auto input = dyn_cast_or_null<InputOp>(root);
    buffer.place = input                             ? (input.getState() ? "state" : "input")
                   : isa_and_nonnull<OutputOp>(root) ? "output"
                                                     : "carried";
  }
  return buffer;
}

/// Bytes of the arena that are between first and last use of some buffer, at each call.
void findLiveBytes(const KernelList &kernels, Report &report) {
  struct Life {
    size_t first, last;
  };
  DenseMap<Operation *, Life> loops; // their first and last call
  for (auto [i, call] : llvm::enumerate(kernels.calls))
    for (Operation *loop = call.op->getParentOfType<LoopLikeOpInterface>(); loop;
         loop = loop->getParentOfType<LoopLikeOpInterface>())
      loops.try_emplace(loop, Life{i, i}).first->second.last = i;
  llvm::MapVector<Operation *, Life> lives;
  for (auto [i, call] : llvm::enumerate(kernels.calls))
    for (Value operand : call.op->getOperands())
      if (Operation *root = rootOf(operand).getDefiningOp(); isa_and_nonnull<ArenaOp>(root)) {
        Life use{i, i};
        for (auto &[loop, life] : loops)
          if (loop->isProperAncestor(call.op) && !loop->isProperAncestor(root))
            use = {std::min(use.first, life.first), std::max(use.last, life.last)};
        auto [it, isNew] = lives.insert({root, use});
        it->second = {std::min(it->second.first, use.first), std::max(it->second.last, use.last)};
      }
  for (size_t i = 0; i < kernels.calls.size(); ++i) {
    std::vector<std::pair<int64_t, int64_t>> ranges;
    for (auto &[op, life] : lives)
      if (life.first <= i && i <= life.last) {
        auto arena = cast<ArenaOp>(op);
        auto offset = static_cast<int64_t>(arena.getOffset());
        ranges.emplace_back(offset, offset + static_cast<int64_t>(arena.getBytes()));
      }
    llvm::sort(ranges);
    int64_t end = 0, live = 0;
    for (auto [from, to] : ranges) {
      live += std::max<int64_t>(0, to - std::max(from, end));
      end = std::max(end, to);
    }
    report.calls[i].liveBytes = live;
  }
}

} // namespace

Report makeReport(const KernelList &kernels, std::optional<int64_t> modelMacs) {
  Report report;
  Work work;
  llvm::DenseSet<int64_t> countedOffsets;
  for (const KernelCall &call : kernels.calls) {
    ReportedCall facts;
    auto dps = cast<DestinationStyleOpInterface>(call.op);
    for (Value input : dps.getDpsInputs()) {
      if (!isa<MemRefType>(input.getType()))
        continue;
      facts.inputs.push_back(describeBuffer(input));
      if (auto constant = rootOf(input).getDefiningOp<ConstantOp>(); constant && constant.getOffset()) {
        int64_t bytes = bytesOf(constant.getResult());
        facts.weightBytes += bytes;
        if (countedOffsets.insert(static_cast<int64_t>(*constant.getOffset())).second) {
          std::string type;
          llvm::raw_string_ostream(type) << cast<MemRefType>(constant.getType()).getElementType();
          report.weightBytesByType[type] += bytes;
        }
      }
    }
    for (Value output : dps.getDpsInits())
      facts.outputs.push_back(describeBuffer(output));
    facts.repeats = work.repeatsOf(call.op);
    facts.macs = work.macsOf(call.op);
    report.macs += facts.macs * facts.repeats;
    report.copies += call.kind == "copy";
    ++report.callsByKernel[call.kind];
    report.calls.push_back(std::move(facts));
  }
  if (modelMacs)
    report.macs = *modelMacs;
  findLiveBytes(kernels, report);
  return report;
}

} // namespace sinter
