// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weights_text.h"

#include <cmath>
#include <cstring>

using namespace llvm;

namespace sinter {

bool callerBringsWeights(const CodegenOptions &options) { return options.weights == "file"; }

std::string weightsFileName(const CodegenOptions &options) { return legalPrefix(options.prefix) + "_weights.bin"; }

bool hasWeightsFile(const CodegenOptions &options, const WeightsImage &weights) {
  return weights.size() > 0 && options.weights != "cpp" && options.weights != "numbers";
}

/// A part of the image, as a symbol in a section.
struct Part {
  PrintedCode symbol;
  std::string section;
  int64_t begin, end;
};

static void printFileName(Printer &out, const CodegenOptions &options, const PrintedCode &macro) {
  out.comment("The assembler looks for the file in the folders given by -I; define ", macro,
              "_WEIGHTS_FILE to name another one.");
  out.line("#ifndef ", macro, "_WEIGHTS_FILE");
  out.line("#define ", macro, "_WEIGHTS_FILE ", StringLiteral(weightsFileName(options)));
  out.line("#endif");
}

PrintedCode hiddenAttribute(const Target &target) {
  return target.objectFormat() == ObjectFormat::Coff ? PrintedCode()
                                                     : PrintedCode("__attribute__((visibility(\"hidden\"))) ");
}

void declareBytes(Printer &out, const PrintedCode &symbol, const Target &target) {
  out.line("extern \"C\" ", hiddenAttribute(target), "const unsigned char ", symbol, "[];");
}

/// Where bytes lie, in the words of an object format: of a name that the format has sections for, or one that a user
/// gives.
struct Section {
  PrintedCode name;
  bool isWritable = false;
  bool isFar = false; ///< other sections are not moved apart by it
};

bool liesFar(int64_t bytes, const Target &target) {
  constexpr int64_t least = int64_t(1) << 30;
  return bytes >= least && target.objectFormat() == ObjectFormat::Elf && StringRef(target.triple).starts_with("x86_64");
}

static Section sectionOf(const Part &part, const Target &target) {
  StringRef name = part.section;
  if (name.starts_with(".rodata") && liesFar(part.end - part.begin, target))
    return {StringLiteral((".l" + name.drop_front(1)).str()), false, true};
  bool isWritable = name.starts_with(".data"), isOurs = isWritable || name.starts_with(".rodata");
  if (isOurs && target.objectFormat() == ObjectFormat::Coff) // the linker puts ".rdata$x" into ".rdata"
    return {StringLiteral(((isWritable ? ".data$" : ".rdata$") + part.symbol.text()).str()), isWritable};
  if (isOurs && target.objectFormat() == ObjectFormat::MachO)
    return {isWritable ? PrintedCode("\"__DATA,__data\"") : PrintedCode("\"__TEXT,__const\""), isWritable};
  return {StringLiteral(name), isWritable};
}

/// File-scope asm: compilers need neither to parse the bytes nor to know the ASM language. `place`: the directive's
/// arguments.
static void printIncbin(Printer &out, const PrintedCode &symbol, const Section &section, const Target &target,
                        const PrintedCode &place) {
  const ObjectFormat format = target.objectFormat();
  const PrintedCode label = format == ObjectFormat::MachO ? PrintedCode("_", symbol) : symbol;
  switch (format) {
  case ObjectFormat::Elf:
    out.line("__asm__(\".pushsection \" ", section.name, " \",\\\"",
             PrintedCode::trusted(section.isWritable ? "aw"
                                  : section.isFar    ? "al"
                                                     : "a"),
             "\\\",%progbits\\n\"");
    break;
  case ObjectFormat::Coff:
    out.line("__asm__(\".section \" ", section.name, " \",\\\"", PrintedCode::trusted(section.isWritable ? "dw" : "dr"),
             "\\\"\\n\"");
    break;
  case ObjectFormat::MachO:
    out.line("__asm__(\".pushsection \" ", section.name, " \"\\n\"");
    break;
  case ObjectFormat::Wasm: // its assembler knows neither a stack of sections nor what may be done with them
    out.line("__asm__(\".section \" ", section.name, " \",\\\"\\\",@\\n\"");
    break;
  }
  out.line("        \".balign ", target.alignment, "\\n\"");
  out.line("        \".globl ", label, "\\n\"");
  if (format == ObjectFormat::Elf || format == ObjectFormat::Wasm) {
    out.line("        \".hidden ", label, "\\n\"");
    out.line("        \".type ", label,
             format == ObjectFormat::Elf ? PrintedCode(", %object") : PrintedCode(", @object"), "\\n\"");
  } else if (format == ObjectFormat::MachO) {
    out.line("        \".private_extern ", label, "\\n\"");
  }
  out.line("        \"", label, ":\\n\"");
  out.line("        \".incbin ", place, "\\n\"");
  if (format == ObjectFormat::Wasm) {
    out.line("        \".size ", label, ", . - ", label, "\\n\");");
    declareBytes(out, symbol, target);
    return;
  }
  if (format == ObjectFormat::Elf)
    out.line("        \".size ", label, ", . - ", label, "\\n\"");
  // GNU's assembler cannot go back to the section before in COFF: compilers begin in this one.
  out.line("        \"", PrintedCode::trusted(format == ObjectFormat::Coff ? ".text" : ".popsection"), "\\n\");");
  declareBytes(out, symbol, target);
}

static void printIncbin(Printer &out, const CodegenOptions &options, const PrintedCode &macro, const Part &part) {
  printIncbin(out, part.symbol, sectionOf(part, options.target), options.target,
              PrintedCode("\\\"\" ", macro, "_WEIGHTS_FILE \"\\\", ", part.begin, ", ", part.end - part.begin));
}

void printFileBytes(Printer &out, const PrintedCode &symbol, StringRef file, const Target &target) {
  printIncbin(out, symbol, {PrintedCode("\".rodata\"")}, target,
              PrintedCode("\\\"\" ", StringLiteral(file), " \"\\\""));
}

/// One member of the struct: a literal, whose own zero byte is the last one of `bytes`, or numbers where there is no
/// such byte.
static PrintedCode initializer(StringRef bytes) {
  constexpr size_t lineBytes = 32;
  PrintedCode text;
  if (bytes.back() != 0) {
    for (auto [i, byte] : llvm::enumerate(bytes))
      text.append(i % 24 ? PrintedCode(", ")
                  : i    ? PrintedCode(",\n    ")
                         : PrintedCode("\n    {"),
                  static_cast<unsigned char>(byte));
    return text.append("}");
  }
  bytes = bytes.drop_back();
  for (size_t at = 0; at == 0 || at < bytes.size(); at += lineBytes)
    text.append("\n    ", StringLiteral(bytes.substr(at, lineBytes)));
  return text;
}

/// Pieces of at most 60 KB, because compilers limit literals, that end in a zero byte; one struct keeps them together
/// and aligned.
static void printLiterals(Printer &out, const WeightsImage &weights, int64_t alignment, const Part &part) {
  constexpr size_t pieceBytes = 60000;
  std::vector<size_t> sizes;
  std::vector<PrintedCode> values;
  std::string bytes;
  auto flush = [&](size_t size) {
    sizes.push_back(size);
    values.push_back(initializer(StringRef(bytes).take_front(size)));
    bytes.erase(0, size);
  };
  weights.forEachPiece(part.begin, part.end, [&](ArrayRef<char> piece) {
    bytes.append(piece.data(), piece.size());
    while (bytes.size() >= pieceBytes) {
      size_t zero = bytes.rfind('\0', pieceBytes - 1);
      flush(zero == std::string::npos ? pieceBytes : zero + 1);
    }
    return true;
  });
  bytes += '\0';
  flush(bytes.size());
  out.line("namespace {");
  PrintedCode type("Bytes_of_", part.symbol);
  out.line("struct ", type, " {");
  for (auto [i, size] : llvm::enumerate(sizes))
    out.line("  unsigned char part", i, "[", size, "];");
  out.line("};");
  // In this order: Clang takes no alignas behind an attribute.
  PrintedCode specifiers("alignas(", alignment, ") ");
  if (!part.section.empty())
    specifiers.append("__attribute__((section(", StringLiteral(part.section), "))) ");
  out.line(specifiers, "const ", type, " ", part.symbol, " = {", joinCode(values, ","), "};");
  out.line("} // namespace");
}

template <class T>
static T numberAt(StringRef bytes, size_t at) {
  T number;
  memcpy(&number, bytes.data() + at, sizeof(T));
  return number;
}

/// One number of a tensor as a literal.
static PrintedCode numberText(StringRef bytes, size_t at, Numbers numbers) {
  switch (numbers) {
  case Numbers::Bytes:
    return PrintedCode(numberAt<uint8_t>(bytes, at));
  case Numbers::Halves:
    return PrintedCode(numberAt<uint16_t>(bytes, at));
  case Numbers::Words:
    return PrintedCode(numberAt<uint32_t>(bytes, at), "u");
  case Numbers::Longs:
    return PrintedCode(numberAt<uint64_t>(bytes, at), "u");
  case Numbers::Floats:
    return PrintedCode::number(static_cast<double>(numberAt<float>(bytes, at)), true);
  case Numbers::Doubles:
    return PrintedCode::number(numberAt<double>(bytes, at), false);
  }
  llvm_unreachable("a kind of numbers without a form");
}

/// Bits for floats that have no literal: initializers are constants.
static Numbers numbersIn(StringRef bytes, Numbers numbers) {
  for (size_t at = 0; at < bytes.size(); at += bytesOf(numbers)) {
    if (numbers == Numbers::Floats && !std::isfinite(numberAt<float>(bytes, at)))
      return Numbers::Words;
    if (numbers == Numbers::Doubles && !std::isfinite(numberAt<double>(bytes, at)))
      return Numbers::Longs;
  }
  return numbers;
}

/// Each tensor by its numbers, so that it means the same in either order of bytes.
static void printNumbers(Printer &out, const WeightsImage &weights, int64_t alignment, const Part &part, bool isInRam) {
  std::vector<PrintedCode> values, members;
  for (const WeightsImage::Stored &tensor : weights.tensors()) {
    if (tensor.offset < part.begin || tensor.offset >= part.end || tensor.size == 0)
      continue;
    std::string bytes;
    weights.forEachPiece(tensor.offset, tensor.offset + tensor.size, [&](ArrayRef<char> piece) {
      bytes.append(piece.data(), piece.size());
      return true;
    });
    Numbers numbers = numbersIn(bytes, tensor.numbers);
    size_t size = bytesOf(numbers);
    PrintedCode text, line;
    for (size_t at = 0; at < bytes.size(); at += size) {
      PrintedCode number = numberText(bytes, at, numbers);
      if (line.text().size() + number.text().size() > 110)
        text.append(line, "\n     "), line = PrintedCode();
      line.append(number, at + size < bytes.size() ? PrintedCode(", ") : PrintedCode());
    }
    values.push_back(PrintedCode("\n    {", text, line, "}"));
    static constexpr const char *types[] = {"uint8_t", "uint16_t", "uint32_t", "uint64_t", "float", "double"};
    members.push_back(PrintedCode("alignas(", alignment, ") ",
                                  PrintedCode::trusted(types[static_cast<size_t>(numbers)]), " at", tensor.offset, "[",
                                  bytes.size() / size, "];"));
  }
  out.line("namespace {");
  PrintedCode type("Numbers_of_", part.symbol);
  out.comment("Members are named by their offsets.");
  {
    auto block = out.blockEnding("};", "struct ", type);
    for (const PrintedCode &member : members)
      out.line(member);
  }
  out.line(isInRam ? PrintedCode() : PrintedCode("const "), type, " ", part.symbol, " = {", joinCode(values, ","),
           "};");
  out.line("} // namespace");
}

/// Assembly is for the target's object format; compilers for another one would complain of its words alone.
static void requireFormat(Printer &out, const Target &target) {
  switch (target.objectFormat()) {
  case ObjectFormat::Elf:
    out.line("#if defined(__APPLE__) || defined(_WIN32) || defined(__CYGWIN__)");
    break;
  case ObjectFormat::Coff:
    out.line("#if !defined(_WIN32) && !defined(__CYGWIN__)");
    break;
  case ObjectFormat::MachO:
    out.line("#ifndef __APPLE__");
    break;
  case ObjectFormat::Wasm: // the source asks for its macros already
    return;
  }
  out.line("#error \"weights are brought as another system has it: name this one's target, or give --weights cpp\"");
  out.line("#endif");
}

int64_t beginBehind(int64_t inRam, const CodegenOptions &options) {
  return static_cast<int64_t>(llvm::alignTo(static_cast<uint64_t>(inRam), options.target.alignment));
}

void printWeights(Printer &out, const CodegenOptions &options, const Identifier &prefix, const PrintedCode &macro,
                  const WeightsImage &weights, int64_t inRam) {
  if (weights.size() == 0 || callerBringsWeights(options))
    return;
  bool isNumbers = options.weights == "numbers", isText = isNumbers || options.weights == "cpp";
  std::string section = isText ? "" : (".rodata." + prefix.text() + "_weights").str(); // linker scripts tell it apart
  if (StringRef form = options.weights; form.consume_front("section:"))
    section = form.str();
  std::vector<Part> parts;
  if (inRam > 0)
    parts.push_back({PrintedCode(prefix, "_weights_in_ram"), (".data." + prefix.text() + "_weights").str(), 0, inRam});
  if (int64_t begin = beginBehind(inRam, options); begin < weights.size())
    parts.push_back({PrintedCode(prefix, "_weights"), section, begin, weights.size()});
  if (!isText) {
    requireFormat(out, options.target);
    printFileName(out, options, macro);
  }
  for (const Part &part : parts)
    if (isNumbers)
      printNumbers(out, weights, options.target.alignment, part, part.begin < inRam);
    else if (isText)
      printLiterals(out, weights, options.target.alignment, part);
    else
      printIncbin(out, options, macro, part);
  out.blank();
}

} // namespace sinter
