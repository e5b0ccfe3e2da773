// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "grammar/json_values.h"
#include "grammar/regex.h"

namespace sinter::grammar {

namespace {

Pattern oneOf(std::string_view characters) {
  ByteSet set;
  for (const char c : characters)
    set.set(static_cast<unsigned char>(c));
  return bytesOf(set);
}
const std::string_view kTenDigits = "0123456789", kHexDigits = "0123456789abcdefABCDEF";

} // namespace

// Digits have bounds, so that no number runs on without end.
Pattern jsonInteger() {
  const Pattern whole = sequence({oneOf("123456789"), repeat(oneOf(kTenDigits), 0, 17)});
  return sequence({optional(literal("-")), choice({literal("0"), whole})});
}
Pattern jsonNumber() {
  const Pattern digits = repeat(oneOf(kTenDigits), 1, 17);
  return sequence({jsonInteger(), optional(sequence({literal("."), digits})),
                   optional(sequence({oneOf("eE"), optional(oneOf("+-")), repeat(oneOf(kTenDigits), 1, 2)}))});
}

Pattern jsonCharacter() {
  const Pattern hex = oneOf(kHexDigits);
  const Pattern noSurrogate = choice(
      {sequence({oneOf("0123456789abcefABCEF"), hex, hex, hex}), sequence({oneOf("dD"), oneOf("01234567"), hex, hex})});
  return choice({utf8({{0x20, 0x21}, {0x23, 0x5b}, {0x5d, 0x10ffff}}), sequence({literal("\\"), oneOf("\"\\/bfnrt")}),
                 sequence({literal("\\u"), noSurrogate})});
}
Pattern jsonString(Pattern content) { return sequence({literal("\""), std::move(content), literal("\"")}); }
Pattern jsonComma() { return sequence({literal(","), optional(literal(" "))}); }
Pattern jsonColon() { return sequence({literal(":"), optional(literal(" "))}); }

Pattern jsonList(const char *open, const char *close, Pattern item, int min, int max) {
  std::vector<Pattern> parts = {literal(open)};
  if (max != 0) {
    const Pattern more = repeat(sequence({jsonComma(), item}), min > 0 ? min - 1 : 0, max < 0 ? -1 : max - 1);
    const Pattern items = sequence({item, more});
    parts.push_back(min > 0 ? items : optional(items));
  }
  parts.push_back(literal(close));
  return sequence(std::move(parts));
}

Pattern jsonAny(int self) {
  const Pattern text = jsonString(repeat(jsonCharacter(), 0, -1));
  return choice({literal("null"), literal("true"), literal("false"), jsonNumber(), text,
                 jsonList("[", "]", call(self), 0, -1),
                 jsonList("{", "}", sequence({text, jsonColon(), call(self)}), 0, -1)});
}

} // namespace sinter::grammar
