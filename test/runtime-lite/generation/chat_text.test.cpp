// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// chat_text.h on bytes that are no UTF-8. What texts mean in templates: test/compiler/chat_template.
#include "runtime-lite/generation/chat_text.h"

#include <doctest/doctest.h>

#include <string>

using namespace sinter::generation;

namespace {
uint32_t firstOf(const std::string &text) { return codePointAt({text.data(), text.size()}, 0); }
} // namespace

TEST_CASE("code points") {
  CHECK(firstOf("a") == 'a');
  CHECK(firstOf("\xc2\x85") == 0x85);
  CHECK(firstOf("\xe3\x80\x80x") == 0x3000);
  CHECK(firstOf("\xf0\x9f\x98\x80") == 0x1f600);
}

TEST_CASE("what is no UTF-8 is no code point, however many bytes it has") {
  for (size_t count = 1; count < 80; ++count)
    for (const char *lead : {"", " ", "\x22", "\xc2", "\xe3", "\xf0", "\xff"}) {
      const std::string text = lead + std::string(count, '\x80');
      if (text.size() != utf8Length(uint8_t(text[0])))
        CHECK(firstOf(text) == 0xfffd);
      CHECK(characterCount({text.data(), text.size()}) == 1);
    }
  CHECK(firstOf("\x22\x85") == 0xfffd); // a lead of one byte has no part in a code point of two
  CHECK(firstOf("\xe3\x80") == 0xfffd);
}
