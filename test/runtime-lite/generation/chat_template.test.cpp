// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// chat_template.h on programs written by hand: limits and statuses. What templates mean: test/compiler/chat_template.
#include "runtime-lite/generation/chat_template.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace sinter::generation;

namespace {
uint32_t code(ChatOp op, uint32_t operand = 0) { return uint32_t(op) | operand << 8; }

struct Rendered {
  int64_t status;
  std::string text;
};
Rendered render(const std::vector<uint32_t> &code, size_t scratchBytes = 1 << 17, size_t capacity = 256,
                const ChatInput &input = {}) {
  const std::string bytes = "hello messages ";
  const uint32_t starts[] = {0, 6, 14}, context[] = {1, 0};
  const int64_t numbers[] = {0};
  const ChatMacro macros[] = {{0, 0, 0}};
  const void *data = bytes.data();
  const ChatProgram program = {code.data(), starts, static_cast<const uint8_t *>(data), numbers, macros, context, 1, 1};
  std::vector<char> scratch(scratchBytes), text(capacity, 'x');
  int64_t status = renderChat(program, input, scratch.data(), scratch.size(), text.data(), capacity);
  return {status, std::string(text.data(), status < 0 ? strlen(text.data()) : std::min(capacity, size_t(status)))};
}
} // namespace

TEST_CASE("what does not fit is counted") {
  const std::vector<uint32_t> hello = {code(ChatOp::Text, 0), code(ChatOp::Text, 0), code(ChatOp::End)};
  CHECK(render(hello).text == "hello hello ");
  CHECK(render(hello, 1 << 17, 8).status == 12);
  CHECK(render(hello, 1 << 17, 8).text == "hello he");
}

TEST_CASE("without an end there is a status") {
  CHECK(render({code(ChatOp::Jump, 0)}).status == ChatTooLong);
  CHECK(render({code(ChatOp::Call, 0), 0}).status == ChatTooLong);
  CHECK(render({code(ChatOp::Constant, uint32_t(ChatKind::None)), code(ChatOp::Jump, 0)}).status == ChatTooLong);
}

TEST_CASE("too little scratch is a status, never a write behind it") {
  const std::vector<uint32_t> hello = {code(ChatOp::Text, 0), code(ChatOp::End)};
  for (size_t bytes = 0; bytes < 40000; bytes += 1999)
    CHECK(render(hello, bytes).status == ChatNoMemory);
}

TEST_CASE("messages are values, and broken JSON is a status") {
  const std::vector<uint32_t> json = {code(ChatOp::Load, 0), code(ChatOp::Filter, uint32_t(ChatFilter::ToJson)), 0,
                                      code(ChatOp::Print), code(ChatOp::End)};
  const ChatMessage messages[] = {{"user", 4, "a\"\n", 3}, {"assistant", 9, nullptr, 0}};
  const ChatInput input = {messages, 2, nullptr, 0, nullptr, false};
  CHECK(render(json, 1 << 17, 256, input).text ==
        R"([{"role": "user", "content": "a\"\n"}, {"role": "assistant", "content": null}])");
  for (const std::string text : {"", "[", "{\"a\"}", "\"\\ud800\"", "01", "[1,]", "\"\\", "nul", "1 2"}) {
    const ChatVariable variable = {"messages", 8, text.data(), text.size(), 1};
    CHECK(render(json, 1 << 17, 256, {nullptr, 0, &variable, 1, nullptr, false}).status == ChatInvalidJson);
  }
}

TEST_CASE("a raised text is the message") {
  const Rendered raised = render({code(ChatOp::String, 0), code(ChatOp::Raise), code(ChatOp::End)});
  CHECK(raised.status == ChatRaised);
  CHECK(raised.text == "hello ");
}
