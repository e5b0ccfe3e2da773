// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gbnf.cpp: texts that grammars have and have not, what is refused and on which line.
#include "grammars.h"

#include <doctest/doctest.h>

using namespace sinter::grammar;

TEST_CASE("gbnf: terminals, groups, repetitions") {
  const Compiled made = compileGbnf(R"gbnf(# a comment
root ::= greeting " " [A-Z] [a-z]{2,3} ("!" | "?" # another
  | ".")+
greeting ::= "hi" | "\x48ello" |
  "\u00e9\U0001F600\"")gbnf");
  CHECK(made.has("hi Anna!?"));
  CHECK(made.has("Hello Bob."));
  CHECK(made.has("\xc3\xa9\xf0\x9f\x98\x80\" Bob."));
  CHECK(!made.has("hi Al."));
  CHECK(!made.has("hi Anna"));
  const Compiled classes = compileGbnf("root ::= [^a-c\\]x]+ [-+] . [b\\n-]{,2}");
  CHECK(classes.has("d-\xe2\x82\xac"
                    "b\n"));
  CHECK(!classes.has("a-q"));
  CHECK(!classes.has("]-q"));
}
TEST_CASE("gbnf: rules that refer to themselves") {
  const Compiled sums = compileGbnf(R"gbnf(
root ::= sum ws
sum ::= product (("+" | "-") product)*
product ::= [0-9]+ | "(" sum ")"
ws ::= (" " ws)?)gbnf");
  CHECK(sums.has("1+(22-(3))  "));
  CHECK(!sums.has("1+(22-(3)"));
  CHECK(!sums.has("1+"));
}
TEST_CASE("gbnf: values of JSON, as grammars for them are written") {
  const Compiled made = compileGbnf(R"gbnf(
root   ::= object
value  ::= object | array | string | number | ("true" | "false" | "null") ws
object ::= "{" ws ( string ":" ws value ("," ws string ":" ws value)* )? "}" ws
array  ::= "[" ws ( value ("," ws value)* )? "]" ws
string ::= "\"" ( [^"\\\x7F\x00-\x1F] | "\\" (["\\bfnrt] | "u" [0-9a-fA-F]{4}) )* "\"" ws
number ::= ("-"? ([0-9] | [1-9] [0-9]{0,15})) ("." [0-9]+)? ([eE] [-+]? [0-9] [1-9]{0,15})? ws
ws ::= | " " | "\n" [ \t]{0,20})gbnf");
  CHECK(made.has("{\"a\": [1, -2.5e3, {\"b\\n\":null}],\n  \"c\": \"\\u00e9\"}"));
  CHECK(!made.has("[1]"));
  CHECK(!made.has("{\"a\": 01}"));
}
TEST_CASE("gbnf: what is refused") {
  const auto refused = [](std::string_view grammar, sinter::Code code, const char *message) {
    const Compiled made = compileGbnf(grammar);
    CHECK_MESSAGE(made.code == code, grammar);
    CHECK_MESSAGE(made.message.find(message) != std::string::npos, made.message);
  };
  refused("root ::= \"a\" word", sinter::Code::GrammarInvalid, "line 1 of the grammar: there is no rule word");
  refused("word ::= \"a\"", sinter::Code::GrammarInvalid, "there is no rule root");
  refused("", sinter::Code::GrammarInvalid, "there is no rule root");
  refused("root ::= list\nlist ::= item | [x]* list \",\" item\nitem ::= \"a\"", sinter::Code::GrammarUnsupported,
          "line 2 of the grammar: the rule list begins with itself");
  refused("root ::= a\na ::= b\nb ::= a \"x\"", sinter::Code::GrammarUnsupported, "begins with itself");
  refused("root ::= \"a\nb\"", sinter::Code::GrammarInvalid, "line 1 of the grammar: a text or a class has no end");
  refused("root ::= (\"a\"", sinter::Code::GrammarInvalid, "a ) is missing");
  refused("root ::= \"a\")", sinter::Code::GrammarInvalid, "a ) closes nothing");
  refused("root \"a\"", sinter::Code::GrammarInvalid, "::= is missing behind root");
  refused("root ::= [b-a]", sinter::Code::GrammarInvalid, "the wrong way round");
  refused("root ::= \"\\q\"", sinter::Code::GrammarInvalid, "quotes nothing");
  refused("root ::= \"\\ud800\"", sinter::Code::GrammarInvalid, "no code point");
  refused("root ::= \"\xff\"", sinter::Code::GrammarInvalid, "no UTF-8");
  refused("root ::= <[1000]>", sinter::Code::GrammarUnsupported, "a token by its name");
  refused("root ::= \"a\"{3,2}", sinter::Code::GrammarInvalid, "the wrong way round");
  refused("root ::= \"a\"{x}", sinter::Code::GrammarInvalid, "a number is missing");
  refused("root ::= \"a\"{5000}", sinter::Code::GrammarTooLarge, "above 2000");
  refused("root ::= \"a\"\nroot ::= \"b\"", sinter::Code::GrammarInvalid,
          "line 2 of the grammar: the rule root is defined twice");
  refused("root ::= \"a\" root", sinter::Code::GrammarInvalid, "no text satisfies");
}
TEST_CASE("gbnf: hostile grammars end in a diagnostic") {
  std::string uses = "root ::=";
  for (int i = 0; i < 20000; ++i)
    uses += " r";
  const std::string many = "\"\nr ::= \"" + std::string(20000, 'a') + "\"";
  CHECK(compileGbnf(uses + " \"b" + many).code == sinter::Code::GrammarTooLarge);
  CHECK(compileGbnf("root ::= " + std::string(100000, '(')).code == sinter::Code::GrammarTooLarge);
  std::string doubling = "root ::= r0 r0\n", chain = "root ::= r0\n";
  for (int i = 0; i < 40; ++i)
    doubling += "r" + std::to_string(i) + " ::= r" + std::to_string(i + 1) + " r" + std::to_string(i + 1) + "\n";
  CHECK(compileGbnf(doubling + "r40 ::= \"a\"").code == sinter::Code::GrammarTooLarge);
  for (int i = 0; i < 1500; ++i)
    chain += "r" + std::to_string(i) + " ::= \"a\" r" + std::to_string(i + 1) + "\n";
  CHECK(compileGbnf(chain + "r1500 ::= \"b\"").has(std::string(1500, 'a') + "b", 64));
}
