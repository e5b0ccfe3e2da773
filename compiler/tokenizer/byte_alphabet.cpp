// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tokenizer/byte_alphabet.h"

#include "tokenizer/tokenizer.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace sinter::tokenizer {
namespace {
/// Of characters below U+0144: the byte that each stands for, -1 for none.
const std::vector<int> &alphabetBytes() {
  static const std::vector<int> bytes = [] {
    std::vector<int> of(0x144, -1);
    uint32_t next = 0x100;
    for (int byte = 0; byte < 256; ++byte) {
      bool isSeen = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
      of[isSeen ? byte : next++] = byte;
    }
    return of;
  }();
  return bytes;
}
} // namespace

std::optional<std::string> bytesOfAlphabet(StringRef word) {
  std::string bytes;
  for (uint32_t c : codePointsOf(word)) {
    if (c >= alphabetBytes().size() || alphabetBytes()[c] < 0)
      return std::nullopt;
    bytes += static_cast<char>(alphabetBytes()[c]);
  }
  return bytes;
}

std::string byteTokenName(unsigned byte) {
  return std::string("<0x") + hexdigit(byte >> 4) + hexdigit(byte & 15) + ">";
}

std::optional<uint8_t> byteOfTokenName(StringRef name) {
  unsigned byte;
  if (name.size() != 6 || !name.starts_with("<0x") || !name.ends_with(">") || name.slice(3, 5).getAsInteger(16, byte))
    return std::nullopt;
  return static_cast<uint8_t>(byte);
}

} // namespace sinter::tokenizer
