// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "chat_template/emit.h"

#include "support/text_library.h"

using namespace llvm;

namespace sinter::chat_headers {
extern const EmbeddedFile embedded[];
}

namespace sinter::chat_template {
namespace {
/// In the order in which they include each other.
constexpr StringLiteral chatHeaderOrder[] = {
    "chat_program.h",   "chat_value.h",      "unicode_utf8.h", "chat_search.h",    "chat_text.h",   "chat_memory.h",
    "chat_json_read.h", "chat_json_write.h", "chat_date.h",    "chat_operators.h", "chat_access.h", "chat_strings.h",
    "chat_filters.h",   "chat_input.h",      "chat_loops.h",   "chat_template.h"};

/// @ is the prefix, $ the same in capitals.
constexpr StringLiteral chatHeaderText = R"(
/* Conversations as the text that the model was trained on. */
typedef struct @_message {
  const char *role;
  size_t role_bytes;
  const char *content; /* UTF-8; null: the message has none */
  size_t content_bytes;
} @_message;
/* What else a template may ask for, by name: bos_token as a text; tools, enable_thinking, or all messages as JSON. */
typedef struct @_variable {
  const char *name;
  size_t name_bytes;
  const char *text;
  size_t text_bytes;
  uint32_t is_json;
} @_variable;
typedef struct @_date {
  int32_t year, month, day, hour, minute, second;
} @_date;
typedef struct @_conversation {
  const @_message *messages;
  size_t message_count;
  const @_variable *variables;
  size_t variable_count;
  const @_date *date; /* null: the template may not ask for it */
  uint32_t flags;
} @_conversation;

#define $_GENERATION_PROMPT 1u /* the text ends where the answer of the model begins */

/* What rendering returns besides a count; `text` is then a message that ends with a zero. */
#define $_CHAT_NO_MEMORY (-1)   /* the scratch is too small, or malloc gave none */
#define $_CHAT_TOO_LONG (-2)    /* more work, depth or text than the limits allow */
#define $_CHAT_RAISED (-3)      /* the template refuses the conversation */
#define $_CHAT_FAILED (-4)      /* an operation on values that do not have it */
#define $_CHAT_UNSUPPORTED (-5) /* Jinja does it, this does not */
#define $_CHAT_INVALID_JSON (-6)
#define $_CHAT_NO_DATE (-7)

/* How many bytes the text has; the first `capacity` of them are written. Memory is taken from malloc for the time of the
   call; @_chat_in has that of the caller: 64 KiB suffice for short conversations. */
int64_t @_chat(const @_message *messages, size_t count, uint32_t flags, char *text, size_t capacity);
int64_t @_chat_with(const @_conversation *conversation, char *text, size_t capacity);
int64_t @_chat_in(const @_conversation *conversation, char *text, size_t capacity, void *scratch, size_t scratch_bytes);
)";

constexpr StringLiteral chatFunctionsText = R"(
int64_t @_chat_in(const @_conversation *conversation, char *text, size_t capacity, void *scratch, size_t scratch_bytes) {
  static_assert(sizeof(ChatMessage) == sizeof(@_message) && sizeof(ChatVariable) == sizeof(@_variable) &&
                    sizeof(ChatDate) == sizeof(@_date),
                "the same layout");
  const void *messages = conversation->messages, *variables = conversation->variables, *date = conversation->date;
  const ChatInput input = {static_cast<const ChatMessage *>(messages), conversation->message_count,
                           static_cast<const ChatVariable *>(variables), conversation->variable_count,
                           static_cast<const ChatDate *>(date), (conversation->flags & $_GENERATION_PROMPT) != 0};
  return renderChat(program, input, scratch, scratch_bytes, text, capacity);
}

int64_t @_chat_with(const @_conversation *conversation, char *text, size_t capacity) {
  int64_t result = ChatNoMemory;
  for (size_t size = size_t(1) << 18; result == ChatNoMemory && size <= size_t(1) << 30; size *= 4) {
    void *scratch = malloc(size);
    if (!scratch)
      break;
    result = @_chat_in(conversation, text, capacity, scratch, size);
    free(scratch);
  }
  return result;
}

int64_t @_chat(const @_message *messages, size_t count, uint32_t flags, char *text, size_t capacity) {
  const @_conversation conversation = {messages, count, nullptr, 0, nullptr, flags};
  return @_chat_with(&conversation, text, capacity);
}
)";
} // namespace

std::string emitChatHeader(StringRef prefix) { return withPrefix(chatHeaderText, prefix); }

std::string emitChatSource(const CompiledChat &chat, StringRef prefix) {
  std::string text;
  raw_string_ostream out(text);
  out << "// Made by sinter tokenizer; " << prefix << ".h says what it does. C++17, no other library.\n#include \""
      << prefix << ".h\"\n\n#include <stdlib.h>\n#include <string.h>\n\nnamespace sinter_" << prefix << "_chat {\n";
  for (StringRef header : chatHeaderOrder)
    out << generationBody(chat_headers::embedded, header);
  const auto number = [](auto value) { return std::to_string(value); };
  const auto word = [](uint32_t value) { return std::to_string(value) + (value > 0x7fffffff ? "u" : ""); };
  printTable(out, "uint32_t code", chat.code, word);
  printTable(out, "uint32_t starts", chat.starts, word);
  printTable(out, "uint8_t bytes", chat.bytes, number);
  printTable(out, "int64_t numbers", chat.numbers, number);
  printTable(out, "ChatMacro macros", chat.macros, [&](const generation::ChatMacro &macro) {
    return "{" + word(macro.entry) + "," + word(macro.parameters) + "," + word(macro.slots) + "}";
  });
  printTable(out, "uint32_t context", chat.context, word);
  out << "const ChatProgram program = {code, starts, bytes, numbers, macros, context, " << chat.context.size() / 2
      << ", " << chat.slots << "};\n} // namespace sinter_" << prefix << "_chat\nusing namespace sinter_" << prefix
      << "_chat;\n";
  out << withPrefix(chatFunctionsText, prefix);
  return text;
}

} // namespace sinter::chat_template
