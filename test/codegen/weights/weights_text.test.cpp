// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forms of weights in the source.
#include "codegen/weights/weights_text.h"

#include "codegen/text/names.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {

std::string textOf(const std::string &form, const std::string &bytes, int64_t inRam = 0,
                   const std::string &triple = "x86_64-linux-gnu") {
  CodegenOptions options;
  options.prefix = "net";
  options.weights = form;
  options.target.alignment = 4;
  options.target.triple = triple;
  WeightsImage image(4);
  if (!bytes.empty())
    image.append(llvm::ArrayRef(bytes.data(), bytes.size()));
  Names names;
  Printer out;
  printWeights(out, options, names.make("net"), "NET", image, inRam);
  return out.take();
}

bool has(const std::string &text, const char *part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("no weights, or the caller's: nothing") {
  CHECK(textOf("incbin", "") == "");
  CHECK(textOf("file", "abcd") == "");
}

TEST_CASE("the assembler reads the file into a section of its own, or the one that is named") {
  std::string text = textOf("incbin", "abcdefgh");
  CHECK(has(text, "\".rodata.net_weights\" \",\\\"a\\\",%progbits"));
  CHECK(has(text, "\".incbin \\\"\" NET_WEIGHTS_FILE \"\\\", 0, 8\\n\""));
  CHECK(has(text, "#define NET_WEIGHTS_FILE \"net_weights.bin\""));
  CHECK(has(textOf("section:.qspi", "abcdefgh"), "\".pushsection \" \".qspi\" "));
  // No other system's compiler is left to complain of the words of assembly.
  CHECK(has(text, "#if defined(__APPLE__) || defined(_WIN32) || defined(__CYGWIN__)\n#error \"weights are"));
  CHECK(has(textOf("incbin", "abcdefgh", 0, "x86_64-w64-mingw32"), "#if !defined(_WIN32) &&"));
  CHECK(has(textOf("incbin", "abcdefgh", 0, "arm64-apple-ios"), "#ifndef __APPLE__\n#error"));
  CHECK(!has(textOf("cpp", "abcdefgh"), "#error"));
}

TEST_CASE("weights that other data would lie too far behind go behind it, where code does not reach everything") {
  Target target;
  target.triple = "x86_64-linux-gnu";
  CHECK(liesFar(int64_t(3) << 30, target));
  CHECK(!liesFar(1 << 29, target));
  target.triple = "aarch64-linux-gnu";
  CHECK(!liesFar(int64_t(3) << 30, target));
  target.triple = "x86_64-w64-mingw32"; // its files end at 4 GiB
  CHECK(!liesFar(int64_t(3) << 30, target));
}

TEST_CASE("the part in RAM is initialized data, the rest begins aligned behind it") {
  std::string text = textOf("incbin", "abcdefgh", 3);
  CHECK(has(text, "\".data.net_weights\" \",\\\"aw\\\",%progbits"));
  CHECK(has(text, "0, 3\\n\""));
  CHECK(has(text, "4, 4\\n\""));
}

TEST_CASE("objects of Windows and of Apple's systems have sections and symbols of their own") {
  std::string coff = textOf("incbin", "abcdefgh", 4, "x86_64-w64-mingw32");
  CHECK(has(coff, "\".section \" \".rdata$net_weights\" \",\\\"dr\\\"\\n\""));
  CHECK(has(coff, "\".section \" \".data$net_weights_in_ram\" \",\\\"dw\\\"\\n\""));
  CHECK(!has(coff, "hidden"));
  CHECK(!has(coff, "popsection"));
  std::string apple = textOf("incbin", "abcdefgh", 0, "arm64-apple-ios");
  CHECK(has(apple, "\".pushsection \" \"__TEXT,__const\""));
  CHECK(has(apple, "\".private_extern _net_weights\\n\""));
  CHECK(has(apple, "\"_net_weights:\\n\""));
  CHECK(has(apple, "const unsigned char net_weights[];"));
}

TEST_CASE("literals hold their last zero themselves") {
  std::string text = textOf("cpp", "ab?\n");
  CHECK(has(text, "unsigned char part0[5];"));
  CHECK(has(text, "\"ab\\?\\012\"};"));
  CHECK(has(text, "alignas(4) const"));
  // Without a zero among 60000 bytes there is a list of numbers, and the rest as a literal.
  text = textOf("cpp", std::string(60001, 'x'));
  CHECK(has(text, "unsigned char part0[60000];"));
  CHECK(has(text, "unsigned char part1[2];"));
  CHECK(has(text, "{120, 120"));
}

TEST_CASE("numbers are literals of their type, so that the order of bytes is the reader's") {
  CodegenOptions options;
  options.target.alignment = 8;
  options.weights = "numbers";
  WeightsImage image(8);
  const float floats[] = {0.5f, -0.25f}, odd[] = {1.0f, INFINITY};
  const int16_t halves[] = {1, -1};
  const int64_t longs[] = {-1};
  auto append = [&](const auto &values, Numbers numbers) {
    image.append(llvm::ArrayRef(reinterpret_cast<const char *>(&values), sizeof(values)), numbers);
  };
  append(floats, Numbers::Floats);
  append(halves, Numbers::Halves);
  append(longs, Numbers::Longs);
  append(odd, Numbers::Floats);
  // Equal bytes that are other numbers are another tensor.
  append(floats, Numbers::Words);
  CHECK(image.tensors().size() == 5);
  Names names;
  Printer out;
  printWeights(out, options, names.make("net"), "NET", image, 0);
  const std::string text = out.take();
  CHECK(has(text, "alignas(8) float at0[2];"));
  CHECK(has(text, "alignas(8) uint16_t at8[2];"));
  CHECK(has(text, "{0.5f, -0.25f}"));
  CHECK(has(text, "{1, 65535}"));
  CHECK(has(text, "{18446744073709551615u}"));
  // No constant expression is infinite without the compiler's help: the bits are.
  CHECK(has(text, "alignas(8) uint32_t at24[2];"));
  CHECK(has(text, "{1065353216u, 2139095040u}"));
}
