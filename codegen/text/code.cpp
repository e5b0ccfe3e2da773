// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Escapes of comments and string literals, and number literals.
#include "code.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {

constexpr size_t longestForeignText = 4096;

std::string octal(unsigned char c) {
  return {'\\', static_cast<char>('0' + (c >> 6)), static_cast<char>('0' + ((c >> 3) & 7)),
          static_cast<char>('0' + (c & 7))};
}

} // namespace

Comment::Comment(StringRef foreign) {
  const char *digits = "0123456789abcdef";
  for (unsigned char c : foreign.take_front(longestForeignText)) {
    char last = escaped.empty() ? ' ' : escaped.back();
    // "*/" would end a comment, "/*" nests, "??/" is a backslash where trigraphs are on, a backslash joins lines.
    if ((c == '/' && (last == '*' || last == '/')) || (c == '*' && last == '/') || (c == '?' && last == '?'))
      escaped += ' ';
    if (c >= 0x20 && c < 0x7f && c != '\\')
      escaped += static_cast<char>(c);
    else
      escaped += {'%', digits[c >> 4], digits[c & 15]};
  }
  if (foreign.size() > longestForeignText)
    escaped += "...";
}

StringLiteral::StringLiteral(StringRef foreign) : quoted("\"") {
  for (unsigned char c : foreign) {
    if (c == '"' || c == '\\' || c == '?')
      quoted += {'\\', static_cast<char>(c)};
    else if (c >= 0x20 && c < 0x7f)
      quoted += static_cast<char>(c);
    else
      quoted += octal(c);
  }
  quoted += '"';
}

JsonString::JsonString(StringRef foreign) : quoted("\"") {
  std::string text = json::fixUTF8(foreign);
  const auto *at = reinterpret_cast<const UTF8 *>(text.data()), *end = at + text.size();
  while (at != end) {
    UTF32 c = 0xfffd;
    if (convertUTF8Sequence(&at, end, &c, strictConversion) != conversionOK)
      break;
    auto escape = [&](uint32_t unit) { raw_string_ostream(quoted) << "\\u" << format_hex_no_prefix(unit, 4); };
    if (c >= 0x10000) {
      escape(0xd800 + ((c - 0x10000) >> 10));
      escape(0xdc00 + ((c - 0x10000) & 0x3ff));
    } else if (c < 0x20 || c >= 0x7f || StringRef("\"\\<>&*").contains(static_cast<char>(c))) {
      escape(c);
    } else {
      quoted += static_cast<char>(c);
    }
  }
  quoted += '"';
}

PrintedCode PrintedCode::number(double value, bool isFloat) {
  const char *suffix = isFloat ? "f" : "";
  APFloat exact(value);
  if (!exact.isFinite()) {
    std::string name = std::string(exact.isNegative() && exact.isInfinity() ? "-" : "") +
                       (exact.isNaN() ? "SINTER_NAN" : "SINTER_INFINITY");
    return trusted(isFloat ? "float(" + name + ")" : name);
  }
  if (isFloat) {
    bool losesInfo;
    exact.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &losesInfo);
  }
  SmallString<32> text;
  unsigned mostDigits = isFloat ? 9 : 17;
  for (unsigned digits = isFloat ? 6 : 15; digits <= mostDigits; ++digits) {
    text.clear();
    exact.toString(text, digits, 8);
    if (APFloat(exact.getSemantics(), text).bitwiseIsEqual(exact))
      break;
  }
  if (text.find_first_of(".E") == StringRef::npos)
    text += ".0";
  return trusted((text + suffix).str());
}

PrintedCode PrintedCode::integer(int64_t value, unsigned bits) {
  if (bits == 64 && value == INT64_MIN)
    return "(-9223372036854775807 - 1)";
  if (bits == 32 && value == INT32_MIN)
    return "(-2147483647 - 1)";
  return PrintedCode(value);
}

PrintedCode joinCode(ArrayRef<PrintedCode> parts, const PrintedCode &separator) {
  PrintedCode all;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i)
      all.append(separator);
    all.append(parts[i]);
  }
  return all;
}

} // namespace sinter
