// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/bench_result.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace sinter {
namespace {
/// Three digits and a unit that fits.
std::string shortDuration(double seconds) {
  std::string text;
  raw_string_ostream out(text);
  if (seconds < 1e-3)
    out << format("%.*f us", seconds < 1e-4 ? 2 : 1, seconds * 1e6);
  else if (seconds < 1)
    out << format("%.*f ms", seconds < 1e-1 ? 2 : 1, seconds * 1e3);
  else
    out << format("%.2f s", seconds);
  return text;
}

void printCall(const BenchResult &result, raw_ostream &out) {
  const Times &call = result.call;
  out << result.model << " for " << result.target << ", " << result.threads
      << (result.threads == 1 ? " thread" : " threads") << ", on " << result.processor << "\n";
  if (result.emulated)
    out << "emulated: these are times of the emulator, not of the target\n";
  out << "call   min " << shortDuration(call.least) << "   median " << shortDuration(call.median) << "   p99 "
      << shortDuration(call.p99) << "   of " << call.calls << " calls";
  if (result.coldBytes)
    out << ", " << result.coldBytes / 1'000'000 << " MB of other memory read before each";
  out << "\n";
  double rate = static_cast<double>(result.report.macs) / call.least;
  out << format("work   %.3f M multiply-adds, %.2f G a second", static_cast<double>(result.report.macs) * 1e-6,
                rate * 1e-9);
  if (result.peak)
    out << format(": %.1f %% of the peak of floats, %.1f, measured here", 100 * rate / result.peak->macsPerSecond,
                  result.peak->macsPerSecond * 1e-9);
  out << "\n\n";
}

/// The kernels that take longest, one line each; the others as one.
void printKernelTimes(const BenchResult &result, raw_ostream &out) {
  constexpr size_t most = 40;
  const std::vector<KernelReport> &kernels = result.report.kernels;
  std::vector<size_t> order(kernels.size());
  double all = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
    all += result.kernelSeconds[i];
  }
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::tie(result.kernelSeconds[b], a) < std::tie(result.kernelSeconds[a], b);
  });
  out << "      time   estimate    share        MACs  of peak        call kernel\n";
  double others = 0;
  for (auto [rank, i] : enumerate(order)) {
    double seconds = result.kernelSeconds[i];
    if (rank >= most && kernels.size() > most + 1) {
      others += seconds;
      continue;
    }
    PeakShare share = result.peak ? peakShare(*result.peak, kernels[i], seconds) : PeakShare();
    std::string ofPeak = "-";
    int percent = static_cast<int>(100 * share.share + 0.5);
    if (share.roof == PeakShare::Memory)
      ofPeak = std::to_string(percent) + " % memory";
    else if (share.roof == PeakShare::Compute && !kernels[i].multipliesBytes())
      ofPeak = std::to_string(percent) + " % fma";
    else if (share.roof == PeakShare::Compute) // the roof is that of floats, of which bytes are no share
      ofPeak = formatv("{0:f2} x f32 fma", share.share).str();
    double estimated = kernels[i].estimatedSeconds;
    out << format("%10s %10s %6.1f %% %11lld  %-12s %5zu ", shortDuration(seconds).c_str(),
                  estimated < 0 ? "-" : shortDuration(estimated).c_str(), 100 * seconds / all,
                  static_cast<long long>(kernels[i].macs), ofPeak.c_str(), i);
    out << left_justify(kernels[i].function, 32) << " " << kernels[i].shapes << "\n";
  }
  if (others > 0)
    out << format("%10s %17.1f %%", shortDuration(others).c_str(), 100 * others / all) << "  in "
        << kernels.size() - most << " others (all: --json)\n";
}

void printRivals(const BenchResult &result, raw_ostream &out) {
  if (result.rivals.empty())
    return;
  out << "\nagainst, " << (result.interleaved ? "called in turn in one process" : "one after the other") << "\n";
  double ours = result.rivals.front().times.least;
  for (const Rival &rival : result.rivals) {
    out << left_justify(rival.name + " " + rival.version, 28);
    if (!rival.problem.empty()) {
      out << " cannot run it: " << rival.problem << "\n";
      continue;
    }
    out << format(" min %-10s median %-10s p99 %-10s", shortDuration(rival.times.least).c_str(),
                  shortDuration(rival.times.median).c_str(), shortDuration(rival.times.p99).c_str());
    if (rival.first > 0)
      out << format(" first %-10s", shortDuration(rival.first).c_str());
    if (&rival != &result.rivals.front())
      out << format(" %.2f times sinter's", rival.times.least / ours);
    out << "\n";
  }
}
} // namespace

void printBench(const BenchResult &result, raw_ostream &out) {
  printCall(result, out);
  if (!result.kernelSeconds.empty())
    printKernelTimes(result, out);
  printSums("by kernel", result.byKernel, shortDuration, out);
  printSums("by operator", result.byOperator, shortDuration, out);
  printRivals(result, out);
}

} // namespace sinter
