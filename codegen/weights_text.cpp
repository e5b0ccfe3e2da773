// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weights_text.h"
#include "names.h"

using namespace llvm;

namespace sinter {

bool callerBringsWeights(const CodegenOptions &options) { return options.weights == "file"; }

std::string weightsFileName(const CodegenOptions &options) { return Names::legal(options.prefix) + "_weights.bin"; }

bool hasWeightsFile(const CodegenOptions &options, const WeightsImage &weights) {
  return weights.size() > 0 && options.weights != "cpp";
}

/// File-scope asm: compilers need neither to parse the bytes nor to know the ASM language.
static void printIncbin(Printer &out, const CodegenOptions &options, const Identifier &prefix, const Code &macro) {
  StringRef section = ".rodata";
  if (StringRef form = options.weights; form.consume_front("section:"))
    section = form;
  Code symbol(prefix, "_weights");
  out.comment("The assembler looks for the file in the folders given by -I; define ", macro,
              "_WEIGHTS_FILE to name another one.");
  out.line("#ifndef ", macro, "_WEIGHTS_FILE");
  out.line("#define ", macro, "_WEIGHTS_FILE ", StringLiteral(weightsFileName(options)));
  out.line("#endif");
  out.line("__asm__(\".pushsection \" ", StringLiteral(section), " \",\\\"a\\\",%progbits\\n\"");
  out.line("        \".balign ", options.target.alignment, "\\n\"");
  out.line("        \".globl ", symbol, "\\n\"");
  out.line("        \".hidden ", symbol, "\\n\"");
  out.line("        \".type ", symbol, ", %object\\n\"");
  out.line("        \"", symbol, ":\\n\"");
  out.line("        \".incbin \\\"\" ", macro, "_WEIGHTS_FILE \"\\\"\\n\"");
  out.line("        \".size ", symbol, ", . - ", symbol, "\\n\"");
  out.line("        \".popsection\\n\");");
  out.line("extern \"C\" __attribute__((visibility(\"hidden\"))) const unsigned char ", symbol, "[];");
}

/// One member of the struct: a literal, whose own zero byte is the last one of `bytes`, or numbers where there is no
/// such byte.
static Code initializer(StringRef bytes) {
  constexpr size_t lineBytes = 64;
  Code text;
  if (bytes.back() != 0) {
    for (auto [i, byte] : llvm::enumerate(bytes))
      text.append(i % 32 ? Code(", ") : i ? Code(",\n    ") : Code("\n    {"), static_cast<unsigned char>(byte));
    return text.append("}");
  }
  bytes = bytes.drop_back();
  for (size_t at = 0; at == 0 || at < bytes.size(); at += lineBytes)
    text.append("\n    ", StringLiteral(bytes.substr(at, lineBytes)));
  return text;
}

/// Pieces of at most 60 KB, because compilers limit literals, that end in a zero byte; one struct keeps them together
/// and aligned.
static void printLiterals(Printer &out, const Identifier &prefix, const WeightsImage &weights, int64_t alignment) {
  constexpr size_t pieceBytes = 60000;
  std::vector<size_t> sizes;
  std::vector<Code> values;
  std::string bytes;
  auto flush = [&](size_t size) {
    sizes.push_back(size);
    values.push_back(initializer(StringRef(bytes).take_front(size)));
    bytes.erase(0, size);
  };
  weights.forEachPiece([&](ArrayRef<char> piece) {
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
  out.line("struct Weights {");
  for (auto [i, size] : llvm::enumerate(sizes))
    out.line("  unsigned char part", i, "[", size, "];");
  out.line("};");
  out.line("alignas(", alignment, ") const Weights ", prefix, "_weights = {", joinCode(values, ","), "};");
  out.line("} // namespace");
}

void printWeights(Printer &out, const CodegenOptions &options, const Identifier &prefix, const Code &macro,
                  const WeightsImage &weights) {
  if (weights.size() == 0 || callerBringsWeights(options))
    return;
  if (options.weights == "cpp")
    printLiterals(out, prefix, weights, options.target.alignment);
  else
    printIncbin(out, options, prefix, macro);
  out.blank();
}

} // namespace sinter
