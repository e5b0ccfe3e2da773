// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads .su files and ELF section headers; edits the reports.
#include "driver/measure.h"

#include "codegen/codegen.h"
#include "driver/call_graph.h"
#include "driver/file_contents.h"
#include "driver/model_program.h"
#include "driver/model_report.h"
#include "driver/staging.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <map>

using namespace llvm;

namespace sinter {
namespace {
template <class Header, class Section>
Sections readSections(StringRef elf) {
  Sections sections;
  Header header;
  if (elf.size() < sizeof header)
    return sections;
  std::memcpy(&header, elf.data(), sizeof header);
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    uint64_t at = header.e_shoff + i * sizeof(Section);
    Section section;
    if (at + sizeof section > elf.size())
      break;
    std::memcpy(&section, elf.data() + at, sizeof section);
    auto bytes = static_cast<int64_t>(section.sh_size);
    if (!(section.sh_flags & ELF::SHF_ALLOC))
      continue;
    if (section.sh_flags & ELF::SHF_EXECINSTR)
      sections.code += bytes;
    else if (!(section.sh_flags & ELF::SHF_WRITE))
      sections.constants += bytes;
    else if (section.sh_type == ELF::SHT_NOBITS)
      sections.zeros += bytes;
    else
      sections.data += bytes;
  }
  return sections;
}

void replace(const Staging &staging, StringRef name, ArrayRef<std::pair<StringRef, std::string>> changes) {
  std::string text = fileContents(staging.file(name));
  for (const auto &[from, to] : changes)
    if (size_t at = text.find(from); at != std::string::npos)
      text.replace(at, from.size(), to);
  consumeError(staging.write(name, text));
}
} // namespace

/// A module or object of WebAssembly: sections are a number, their size and bytes.
static Sections wasmSections(StringRef module) {
  constexpr unsigned code = 10, data = 11;
  constexpr size_t header = 8;
  Sections sections;
  for (StringRef rest = module.drop_front(std::min(header, module.size())); rest.size() > 1;) {
    auto id = static_cast<unsigned char>(rest[0]);
    unsigned length = 0;
    const char *problem = nullptr;
    uint64_t bytes = decodeULEB128(rest.bytes_begin() + 1, &length, rest.bytes_end(), &problem);
    if (problem)
      break;
    (id == code ? sections.code : id == data ? sections.constants : sections.zeros) += static_cast<int64_t>(bytes);
    rest = rest.drop_front(std::min<uint64_t>(rest.size(), 1 + length + bytes));
  }
  sections.zeros = 0;
  return sections;
}

Sections sectionsOf(StringRef elf) {
  if (elf.starts_with(StringRef("\0asm", 4)))
    return wasmSections(elf);
  // Little-endian ELF, as all targets have it.
  if (!elf.starts_with("\x7f"
                       "ELF") ||
      elf.size() < ELF::EI_NIDENT)
    return {};
  return elf[ELF::EI_CLASS] == ELF::ELFCLASS64 ? readSections<ELF::Elf64_Ehdr, ELF::Elf64_Shdr>(elf)
                                               : readSections<ELF::Elf32_Ehdr, ELF::Elf32_Shdr>(elf);
}

std::optional<int64_t> stackBound(StringRef frames) {
  // Both in a readable name (GCC) and in a mangled one (Clang), in lambdas' inside the kernel too.
  static const Regex kernel("(^|[^A-Za-z_])(k[0-9]+)_");
  std::map<std::string, int64_t> kernels;
  int64_t others = 0, deepest = 0;
  SmallVector<StringRef> lines;
  frames.split(lines, '\n', -1, false);
  for (StringRef line : lines) {
    auto [function, rest] = line.split('\t');
    auto [number, kind] = rest.split('\t');
    int64_t bytes;
    if (number.getAsInteger(10, bytes) || kind.trim() == "dynamic")
      return std::nullopt;
    SmallVector<StringRef> match;
    if (kernel.match(function.rsplit(".cpp:").second, &match))
      deepest = std::max(deepest, kernels[match[2].str()] += bytes);
    else
      others += bytes;
  }
  return others + deepest;
}

std::vector<std::string> measuringFlags(const Cxx &cxx) {
  std::vector<std::string> flags = {"-fstack-usage"};
  StringRef callGraph = "-fcallgraph-info=su";
  if (cxx.accepts(callGraph))
    flags.push_back(callGraph.str());
  return flags;
}

Measured measure(ArrayRef<std::string> objects) {
  Measured measured;
  std::string frames, calls;
  for (const std::string &object : objects) {
    measured.codeBytes += sectionsOf(fileContents(object)).code;
    SmallString<128> beside(object);
    sys::path::replace_extension(beside, ".su");
    frames += fileContents(beside);
    sys::path::replace_extension(beside, ".ci");
    calls += fileContents(beside);
  }
  if (!calls.empty())
    measured.stackBytes = deepestCalls(calls);
  else if (!frames.empty())
    measured.stackBytes = stackBound(frames);
  return measured;
}

Error measureLinked(const Cxx &cxx, const Staging &staging, const CodegenOptions &options,
                    ArrayRef<std::string> objects, Measured &measured) {
  std::string image = staging.file("linked");
  Expected<std::vector<std::string>> memory = compileMemory(cxx, staging.folder());
  if (!memory)
    return memory.takeError();
  // One of our own, since compilers may come with one for some chip.
  std::string script = staging.file("linked.ld");
  if (Error error = staging.write(
          "linked.ld",
          "SECTIONS { .text : { *(.text .text.*) } .rodata : { *(.rodata .rodata.* .srodata .srodata.*) } "
          ".data : { *(.data .data.* .sdata .sdata.*) } .bss : { *(.bss .bss.* .sbss .sbss.* COMMON) } }\n"))
    return error;
  std::vector<std::string> arguments = *memory;
  arguments.insert(arguments.end(), objects.begin(), objects.end());
  arguments.insert(arguments.end(), {"-nostdlib", "-Wl,--gc-sections", "-T", script,
                                     "-Wl,--entry=" + options.prefix + "_run", "-lgcc", "-o", image});
  if (Error error = cxx.run(arguments))
    return error;
  measured.linked = sectionsOf(fileContents(image));
  if (options.weights == "file")
    return Error::success();
  Expected<ModelReport> report = readReport(staging, options.prefix);
  if (!report)
    return report.takeError();
  measured.linkedWeights = report->weightsBytes;
  return Error::success();
}

void writeMeasured(const Staging &staging, StringRef prefix, const Measured &measured, StringRef compiler) {
  std::string code = std::to_string(measured.codeBytes);
  std::string stack = measured.stackBytes ? std::to_string(*measured.stackBytes) : "null";
  std::string linked = measured.linked ? std::to_string(measured.linked->flash() - measured.linkedWeights) : "";
  std::string name;
  raw_string_ostream(name) << json::Value(compiler);
  replace(staging, (prefix + "_report.json").str(),
          {{"\"measured\": \"not measured\"", "\"measured\": {\"compiler\": " + name + ", \"code_bytes\": " + code +
                                                  (measured.linked ? ", \"linked_bytes\": " + linked : "") +
                                                  ", \"stack_bound\": " + stack + "}"}});
  replace(
      staging, (prefix + "_report.txt").str(),
      {{"code not measured",
        "code " + code + " bytes" +
            (measured.linked ? " (" + linked + " with constants and the library functions that it calls)" : "")},
       {"stack not measured", measured.stackBytes ? "stack at most " + stack + " bytes" : "stack without a bound"}});
}

} // namespace sinter
