// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects the facts; report_text.cpp and report_json.cpp print them.
#include "report.h"

#include "codegen/text/element_text.h"
#include "dialect.h"
#include "ir/work.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace sinter {
namespace {

int64_t valueBytesOf(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  return type && type.hasStaticShape() ? type.getNumElements() * memoryBytes(type.getElementType()) : -1;
}

/// In one block of memory for all regions.
int64_t offsetOf(ArenaOp arena, const Interface &interface) {
  const InterfaceRegion *region = interface.regionOf(spaceOf(arena.getType()));
  return static_cast<int64_t>(arena.getOffset()) + (region ? region->begin : 0);
}

ReportedBuffer describeBuffer(Value value, const Interface &interface) {
  ReportedBuffer buffer;
  buffer.bytes = valueBytesOf(value);
  buffer.type = cast<MemRefType>(value.getType());
  Operation *root = bufferOf(value).getDefiningOp();
  if (auto arena = dyn_cast_or_null<ArenaOp>(root)) {
    buffer.place = "arena";
    buffer.offset = offsetOf(arena, interface);
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

std::string typeText(Value value) {
  std::string text;
  llvm::raw_string_ostream out(text);
  auto type = cast<MemRefType>(value.getType());
  for (int64_t size : type.getShape())
    (ShapedType::isDynamic(size) ? out << "?" : out << size) << "x";
  out << reportText(type.getElementType());
  return text;
}

/// Operands, and what the body reads at places of its own.
SmallVector<Value> buffersOf(Operation *call) {
  SmallVector<Value> buffers(call->getOperands());
  call->walk([&](memref::LoadOp load) { buffers.push_back(load.getMemRef()); });
  return buffers;
}

/// Which buffers of the arena each call needs, from their first use to their last.
class ArenaUse {
public:
  ArenaUse(const KernelList &kernels, const Interface &interface) : kernels(kernels), interface(interface) {
    if (kernels.calls.empty())
      return;
    DenseMap<Operation *, Life> loops; // their first and last call
    for (auto [i, call] : llvm::enumerate(kernels.calls))
      for (Operation *loop = call.op->getParentOfType<LoopLikeOpInterface>(); loop;
           loop = loop->getParentOfType<LoopLikeOpInterface>())
        loops.try_emplace(loop, Life{i, i, i}).first->second.last = i;
    for (auto [i, call] : llvm::enumerate(kernels.calls))
      for (Value operand : buffersOf(call.op))
        if (Operation *root = bufferOf(operand).getDefiningOp(); isa_and_nonnull<ArenaOp>(root)) {
          Life use{i, i, i};
          for (auto &[loop, life] : loops)
            if (loop->isProperAncestor(call.op) && !loop->isProperAncestor(root))
              use = {std::min(use.first, life.first), std::max(use.last, life.last), i};
          auto [it, isNew] = lives.insert({root, use});
          it->second = {std::min(it->second.first, use.first), std::max(it->second.last, use.last), it->second.maker};
        }
    kernels.calls.front().op->getParentOfType<mlir::func::FuncOp>().walk([&](ArenaOp arena) { // --io-in-arena
      if (arena->hasAttr("sinter.input"))
        lives.insert({arena, {0, 0, 0}}).first->second.first = 0;
      else if (arena->hasAttr("sinter.output"))
        lives.insert({arena, {kernels.calls.size() - 1, 0, 0}}).first->second.last = kernels.calls.size() - 1;
    });
  }

  /// Bytes; buffers that share some count once.
  int64_t bytesAt(size_t call) const {
    std::vector<std::pair<int64_t, int64_t>> ranges;
    for (ArenaOp arena : buffersAt(call)) {
      int64_t offset = offsetOf(arena, interface);
      ranges.emplace_back(offset, offset + static_cast<int64_t>(arena.getBytes()));
    }
    llvm::sort(ranges);
    int64_t end = 0, live = 0;
    for (auto [from, to] : ranges) {
      live += std::max<int64_t>(0, to - std::max(from, end));
      end = std::max(end, to);
    }
    return live;
  }

  std::vector<LiveTensor> tensorsAt(size_t call) const {
    std::vector<LiveTensor> tensors;
    for (ArenaOp arena : buffersAt(call))
      tensors.push_back(describe(arena));
    llvm::stable_sort(tensors, [](const LiveTensor &a, const LiveTensor &b) { return a.bytes > b.bytes; });
    return tensors;
  }

  std::vector<LiveTensor> allTensors() const {
    std::vector<LiveTensor> tensors;
    for (const auto &[op, life] : lives)
      tensors.push_back(describe(cast<ArenaOp>(op)));
    return tensors;
  }

  /// The hottest first.
  std::vector<LiveTensor> tensorsIn(const InterfaceRegion &region) const {
    std::vector<LiveTensor> tensors;
    for (const auto &[op, life] : lives)
      if (interface.regionOf(spaceOf(cast<ArenaOp>(op).getType())) == &region)
        tensors.push_back(describe(cast<ArenaOp>(op)));
    auto heat = [](const LiveTensor &tensor) {
      return static_cast<double>(tensor.accesses) / static_cast<double>(std::max<int64_t>(tensor.bytes, 1));
    };
    llvm::stable_sort(tensors, [&](const LiveTensor &a, const LiveTensor &b) { return heat(a) > heat(b); });
    return tensors;
  }

private:
  struct Life {
    size_t first, last;
    size_t maker; ///< the first call that touches it; a loop around that needs it before
  };

  LiveTensor describe(ArenaOp arena) const {
    auto accesses = arena->getAttrOfType<IntegerAttr>("sinter.accesses");
    const Life &life = lives.find(arena)->second;
    return {offsetOf(arena, interface),
            static_cast<int64_t>(arena.getBytes()),
            typeText(arena.getResult()),
            arena->hasAttr("sinter.input") ? "the input" : kernels.calls[life.maker].nodes,
            accesses ? accesses.getInt() : 0,
            life.first,
            life.last};
  }

  std::vector<ArenaOp> buffersAt(size_t call) const {
    std::vector<ArenaOp> buffers;
    for (const auto &[op, life] : lives)
      if (life.first <= call && call <= life.last)
        buffers.push_back(cast<ArenaOp>(op));
    return buffers;
  }

  const KernelList &kernels;
  const Interface &interface;
  llvm::MapVector<Operation *, Life> lives;
};

void findLiveBytes(const KernelList &kernels, const Interface &interface, Report &report) {
  ArenaUse use(kernels, interface);
  for (size_t i = 0; i < kernels.calls.size(); ++i) {
    report.calls[i].liveBytes = use.bytesAt(i);
    if (report.calls[i].liveBytes > report.calls[report.peakCall].liveBytes)
      report.peakCall = i;
  }
  if (!kernels.calls.empty())
    report.liveAtPeak = use.tensorsAt(report.peakCall);
  report.buffers = use.allTensors();
  for (const InterfaceRegion &region : interface.regions)
    report.regions.push_back({region, use.tensorsIn(region)});
}

} // namespace

Report makeReport(const KernelList &kernels, const Interface &interface, ArrayRef<PrintedProgram> programs) {
  ModuleOp planned = programs.front().module;
  Report report;
  report.callsAtAllSizes = programs.front().callCount;
  Work work;
  llvm::DenseSet<int64_t> countedOffsets;
  for (const PrintedCall &call : kernels.calls) {
    ReportedCall facts;
    facts.candidates = call.op->getAttrOfType<CandidatesAttr>("candidates");
    auto dps = cast<DestinationStyleOpInterface>(call.op);
    for (Value input : dps.getDpsInputs()) {
      if (!isa<MemRefType>(input.getType()))
        continue;
      facts.inputs.push_back(describeBuffer(input, interface));
      if (auto constant = bufferOf(input).getDefiningOp<ConstantOp>(); constant && constant.getOffset()) {
        int64_t bytes = valueBytesOf(constant.getResult());
        facts.weightBytes += bytes;
        if (countedOffsets.insert(static_cast<int64_t>(*constant.getOffset())).second) {
          report.weightBytesByType[reportText(cast<MemRefType>(constant.getType()).getElementType())] += bytes;
          facts.ownWeightBytes += bytes;
        }
      }
    }
    for (auto [output, value] : llvm::zip(dps.getDpsInits(), call.values)) {
      facts.outputs.push_back(describeBuffer(output, interface));
      facts.outputs.back().value = value;
    }
    facts.repeats = work.repeatsOf(call.op);
    facts.macs = work.macsOf(call.op);
    facts.iterations = work.iterationsOf(call.op);
    facts.isBounded = !call.op->getParentOfType<scf::WhileOp>();
    report.macs += facts.macs * facts.repeats;
    if (call.kind == "copy")
      report.copies.push_back({report.calls.size(), reasonOfCopy(call.op)});
    report.attentions += StringRef(call.kind).starts_with("attention");
    report.norms += StringRef(call.kind).contains("norm");
    ++report.callsByKernel[call.kind];
    report.calls.push_back(std::move(facts));
  }
  auto counted = [&](StringRef name, int64_t otherwise) {
    auto attribute = planned->getAttrOfType<IntegerAttr>(name);
    return attribute ? attribute.getInt() : otherwise;
  };
  report.macs = counted("sinter.macs", report.macs);
  report.removedChannels = counted("sinter.removed_channels", 0);
  report.macsLeft = counted("sinter.macs_left", report.macs);
  if (auto work = planned.lookupSymbol("main")->getAttrOfType<FloatAttr>("sinter.row_tiling_work"))
    report.rowTilingWork = work.getValueAsDouble();
  for (const PrintedProgram &printed : programs.drop_front()) {
    ReportedProgram &program = report.otherPrograms.emplace_back(ReportedProgram{
        printed.cpu, printed.sizes, printed.onlyStates, printed.firstCall, printed.callCount, printed.arenaBytes});
    for (const ReportedCall &call : ArrayRef(report.calls).slice(program.firstCall, program.callCount))
      program.ownWeightBytes += call.ownWeightBytes;
  }
  report.quantizedFloats = findQuantizedFloats(ArrayRef(kernels.calls).take_front(report.callsAtAllSizes), interface);
  report.states = findStates(ArrayRef(kernels.calls).take_front(report.callsAtAllSizes), interface);
  findLiveBytes(kernels, interface, report);
  return report;
}

ArenaPeak describePeak(const Report &report, const Interface &interface, const KernelList &kernels) {
  ArenaPeak peak;
  peak.arenaBytes = interface.arenaBytes;
  peak.regions.assign(interface.regions.begin(), interface.regions.end());
  auto firstOf = [](StringRef nodes) { return nodes.split('\n').first; };
  if (!kernels.calls.empty()) {
    const PrintedCall &call = kernels.calls[report.peakCall];
    peak.call = (kernels.functions[call.function].name.text() + " (" + firstOf(call.nodes) + ")").str();
  }
  constexpr size_t shown = 5;
  for (const LiveTensor &tensor : ArrayRef(report.liveAtPeak).take_front(shown))
    peak.tensors += (peak.tensors.empty() ? "" : ", ") + std::to_string(tensor.bytes) + " bytes of " +
                    firstOf(tensor.nodes).str() + " (" + tensor.type + ")";
  return peak;
}

} // namespace sinter
