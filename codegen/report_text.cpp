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

std::string printReportText(const Report &report, const Interface &interface, const ModelNames &names,
                            const KernelList &kernels, const CodegenOptions &options, int64_t weightsBytes) {
  std::string text;
  raw_string_ostream out(text);
  out << "model   " << names.prefix.text() << "   sha256 "
      << (interface.sha256.empty() ? "unknown" : Comment(interface.sha256).text()) << "\n";
  out << "target  " << options.target.name << "   compiler " << options.compiler << "\n\n";
  out << "flash   weights " << kibibytes(weightsBytes) << " (";
  bool first = true;
  for (const auto &[type, bytes] : report.weightBytesByType) {
    out << (first ? "" : ", ") << type << " " << kibibytes(bytes);
    first = false;
  }
  out << ")   code not measured\n";
  int64_t peak = 0;
  size_t peakAt = 0;
  for (auto [i, call] : enumerate(report.calls))
    if (call.liveBytes > peak) {
      peak = call.liveBytes;
      peakAt = i;
    }
  out << "ram     arena " << kibibytes(interface.arenaBytes) << " (at most " << kibibytes(peak) << " in use, in call "
      << peakAt << ")   stack not measured\n";
  out << "work    " << format("%.2f", static_cast<double>(report.macs) * 1e-6) << " M multiply-adds in "
      << kernels.calls.size() << " kernel calls (" << kernels.functions.size() << " functions), " << report.copies
      << " of them copies\n\n";
  out << " call function                     kernel                  MAC      arena    weights  why; nodes\n";
  for (auto [i, call] : enumerate(kernels.calls)) {
    const ReportedCall &facts = report.calls[i];
    std::string name = kernels.functions[call.function].name.text().take_front(28).str();
    out << format("%5zu %-28s %-14s %12lld %10lld %10lld  ", i, name.c_str(), call.kind.c_str(),
                  static_cast<long long>(facts.macs), static_cast<long long>(facts.liveBytes),
                  static_cast<long long>(facts.weightBytes));
    std::string nodes = call.nodes;
    std::replace(nodes.begin(), nodes.end(), '\n', ',');
    out << call.why << "; " << Comment(nodes).text() << "\n";
  }
  return text;
}

} // namespace sinter
