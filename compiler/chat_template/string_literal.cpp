// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "chat_template/string_literal.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ConvertUTF.h"

using namespace llvm;

namespace sinter::chat_template {
namespace {
bool appendCodePoint(uint32_t codePoint, std::string &to) {
  char buffer[UNI_MAX_UTF8_BYTES_PER_CODE_POINT], *end = buffer;
  if (!ConvertCodePointToUTF8(codePoint, end))
    return false;
  to.append(buffer, end);
  return true;
}
} // namespace

std::optional<std::string> unescape(StringRef body) {
  std::string result;
  while (!body.empty()) {
    size_t plain = std::min(body.find('\\'), body.size());
    result += body.take_front(plain);
    body = body.drop_front(plain);
    if (body.empty())
      break;
    if (body.size() == 1)
      return std::nullopt;
    char c = body[1];
    body = body.drop_front(2);
    static constexpr StringLiteral simple = "ntrabfv\\'\"", meant = "\n\t\r\a\b\f\v\\'\"";
    if (size_t i = simple.find(c); i != StringRef::npos) {
      result += meant[i];
    } else if (size_t digits =
                   StringSwitch<size_t>(StringRef(&c, 1)).Case("x", 2).Case("u", 4).Case("U", 8).Default(0)) {
      uint32_t codePoint = 0;
      if (body.size() < digits || body.take_front(digits).getAsInteger(16, codePoint) ||
          !appendCodePoint(codePoint, result))
        return std::nullopt;
      body = body.drop_front(digits);
    } else if (c >= '0' && c <= '7') {
      uint32_t codePoint = c - '0';
      for (int i = 0; i < 2 && !body.empty() && body[0] >= '0' && body[0] <= '7'; ++i, body = body.drop_front())
        codePoint = codePoint * 8 + (body[0] - '0');
      appendCodePoint(codePoint, result);
    } else if (c == 'N') {
      return std::nullopt;
    } else if (c != '\n') { // a line that goes on
      result += '\\';
      result += c;
    }
  }
  return result;
}

} // namespace sinter::chat_template
