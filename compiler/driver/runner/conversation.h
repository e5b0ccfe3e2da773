// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A conversation: messages, written as the chat template says, in a session. Where that text goes on from what the
// caches have, only what is new is computed; a template that rewrites earlier turns costs what it rewrites.
#pragma once

#include "text_session.h"

#include <cstring>
#include <ctime>

class Conversation {
public:
  Conversation(const ChatSettings &settings, TextSession &session) : session(session) {
    if (settings.hasSystem)
      messages.push_back({"system", settings.system});
    kept = messages.size();
  }

  /// A user's turn, and the answer to it.
  void turn(const std::string &line) {
    messages.push_back({"user", line});
    std::vector<int64_t> ids =
        encodeText(written(), SINTER_TOKENS_BARE, SIZE(_SESSION_VOCABULARY)); // the template has all special tokens
    while (ids.size() >= TextSession::context && messages.size() > kept + 1) {
      std::fprintf(stderr, "the conversation no longer fits the context of %zu tokens: its oldest turn is forgotten\n",
                   TextSession::context);
      const auto oldest = messages.begin() + static_cast<std::ptrdiff_t>(kept);
      messages.erase(oldest, oldest + 2);
      ids = encodeText(written(), SINTER_TOKENS_BARE, SIZE(_SESSION_VOCABULARY));
    }
    if (ids.empty())
      endWith("the chat template makes no text of the conversation");
    messages.push_back({"assistant", session.goOnFrom(ids, /*isOneText=*/false)});
  }

private:
  struct Message {
    const char *role;
    std::string content;
  };

  std::string written() const {
    std::vector<sinter_tokens_message> views;
    for (const Message &message : messages)
      views.push_back({message.role, std::strlen(message.role), message.content.data(), message.content.size()});
    const std::time_t seconds = std::time(nullptr);
    sinter_tokens_date date = {};
    if (const std::tm *local = std::localtime(&seconds))
      date = {local->tm_year + 1900, local->tm_mon + 1, local->tm_mday, local->tm_hour, local->tm_min, local->tm_sec};
    const sinter_tokens_conversation conversation = {views.data(),  views.size(), variables,
                                                     variableCount, &date,        SINTER_TOKENS_GENERATION_PROMPT};
    std::string text(4096, 0);
    for (;;) {
      const int64_t size = sinter_tokens_chat_with(&conversation, &text[0], text.size());
      if (size < 0)
        endWith(("the chat template: " + std::string(text.c_str())).c_str());
      const bool isAll = static_cast<size_t>(size) <= text.size();
      text.resize(static_cast<size_t>(size));
      if (isAll)
        return text;
    }
  }

  TextSession &session;
  std::vector<Message> messages;
  size_t kept; ///< messages that are never forgotten
};
