// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What NVRTC and ptxas write into their log, which has two kinds of lines that matter:
//   kws.cu(12): error: identifier "x" is undefined
//   ptxas info    : Compiling entry function 'k0' for 'sm_80'  (then, of each: stack frame, spills, registers, smem)
#include "cuda/device_code.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace sinter {
namespace {
/// The number before `unit` in "Used 10 registers, 64 bytes smem"; 0 where there is none.
int64_t countInLine(StringRef line, StringRef unit) {
  StringRef before = line.take_front(line.find(unit)).rtrim();
  if (!line.contains(unit))
    return 0;
  int64_t count = 0;
  StringRef digits = before.take_back(before.size() - (before.find_last_not_of("0123456789") + 1));
  return digits.getAsInteger(10, count) ? 0 : count;
}

StringRef quoted(StringRef line) { return line.split('\'').second.split('\'').first; }

/// Line `number` of a text, from 1, without spaces around it.
StringRef lineOf(StringRef text, unsigned number) {
  for (; number > 1 && !text.empty(); --number)
    text = text.split('\n').second;
  return text.split('\n').first.trim();
}
} // namespace

std::vector<KernelResources> readPtxasLog(StringRef log) {
  std::vector<KernelResources> kernels;
  bool isEntry = false; // functions that are not inlined have properties of their own
  for (StringRef line : llvm::split(log, '\n')) {
    if (line.contains("Compiling entry function")) {
      kernels.emplace_back();
      kernels.back().name = quoted(line).str();
    }
    if (kernels.empty())
      continue;
    KernelResources &kernel = kernels.back();
    if (line.contains("Function properties for"))
      isEntry = line.rtrim().ends_with(" " + kernel.name);
    if (isEntry && line.contains("bytes stack frame")) {
      kernel.stack = countInLine(line, " bytes stack frame");
      kernel.spillStores = countInLine(line, " bytes spill stores");
      kernel.spillLoads = countInLine(line, " bytes spill loads");
    }
    if (line.contains(": Used ")) {
      kernel.registers = countInLine(line, " registers");
      kernel.shared = countInLine(line, " bytes smem");
    }
  }
  return kernels;
}

std::string firstDeviceError(StringRef log, const DeviceSource &source, std::string &line) {
  std::string other;
  for (StringRef said : llvm::split(log, '\n')) {
    auto [place, message] = said.split("): error: ");
    auto [file, number] = place.rsplit('(');
    unsigned at = 0;
    if (message.empty() || number.getAsInteger(10, at)) {
      if (other.empty() && (said.contains("error") || said.contains("fatal")))
        other = said.trim().str(); // ptxas speaks of lines of its own
      continue;
    }
    if (file == source.main.name)
      line = lineOf(source.main.text, at).str();
    for (const NamedText &header : source.headers)
      if (file == header.name)
        line = lineOf(header.text, at).str();
    return (file + ":" + number + ": " + message).str();
  }
  return other;
}

} // namespace sinter
