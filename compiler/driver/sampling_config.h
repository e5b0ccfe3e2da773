// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a model's configuration says that tokens are chosen: genai_config.json's `search`, generation_config.json, and
// where there is none config.json, by transformers' names. Programs of text start with it, and flags go before it.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace sinter {

/// What the command line has settled.
struct SettledSampling {
  std::string file;               ///< of --generation-config; "none": nothing is taken
  std::vector<std::string> given; ///< words of the programs of runner/, such as "--top-k", that the user gives
  std::optional<int64_t> beams;   ///< of --beams
  bool draws = false;             ///< tokens are drawn
  bool isSurest = false;          ///< or never are
  bool hasOneText = false;        ///< beams would not go with what is asked
  bool hasGrammar = false;        ///< which says how a text begins and ends
  std::vector<int64_t> ends;      ///< tokens that end a text
};

struct SamplingConfig {
  std::vector<std::string> words; ///< as the programs of runner/ take them, in front of the user's
  std::string said;               ///< what was taken of which file, and what was not, in lines; "" for nothing
};

/// Nothing after a message: the file of --generation-config cannot be read.
std::optional<SamplingConfig> samplingConfigBeside(llvm::StringRef model, const SettledSampling &settled);

} // namespace sinter
