// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/text/conditions.h"

#include "llvm/ADT/StringExtras.h"
#include <doctest/doctest.h>

using namespace sinter;

/// What is left of a text where YES is defined, NO is not, and of others nobody knows.
static std::string kept(llvm::StringRef text) {
  auto oracle = [](llvm::StringRef macro) {
    return macro == "YES" ? std::optional(true) : macro == "NO" ? std::optional(false) : std::nullopt;
  };
  Conditions conditions(oracle, "OWN_");
  std::string all;
  for (llvm::StringRef line : llvm::split(text, '\n'))
    if (std::optional<std::string> left = conditions.keep(line))
      all += *left + "|";
  return all;
}

TEST_CASE("a branch that is decided stays without its condition, the others go") {
  CHECK(kept("#if defined(YES)\na\n#else\nb\n#endif") == "a|");
  CHECK(kept("#if defined(NO)\na\n#elif defined(YES) // says why\nb\n#else\nc\n#endif\nd") == "b|d|");
  CHECK(kept("#ifdef NO\n#if defined(MAYBE)\na\n#else\nb\n#endif\n#endif") == "");
  CHECK(kept("#ifndef NO\na\n#endif") == "a|");
}

TEST_CASE("what nobody knows stays, as short as it may be") {
  CHECK(kept("#if defined(MAYBE)\na\n#elif defined(NO)\nb\n#else\nc\n#endif") ==
        "#if defined(MAYBE)|a|#else|c|#endif|");
  CHECK(kept("#if defined(NO) || (defined(YES) && defined(MAYBE))\na\n#endif") == "#if (defined(MAYBE))|a|#endif|");
  CHECK(kept("#if defined(NO)\na\n#elif defined(MAYBE)\nb\n#endif") == "#if defined(MAYBE)|b|#endif|");
  CHECK(kept("#if defined(MAYBE)\na\n#elif defined(YES)\nb\n#else\nc\n#endif") ==
        "#if defined(MAYBE)|a|#else|b|#endif|");
  CHECK(kept("#if defined(YES) && (YES & 4)\na\n#endif") == "#if (YES & 4)|a|#endif|");
  CHECK(kept("#if __has_include(<a.h>)\n#include <a.h>\n#elif __has_include(<b/a.h>) && defined(YES)\nb\n#endif") ==
        "#if __has_include(<a.h>)|#include <a.h>|#elif __has_include(<b/a.h>)|b|#endif|");
  CHECK(kept("#if PROFILE == 'M'\na\n#endif") == "#if PROFILE == 77|a|#endif|");
}

TEST_CASE("the text's own macros have the values that it gives them") {
  CHECK(kept("#define OWN_A 16\n#if OWN_A >= 16 && !OWN_B\na\n#endif") == "#define OWN_A 16|a|");
  CHECK(kept("#if defined(NO)\n#define OWN_A 1\n#endif\n#if defined(OWN_A)\na\n#endif") == "");
  const char *const perhaps = "#if defined(MAYBE)\n#define OWN_A 1\n#endif\n#if defined(OWN_A)\na\n#endif";
  CHECK(kept(perhaps) == "#if defined(MAYBE)|#define OWN_A 1|#endif|#if defined(OWN_A)|a|#endif|");
  CHECK(kept("#define OWN_A 1\n#undef OWN_A\n#if OWN_A\na\n#endif") == "#define OWN_A 1|#undef OWN_A|");
}
