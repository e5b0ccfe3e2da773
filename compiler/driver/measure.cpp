// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads .su files and ELF section headers; edits the reports.
#include "driver/measure.h"

#include "driver/staging.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/JSON.h"
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
int64_t codeBytesOf(StringRef object) {
  Header header;
  if (object.size() < sizeof header)
    return 0;
  std::memcpy(&header, object.data(), sizeof header);
  int64_t bytes = 0;
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    uint64_t at = header.e_shoff + i * sizeof(Section);
    Section section;
    if (at + sizeof section > object.size())
      break;
    std::memcpy(&section, object.data() + at, sizeof section);
    if (section.sh_flags & ELF::SHF_EXECINSTR)
      bytes += static_cast<int64_t>(section.sh_size);
  }
  return bytes;
}

/// Little-endian ELF, as all targets have it; 0 for anything else.
int64_t codeBytesOf(StringRef object) {
  if (!object.starts_with("\x7f"
                          "ELF") ||
      object.size() < ELF::EI_NIDENT)
    return 0;
  return object[ELF::EI_CLASS] == ELF::ELFCLASS64 ? codeBytesOf<ELF::Elf64_Ehdr, ELF::Elf64_Shdr>(object)
                                                  : codeBytesOf<ELF::Elf32_Ehdr, ELF::Elf32_Shdr>(object);
}

std::string contentsOf(const Twine &path) {
  auto file = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return file ? (*file)->getBuffer().str() : std::string();
}

void replace(const Staging &staging, StringRef name, ArrayRef<std::pair<StringRef, std::string>> changes) {
  std::string text = contentsOf(staging.file(name));
  for (const auto &[from, to] : changes)
    if (size_t at = text.find(from); at != std::string::npos)
      text.replace(at, from.size(), to);
  consumeError(staging.write(name, text));
}
} // namespace

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

Measured measure(ArrayRef<std::string> objects) {
  Measured measured;
  std::string frames;
  for (const std::string &object : objects) {
    measured.codeBytes += codeBytesOf(contentsOf(object));
    SmallString<128> usage(object);
    sys::path::replace_extension(usage, ".su");
    frames += contentsOf(usage);
  }
  measured.stackBytes = frames.empty() ? std::nullopt : stackBound(frames);
  return measured;
}

void writeMeasured(const Staging &staging, StringRef prefix, const Measured &measured, StringRef compiler) {
  std::string code = std::to_string(measured.codeBytes);
  std::string stack = measured.stackBytes ? std::to_string(*measured.stackBytes) : "null";
  std::string name;
  raw_string_ostream(name) << json::Value(compiler);
  replace(staging, (prefix + "_report.json").str(),
          {{"\"measured\": \"not measured\"", "\"measured\": {\"compiler\": " + name + ", \"code_bytes\": " + code +
                                                  ", \"stack_bound\": " + stack + "}"}});
  replace(
      staging, (prefix + "_report.txt").str(),
      {{"code not measured", "code " + code + " bytes"},
       {"stack not measured", measured.stackBytes ? "stack at most " + stack + " bytes" : "stack without a bound"}});
}

} // namespace sinter
