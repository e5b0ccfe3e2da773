// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// json_schema.cpp: texts that schemas have and have not, recursion, what is refused; test/generation/constrained.py
// validates what is generated.
#include "grammars.h"

#include <doctest/doctest.h>

using namespace sinter::grammar;

TEST_CASE("json_schema: objects have required properties in order, then others by name") {
  const Compiled made = compileSchema(
      R"({"properties": {"b": {"type": "integer"}, "a": {"type": "null"}, "z": {"const": 1}}, "required": ["z"]})");
  CHECK(made.has(R"({"z":1,"a":null,"b":-20})"));
  CHECK(made.has(R"({"z": 1, "b": 0})"));
  CHECK(!made.has(R"({"b":1})"));
  CHECK(!made.has(R"({"z":1,"b":01})"));
  CHECK(!made.has(R"({"z":1,"z":1})"));
  CHECK(!made.has(R"({"z":1,"c":1})"));
}
TEST_CASE("json_schema: recursion has a stack, whose depth is the caller's") {
  const Compiled made = compileSchema(R"({"type": "array", "items": {"$ref": "#"}})");
  CHECK(made.has("[[],[[]]]"));
  CHECK(!made.has("[[],[1]]"));
  CHECK(!made.has("[[]"));
  CHECK(made.has("[[[]]]", 2));
  CHECK(!made.has("[[[[]]]]", 2));
}
TEST_CASE("json_schema: any value") {
  const Compiled made = compileSchema("true");
  CHECK(made.has(R"({"a": [1.5e3, true, null, "\u00e9\n"], "b": {}})"));
  CHECK(!made.has(R"("\ud800")"));
  CHECK(!made.has("\"\n\""));
}
TEST_CASE("json_schema: $ref with escapes, and into lists") {
  const auto refersTo = [](const std::string &pointer, const std::string &definitions) {
    return compileSchema(R"({"$ref": ")" + pointer + R"(", "$defs": )" + definitions + "}").has("7");
  };
  CHECK(refersTo("#/$defs/a~1b", R"({"a/b": {"const": 7}})"));
  CHECK(refersTo("#/$defs/a~01", R"({"a~1": {"const": 7}})"));
  CHECK(refersTo("#/%24defs/a%20b%7e0", R"({"a b~": {"const": 7}})"));
  CHECK(refersTo("#/$defs/a%25", R"({"a%": {"const": 7}})"));
  CHECK(refersTo("#/$defs/", R"({"": {"const": 7}})"));
  CHECK(refersTo("#/$defs/a//b", R"({"a": {"": {"b": {"const": 7}}}})"));
  CHECK(refersTo("#/$defs/a/anyOf/1", R"({"a": {"anyOf": [true, {"const": 7}]}})"));
  for (const char *nothing :
       {"#/$defs/a/anyOf/01", "#/$defs/a/anyOf/1", "#/$defs/a/", "#$defs/a", "#/$defs/a/anyOf/-1"})
    CHECK(compileSchema(R"({"$ref": ")" + std::string(nothing) + R"(", "$defs": {"a": {"anyOf": [true]}}})").code ==
          sinter::Code::GrammarInvalid);
}
TEST_CASE("json_schema: what is refused") {
  const auto codeOf = [](std::string_view schema) { return compileSchema(schema).code; };
  for (const char *invalid : {"{",
                              "3",
                              "false",
                              R"({"type": "x"})",
                              R"({"$ref": "#/$defs/a"})",
                              R"({"enum": []})",
                              R"({"type": "array", "minItems": -1})",
                              R"({"$ref": "#"})",
                              R"({"const": 1e400})",
                              R"({"enum": [1, [{"a": -1e999}]]})",
                              R"({"properties": 5})",
                              R"({"type": "object", "required": "a"})",
                              R"({"properties": {"a": true}, "required": [1]})",
                              R"({"type": "string", "pattern": 5})",
                              R"({"type": []})",
                              R"({"type": "array", "items": 5})",
                              R"({"properties": {"a": true}, "additionalProperties": 5})",
                              R"({"minLength": 1.5})",
                              R"({"minItems": 3, "maxItems": 2})",
                              R"({"anyOf": []})",
                              R"({"enum": 1})",
                              R"({"$ref": "#/$defs/a~2", "$defs": {"a~2": true}})",
                              R"({"$ref": "#/%2"})"})
    CHECK_MESSAGE(codeOf(invalid) == sinter::Code::GrammarInvalid, invalid);
  for (const char *unsupported :
       {R"({"type": "integer", "minimum": 0})", R"({"allOf": []})", R"({"type": "string", "items": {}})",
        R"({"type": "string", "pattern": "a", "maxLength": 3})", R"({"type": "object", "required": ["a"]})",
        R"({"anyOf": [{"type": "array", "items": {"$ref": "#"}}, {"type": "array", "items": true}, true]})"})
    CHECK_MESSAGE(codeOf(unsupported) == sinter::Code::GrammarUnsupported, unsupported);
  CHECK(codeOf(R"({"type": "array", "maxItems": 2001})") == sinter::Code::GrammarTooLarge);
  CHECK(codeOf(std::string(100000, '[')) == sinter::Code::GrammarTooLarge);
  // Each refers twice to the next: 2^30 schemas.
  std::string defs;
  for (int i = 0; i < 30; ++i) {
    const std::string next = R"({"$ref": "#/$defs/a)" + std::to_string(i + 1) + "\"}";
    defs += "\"a" + std::to_string(i) + R"(": {"anyOf": [)" + next + ", " + next + "]}, ";
  }
  CHECK(codeOf(R"({"$ref": "#/$defs/a0", "$defs": {)" + defs + R"("a30": true}})") == sinter::Code::GrammarTooLarge);
}
