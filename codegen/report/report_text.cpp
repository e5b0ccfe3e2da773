// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {

static std::string kibibytes(int64_t bytes) {
  std::string text;
  raw_string_ostream(text) << format("%.1f KiB", static_cast<double>(bytes) / 1024);
  return text;
}

static std::string firstNodeText(StringRef nodes) { return Comment(nodes.split('\n').first).text().str(); }

static void printPeakText(raw_ostream &out, const Report &report) {
  constexpr size_t shown = 8;
  out << "needed at the peak of the arena, in call " << report.peakCall << ":\n";
  for (const LiveTensor &tensor : ArrayRef(report.liveAtPeak).take_front(shown))
    out << format("%12lld at %-10lld ", static_cast<long long>(tensor.bytes), static_cast<long long>(tensor.offset))
        << tensor.type << "  " << firstNodeText(tensor.nodes) << "\n";
  if (report.liveAtPeak.size() > shown)
    out << "             and " << report.liveAtPeak.size() - shown << " smaller ones\n";
}

static void printRegionsText(raw_ostream &out, const Report &report) {
  constexpr size_t shown = 8;
  for (const RegionUse &use : report.regions) {
    out << use.region.name << ", " << use.region.bytes << " bytes";
    if (use.region.limit != INT64_MAX)
      out << " of " << use.region.limit;
    out << ", from " << use.region.begin << " on in a single arena; accesses per byte:\n";
    for (const LiveTensor &tensor : ArrayRef(use.tensors).take_front(shown))
      out << format("%12.1f in %lld at %-10lld ",
                    static_cast<double>(tensor.accesses) / static_cast<double>(std::max<int64_t>(tensor.bytes, 1)),
                    static_cast<long long>(tensor.bytes), static_cast<long long>(tensor.offset - use.region.begin))
          << tensor.type << "  " << firstNodeText(tensor.nodes) << "\n";
    if (use.tensors.size() > shown)
      out << "             and " << use.tensors.size() - shown << " colder ones\n";
  }
}

static void printFlash(raw_ostream &out, const Report &report, const KernelList &kernels) {
  constexpr size_t shown = 8;
  std::vector<size_t> order;
  for (size_t i = 0; i < report.calls.size(); ++i)
    if (report.calls[i].ownWeightBytes > 0)
      order.push_back(i);
  stable_sort(order,
              [&](size_t a, size_t b) { return report.calls[a].ownWeightBytes > report.calls[b].ownWeightBytes; });
  out << "most flash goes to:\n";
  for (size_t i : ArrayRef(order).take_front(shown))
    out << format("%12lld ", static_cast<long long>(report.calls[i].ownWeightBytes))
        << firstNodeText(kernels.calls[i].nodes) << "\n";
}

/// Calls with a reason for what they are.
template <class List>
static void printReasonsText(raw_ostream &out, StringRef title, const List &list, const KernelList &kernels) {
  if (!list.empty())
    out << title << ":\n";
  for (const auto &entry : list)
    out << format("%12zu ", entry.call) << firstNodeText(kernels.calls[entry.call].nodes) << ": " << entry.reason
        << "\n";
}

std::string printReportText(const Report &report, const Interface &interface, const ModelNames &names,
                            const KernelList &kernels, const CodegenOptions &options, int64_t weightsBytes) {
  std::string text;
  raw_string_ostream out(text);
  out << "model   " << names.prefix.text() << "   sha256 "
      << (interface.sha256.empty() ? "unknown" : Comment(interface.sha256).text()) << "\n";
  out << "target  " << options.target.name << "   compiler " << options.compiler << "\n";
  if (options.fast)
    out << "fast    " << givenUp() << "\n";
  out << "\n";
  out << "flash   weights " << kibibytes(weightsBytes) << " (";
  bool first = true;
  for (const auto &[type, bytes] : report.weightBytesByType) {
    out << (first ? "" : ", ") << type << " " << kibibytes(bytes);
    first = false;
  }
  out << ")   code not measured\n";
  int64_t peak = report.calls.empty() ? 0 : report.calls[report.peakCall].liveBytes;
  out << "ram     arena " << kibibytes(interface.arenaBytes) << " (at most " << kibibytes(peak) << " in use, in call "
      << report.peakCall << ")   stack not measured";
  if (interface.weightsInRam > 0)
    out << "   copy of weights " << kibibytes(interface.weightsInRam);
  out << "\n";
  out << "work    " << format("%.2f", static_cast<double>(report.macs) * 1e-6) << " M multiply-adds in "
      << kernels.calls.size() << " kernel calls (" << kernels.functions.size() << " functions), "
      << report.copies.size() << " of them copies\n";
  printEstimatesText(out, report, options.target);
  for (const ReportedState &state : report.states) {
    const InterfaceTensor &tensor = interface.inputs[state.input];
    out << "state   " << Comment(tensor.name).text() << ": " << kibibytes(tensor.maxBytes())
        << ", of which a call writes ";
    if (state.written)
      out << "at most " << *state.written << " bytes\n";
    else
      out << "as much as sizes say that have no bound\n";
  }
  if (report.removedChannels)
    out << "left    " << format("%.2f", static_cast<double>(report.macsLeft) * 1e-6) << " M multiply-adds without "
        << report.removedChannels << " channels that are constant or that nobody reads\n";
  for (const ReportedProgram &program : report.otherPrograms) {
    std::string copy = copyText(program.sizes, program.onlyStates);
    out << (copy.empty() ? "for     " : "exact   ") << program.cpu << (program.cpu.empty() || copy.empty() ? "" : ", ")
        << Comment(copy).text() << ": " << program.callCount << " calls from " << program.firstCall << " on, arena "
        << kibibytes(program.arenaBytes) << ", weights of its own " << kibibytes(program.ownWeightBytes) << "\n";
  }
  out << "fused   " << report.attentions << " attentions, " << report.norms << " norms";
  if (!report.quantizedFloats.empty())
    out << "   float tensors inside the quantized part " << report.quantizedFloats.size();
  out << "\n\n";
  printPeakText(out, report);
  printRegionsText(out, report);
  printFlash(out, report, kernels);
  printReasonsText(out, "copies that are left", report.copies, kernels);
  printReasonsText(out, "floats in memory inside the quantized part", report.quantizedFloats, kernels);
  out << "\n";
  if (report.device)
    printDeviceText(out, *report.device, kernels);
  if (report.device)
    printTimesText(out, report, kernels);
  out << " call function                     kernel                  MAC      arena    weights  why; nodes\n";
  for (auto [i, call] : enumerate(kernels.calls)) {
    const ReportedCall &facts = report.calls[i];
    std::string name = kernels.functions[call.function].name.text().take_front(28).str();
    out << format("%5zu %-28s %-14s %12lld %10lld %10lld  ", i, name.c_str(), call.kind.c_str(),
                  static_cast<long long>(facts.macs), static_cast<long long>(facts.liveBytes),
                  static_cast<long long>(facts.weightBytes));
    std::string nodes = call.nodes;
    std::replace(nodes.begin(), nodes.end(), '\n', ',');
    std::string estimate = estimateText(facts);
    out << call.why << (estimate.empty() ? "" : "; about ") << estimate << "; " << Comment(nodes).text() << "\n";
  }
  return text;
}

} // namespace sinter
