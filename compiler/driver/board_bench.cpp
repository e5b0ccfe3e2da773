// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/board_bench.h"
#include "driver/answer.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace sinter {
namespace {
/// What its clock counts.
const char *unitOf(const BoardBench &bench) { return bench.counts.tick > 0 ? "instructions" : "cycles"; }

int64_t rounded(double number) { return static_cast<int64_t>(number + 0.5); }

void printBoardKernels(const BoardBench &bench, raw_ostream &out) {
  const std::vector<KernelReport> &kernels = bench.report.kernels;
  std::vector<size_t> order(kernels.size());
  double all = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
    all += bench.counts.kernels[i];
  }
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::tie(bench.counts.kernels[b], a) < std::tie(bench.counts.kernels[a], b);
  });
  out << right_justify(unitOf(bench), 12) << "    share        MACs    per MAC  call kernel\n";
  for (size_t i : order) {
    double count = bench.counts.kernels[i];
    auto macs = static_cast<double>(kernels[i].macs);
    std::string perMac = "-";
    if (macs > 0)
      perMac.clear(), raw_string_ostream(perMac) << format("%.2f", count / macs);
    out << format("%12lld %6.1f %% %11lld %10s %5zu ", static_cast<long long>(rounded(count)),
                  100 * count / std::max(all, 1.0), static_cast<long long>(kernels[i].macs), perMac.c_str(), i);
    out << left_justify(kernels[i].function, 32) << " " << kernels[i].shapes << "\n";
  }
}
} // namespace

void printBoardBench(const BoardBench &bench, raw_ostream &out) {
  out << bench.model << " for " << bench.target << ", " << bench.boardSummary << "\n";
  out << "call    " << rounded(bench.counts.all) << " " << unitOf(bench);
  if (bench.counts.tick > 0)
    out << ", within " << rounded(bench.counts.tick);
  out << "; " << bench.report.macs << " multiply-adds\n";
  if (bench.measured) {
    const Sections &linked = *bench.measured->linked;
    out << "flash   " << linked.flash() << " bytes: code " << linked.code << " (of it library functions "
        << linked.code - bench.measured->codeBytes << "), weights " << bench.measured->linkedWeights
        << ", other constants and data " << linked.constants + linked.data - bench.measured->linkedWeights << "\n";
  }
  out << "ram     arena " << bench.report.arenaBytes;
  if (bench.measured)
    out << ", variables " << bench.measured->linked->data + bench.measured->linked->zeros;
  if (bench.counts.stackBytes >= 0)
    out << ", stack " << bench.counts.stackBytes << " used";
  if (bench.measured && bench.measured->stackBytes)
    out << ", at most " << *bench.measured->stackBytes;
  out << "\n\n";
  printBoardKernels(bench, out);
  auto text = [](double instructions) { return std::to_string(rounded(instructions)); };
  printSums("by kernel", bench.byKernel, text, out);
  printSums("by operator", bench.byOperator, text, out);
}

json::Object jsonOf(const BoardBench &bench) {
  json::Array kernels;
  for (const auto &[i, kernel] : enumerate(bench.report.kernels))
    kernels.push_back(json::Object{{"index", static_cast<int64_t>(i)},
                                   {"function", kernel.function},
                                   {"kernel", kernel.kind},
                                   {"nodes", json::Array(kernel.nodes)},
                                   {unitOf(bench), rounded(bench.counts.kernels[i])},
                                   {"macs", kernel.macs}});
  json::Object root{{"model", utf8(bench.model)},
                    {"target", bench.target},
                    {"board", utf8(bench.board)},
                    {"emulated", bench.counts.tick > 0},
                    {unitOf(bench), rounded(bench.counts.all)},
                    {"macs", bench.report.macs},
                    {"arena", bench.report.arenaBytes},
                    {"kernels", std::move(kernels)},
                    {"by_kernel", jsonOf(bench.byKernel, unitOf(bench))},
                    {"by_operator", jsonOf(bench.byOperator, unitOf(bench))},
                    {"report", bench.report.json}};
  if (bench.counts.tick > 0)
    root["exact_to"] = bench.counts.tick;
  json::Object stack;
  if (bench.counts.stackBytes >= 0)
    stack["used"] = bench.counts.stackBytes;
  if (bench.measured) {
    const Sections &linked = *bench.measured->linked;
    root["flash"] = json::Object{{"bytes", linked.flash()},
                                 {"code", linked.code},
                                 {"model_code", bench.measured->codeBytes},
                                 {"weights", bench.measured->linkedWeights},
                                 {"other", linked.constants + linked.data - bench.measured->linkedWeights}};
    root["variables"] = linked.data + linked.zeros;
    stack["bound"] = bench.measured->stackBytes ? json::Value(*bench.measured->stackBytes) : json::Value(nullptr);
  }
  root["stack"] = std::move(stack);
  return root;
}

} // namespace sinter
