// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a model's makers want conversations written: the chat template in the folder, and the special tokens that it
// names (tokenizer_config.json, special_tokens_map.json, chat_template.jinja, chat_template.json).
#pragma once

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace sinter {

struct ChatFolder {
  std::optional<std::string> chatTemplate; ///< Jinja
  std::vector<std::string> leftOut;        ///< what is there of templates and is none, in words
  std::string file;                        ///< where it is, for messages
  /// bos_token, eos_token and so on, and their text.
  std::vector<std::pair<std::string, std::string>> specialTokens;
  std::optional<bool> addsBegin; ///< whether a text gets bos_token in front, where the configuration says it

  /// The text of one, "" for none.
  llvm::StringRef specialToken(llvm::StringRef name) const;
};

/// Of the files beside a model; those that are missing or unreadable say nothing.
ChatFolder chatFolderBeside(llvm::StringRef model);

} // namespace sinter
