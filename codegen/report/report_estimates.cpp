// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Estimated times in the report of a CPU's program: what each call does goes into numbers, kernels/kernel_time.h makes
// a time of them by what the target says of its machine. Of a GPU: device_time.cpp.
#include "report.h"

#include "dialect.h"
#include "kernels/cycles.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace sinter {
namespace {

/// Operations that a step of a template's own loop takes, as far as nothing tells.
constexpr double kUsualSteps = 4;
/// Those of a function that runtime-lite computes by polynomials.
constexpr double kOfFunction = 16;

/// Of the innermost loop's body: one for each element that is read or written, and one for each thing that is done.
double operationsIn(Operation *op) {
  if (auto launch = dyn_cast<LaunchOp>(op)) { // a reduction, with what it starts from
    double most = 0;
    for (linalg::GenericOp nest : launch.getBody().getOps<linalg::GenericOp>())
      most = std::max(most, operationsIn(nest));
    return most;
  }
  auto nest = dyn_cast<linalg::GenericOp>(op);
  if (!nest)
    return kUsualSteps;
  double count = static_cast<double>(nest->getNumOperands());
  nest.getBody()->walk([&](Operation *each) {
    bool isFunction = isa<ApplyOp>(each) || each->getName().getDialectNamespace() == "math";
    count += isFunction ? kOfFunction : each->hasTrait<OpTrait::IsTerminator>() ? 0 : 1;
  });
  return count;
}

double cyclesOf(Operation *op, const ReportedCall &facts, const Target &target) {
  if (facts.candidates)
    for (CandidateAttr candidate : facts.candidates.getAll())
      if (FloatAttr estimate = candidate.getEstimate(); estimate && candidate.getAnswer() == "taken")
        return estimate.getValueAsDouble();
  if (facts.macs > 0)
    return static_cast<double>(facts.macs) * cyclesPerMac(target);
  double rate = target.vectorRegisters ? static_cast<double>(target.lanes()) : 1;
  return static_cast<double>(facts.iterations) * operationsIn(op) / (rate * target.machine.scalarsPerCycle);
}

/// Nothing where sizes are known at run time only.
std::optional<KernelLoad> loadOf(Operation *op, const ReportedCall &facts, const Target &target) {
  KernelLoad load;
  for (const auto *side : {&facts.inputs, &facts.outputs})
    for (const ReportedBuffer &buffer : *side) {
      if (buffer.bytes < 0)
        return std::nullopt;
      (buffer.place == "weights" ? load.weightBytes : load.mapBytes) += static_cast<double>(buffer.bytes);
    }
  load.cycles = cyclesOf(op, facts, target);
  return load;
}

} // namespace

void estimateTimes(Report &report, const KernelList &kernels, const Interface &interface, const Target &target,
                   int64_t threads) {
  if (target.isGpu() || target.isMicrocontroller())
    return;
  double weights = 0;
  for (const ReportedCall &facts : report.calls)
    weights += static_cast<double>(facts.ownWeightBytes);
  for (auto [facts, call] : llvm::zip(report.calls, kernels.calls)) {
    std::optional<KernelLoad> load = loadOf(call.op, facts, target);
    if (!load)
      continue;
    load->netBytes = weights + static_cast<double>(interface.arenaBytes);
    load->threads = threads;
    facts.time = kernelTime(target, *load);
  }
}

static std::string boundOf(const KernelTime &time) { return time.bound ? nameOf(*time.bound).str() : "arithmetic"; }

/// Of one call of the model, and how many of its kernels have no time.
static std::pair<double, int64_t> sumOfEstimates(const Report &report) {
  double sum = 0;
  int64_t unknown = 0;
  for (const ReportedCall &facts : ArrayRef(report.calls).take_front(report.callsAtAllSizes)) {
    sum += facts.time ? facts.time->microseconds * static_cast<double>(facts.repeats) : 0;
    unknown += facts.time ? 0 : 1;
  }
  return {sum, unknown};
}

void printEstimateJson(llvm::json::OStream &out, const ReportedCall &facts) {
  if (!facts.time)
    return;
  out.attribute("estimated_us", facts.time->microseconds);
  out.attribute("estimated_bound", boundOf(*facts.time));
}

void printEstimatesJson(llvm::json::OStream &out, const Report &report, const Target &target) {
  auto [sum, unknown] = sumOfEstimates(report);
  if (sum <= 0)
    return;
  out.attributeObject("estimate", [&, sum = sum, unknown = unknown] {
    out.attribute("total_us", sum);
    out.attribute("unknown_calls", unknown);
    out.attribute("clock_ghz", target.machine.clockGhz);
    out.attribute("macs_per_cycle", target.macsPerCycle());
    out.attribute("l2_kbytes", target.l2Kbytes);
    out.attribute("bytes_per_cycle", target.bytesPerCycle);
  });
}

void printEstimatesText(llvm::raw_ostream &out, const Report &report, const Target &target) {
  auto [sum, unknown] = sumOfEstimates(report);
  if (sum <= 0)
    return;
  out << "time    about " << llvm::format("%.1f", sum) << " us a call, estimated for "
      << llvm::format("%.2g", target.machine.clockGhz) << " GHz, " << llvm::format("%.3g", target.macsPerCycle())
      << " multiply-adds a cycle, " << target.l2Kbytes << " KB of L2";
  if (unknown)
    out << ", without " << unknown << " calls whose sizes only a call knows";
  out << "\n";
}

std::string estimateText(const ReportedCall &facts) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (facts.time)
    out << llvm::format("%.2f us %s", facts.time->microseconds, boundOf(*facts.time).c_str());
  return text;
}

} // namespace sinter
