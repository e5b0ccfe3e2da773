// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names are injective and legal; text of a model cannot leave a comment or a literal, and does not convert to Code.
#include "codegen/text/names.h"
#include "codegen/codegen.h"
#include "codegen/text/code.h"

#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("names: the contract's rule") {
  Names names({"KWS_"});
  CHECK(names.make("input.1").text() == "input_1");
  CHECK(names.make("input/1").text() == "input_1_2");
  CHECK(names.make("input:1").text() == "input_1_3");
  CHECK(names.make("input_1_2").text() == "input_1_2_2");
  CHECK(names.make("int").text() == "x_int");
  CHECK(names.make("7up").text() == "x_7up");
  CHECK(names.make("__LINE__").text() == "x___LINE__");
  CHECK(names.make("_Bool").text() == "x__Bool");
  CHECK(names.make("").text() == "x_");
  CHECK(names.make("KWS_ARENA_BYTES").text() == "x_KWS_ARENA_BYTES");
  CHECK(names.make("INT32_MAX").text() == "x_INT32_MAX");
  CHECK(names.make("\xe2\x80\xa8").text() == "x____");
  CHECK(names.make("a_").text() == "a_");
  CHECK(names.make("a:").text() == "a_2");
  CHECK(names.make("a/").text() == "a_3");
}

TEST_CASE("names: what C, C++, POSIX and our own headers take") {
  Names names;
  for (const char *taken :
       {"SIG_ATOMIC_MAX", "WCHAR_MIN",       "WINT_MAX",      "PTRDIFF_MIN", "NAN",          "B0",      "errno",
        "stdin",          "st_atime",        "linux",         "I",           "unix",         "s6_addr", "span",
        "size_t",         "contract_assert", "typeof_unqual", "_Bool",       "EXIT_SUCCESS", "SIGKILL", "NULL",
        "sinter_string"})
    CHECK(names.make(taken).text() == std::string("x_") + taken);
  // Functions only matter where a name stands at file scope.
  for (const char *free : {"y0", "index", "time", "log", "x", "Y", "input", "output", "std", "main", "printf"})
    CHECK(names.make(free).text() == free);
}

TEST_CASE("prefixes: neither namespaces nor files of that name are there") {
  for (const char *taken : {"std", "main", "printf", "errno", "math", "time", "index", "posix", "stdio", "read", "y0",
                            "int", "namespace", "timeval"})
    CHECK(legalPrefix(taken) == std::string("x_") + taken);
  for (const char *free : {"kws", "vww", "digits", "net", "model", "m", "x_std"})
    CHECK(legalPrefix(free) == free);
}

TEST_CASE("comments stay comments") {
  CHECK(Comment("a */ b").text() == "a * / b");
  CHECK(Comment("a /* b").text() == "a / * b");
  CHECK(Comment("x\\").text() == "x%5c");
  CHECK(Comment("x\n#include").text() == "x%0a#include");
  CHECK(Comment("?"
                "?/")
            .text() == "? ?/");
  CHECK(Comment(llvm::StringRef("\0\x7f", 2)).text() == "%00%7f");
  CHECK(Comment(std::string(5000, 'a')).text().size() == 4099);
}

TEST_CASE("string literals") {
  CHECK(sinter::StringLiteral("a\"b\\c?").text() == "\"a\\\"b\\\\c\\?\"");
  CHECK(sinter::StringLiteral("\n1\xff").text() == "\"\\0121\\377\"");
}

TEST_CASE("foreign text is no code") {
  static_assert(!std::is_constructible_v<PrintedCode, std::string>);
  static_assert(!std::is_constructible_v<PrintedCode, const char *>);
  static_assert(!std::is_constructible_v<PrintedCode, llvm::StringRef>);
  static_assert(!std::is_constructible_v<Identifier, std::string>);
  static_assert(std::is_constructible_v<PrintedCode, const Comment &>);
}

TEST_CASE("numbers read back exactly") {
  CHECK(PrintedCode::number(0.1f, true).text() == "0.1f");
  CHECK(PrintedCode::number(1, true).text() == "1.0f");
  CHECK(PrintedCode::number(-0.0, false).text() == "-0.0");
  CHECK(PrintedCode::number(1e30, true).text() == "1.0E+30f");
  CHECK(PrintedCode::number(__builtin_inf(), true).text() == "float(SINTER_INFINITY)");
  CHECK(PrintedCode::integer(INT64_MIN, 64).text() == "(-9223372036854775807 - 1)");
}
