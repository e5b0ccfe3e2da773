// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/analysis.h"
#include "driver/kibibytes.h"

#include "frontend/schema.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <array>

using namespace llvm;

namespace sinter {
namespace {
/// Text from the model, without what could steer a terminal; cut where a table wants it.
std::string printableText(StringRef foreign, size_t most = StringRef::npos) {
  std::string text;
  raw_string_ostream(text).write_escaped(foreign);
  return text.size() <= most ? text : text.substr(0, most - 3) + "...";
}

std::string millions(int64_t count) {
  std::string text;
  raw_string_ostream(text) << format("%.3f M", static_cast<double>(count) * 1e-6);
  return text;
}

void printModel(const Analysis &analysis, raw_ostream &out) {
  const ModelSummary &summary = analysis.summary;
  out << "model      " << analysis.model << ", " << kibibytes(static_cast<int64_t>(summary.bytes)) << ", sha256 "
      << summary.sha256 << "\n";
  out << "made by    " << (summary.producer.empty() ? "(not stated)" : printableText(summary.producer))
      << ", IR version " << summary.irVersion << ", opset";
  for (const auto &[domain, version] : summary.opsets)
    out << " " << printableText(domainText(domain)) << " " << version;
  out << "\n";
}

/// What the caller gives and gets: as the compiled model has it, else as the file states it.
void printInterface(const Analysis &analysis, raw_ostream &out) {
  std::vector<std::array<std::string, 3>> lines;
  auto list = [&](const std::string &what, const std::vector<Inventory::Value> &values) {
    for (const Inventory::Value &value : values)
      lines.push_back({what, printableText(value.name), printableText(value.describe())});
  };
  auto listCompiled = [&](const std::string &what, StringRef key) {
    for (const json::Value &value : *analysis.report->json.getAsObject()->getArray(key))
      lines.push_back({what, printableText(value.getAsObject()->getString("name").value_or("")),
                       printableText(value.getAsObject()->getString("type").value_or(""))});
  };
  if (analysis.report) {
    listCompiled("input", "inputs");
    listCompiled("output", "outputs");
  } else {
    list("input", analysis.summary.inventory.inputs);
    list("output", analysis.summary.inventory.outputs);
  }
  size_t width = 0;
  for (const auto &line : lines)
    width = std::max(width, std::min<size_t>(line[1].size(), 40));
  for (const auto &[what, name, type] : lines)
    out << left_justify(what, 10) << " " << left_justify(name, width) << "  " << type << "\n";
  out << "\n";
}

void printOperators(const Inventory &inventory, raw_ostream &out) {
  out << "operator                            opset  since   nodes  support\n";
  for (const Inventory::Operator &use : inventory.operators) {
    out << left_justify(printableText(qualifiedName(use.domain, use.name)), 34) << " "
        << format("%6lld %6s %7lld  ", static_cast<long long>(use.opset),
                  use.schema ? std::to_string(use.schema->since).c_str() : "-", static_cast<long long>(use.nodes))
        << supportText(use) << "\n";
  }
  out << "\n";
}

/// Every operator that stands in the way; why each of its nodes does is said by diagnostics.
void printUnsupported(const Inventory &inventory, raw_ostream &out) {
  std::vector<std::string> names;
  for (const Inventory::Operator &use : inventory.operators)
    if (!isSupported(use))
      names.push_back(printableText(qualifiedName(use.domain, use.name)));
  if (!names.empty())
    out << "not supported: " << join(names, ", ") << "\n\n";
}

void printWeightSizes(const Inventory &inventory, raw_ostream &out) {
  out << "weights         tensors    parameters        bytes\n";
  Inventory::Weights all;
  auto line = [&](StringRef name, const Inventory::Weights &of) {
    out << left_justify(name, 14)
        << format(" %8lld %13lld %12s\n", static_cast<long long>(of.tensors), static_cast<long long>(of.elements),
                  kibibytes(of.bytes).c_str());
  };
  for (const auto &[type, of] : inventory.weights) {
    line(elementTypeName(type), of);
    all.tensors += of.tensors;
    all.elements += of.elements;
    all.bytes += of.bytes;
  }
  line("all", all);
  out << "\n";
}

void printNeeds(const ModelReport &report, raw_ostream &out) {
  out << "work       " << millions(report.macs) << " multiply-adds in " << report.kernels.size() << " kernel calls ("
      << report.functions << " functions), " << report.copies << " of them copies\n"
      << "flash      " << kibibytes(report.weightsBytes) << " of weights as compiled\n"
      << "ram        " << kibibytes(report.arenaBytes) << " of arena\n\n";
}

/// Calls by kind of kernel, those with the most work first.
void printKinds(const ModelReport &report, raw_ostream &out) {
  struct Sum {
    int64_t calls = 0, macs = 0, weightBytes = 0;
  };
  std::map<std::string, Sum> byKind;
  for (const KernelReport &kernel : report.kernels) {
    Sum &sum = byKind[kernel.kind];
    ++sum.calls;
    sum.macs += kernel.macs;
    sum.weightBytes += kernel.weightBytes;
  }
  std::vector<std::pair<std::string, Sum>> kinds(byKind.begin(), byKind.end());
  llvm::sort(kinds, [](const auto &a, const auto &b) {
    return std::tie(b.second.macs, b.second.calls, a.first) < std::tie(a.second.macs, a.second.calls, b.first);
  });
  out << "kernel                    calls           MACs      weights\n";
  for (const auto &[kind, sum] : kinds)
    out << left_justify(kind, 22)
        << format(" %8lld %14s %12s\n", static_cast<long long>(sum.calls), millions(sum.macs).c_str(),
                  kibibytes(sum.weightBytes).c_str());
  out << "\n";
}

/// One line per kernel call, or per some of them where there are many: the one that needs most.
void printArena(const ModelReport &report, raw_ostream &out) {
  constexpr size_t mostLines = 48;
  constexpr int64_t width = 40;
  const std::vector<KernelReport> &kernels = report.kernels;
  size_t perLine = std::max<size_t>(1, (kernels.size() + mostLines - 1) / mostLines);
  out << "arena over time" << (perLine > 1 ? ", the most of each " + std::to_string(perLine) + " calls" : "") << "\n";
  for (size_t first = 0; first < kernels.size(); first += perLine) {
    auto begin = kernels.begin() + static_cast<ptrdiff_t>(first);
    auto end = kernels.begin() + static_cast<ptrdiff_t>(std::min(first + perLine, kernels.size()));
    auto most = std::max_element(
        begin, end, [](const KernelReport &a, const KernelReport &b) { return a.arenaLiveBytes < b.arenaLiveBytes; });
    int64_t filled = report.arenaBytes ? (most->arenaLiveBytes * width + report.arenaBytes - 1) / report.arenaBytes : 0;
    std::string bar(static_cast<size_t>(std::min(filled, width)), '#');
    out << format("%6td %12s |", most - kernels.begin(), kibibytes(most->arenaLiveBytes).c_str())
        << left_justify(bar, width) << "| " << printableText(most->function, 40) << "\n";
  }
}
} // namespace

void printAnalysis(const Analysis &analysis, raw_ostream &out) {
  if (analysis.summary.sha256.empty())
    return; // the file could not even be read
  printModel(analysis, out);
  printInterface(analysis, out);
  printOperators(analysis.summary.inventory, out);
  printUnsupported(analysis.summary.inventory, out);
  printWeightSizes(analysis.summary.inventory, out);
  if (!analysis.report)
    return;
  printNeeds(*analysis.report, out);
  printKinds(*analysis.report, out);
  printDevice(*analysis.report, out);
  printArena(*analysis.report, out);
}

} // namespace sinter
