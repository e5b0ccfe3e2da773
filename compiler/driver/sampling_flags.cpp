// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/sampling_flags.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace sinter {

std::vector<std::string> SamplingFlags::words() const {
  std::vector<std::string> words;
  auto add = [&](const auto &flag, llvm::StringRef name) {
    if (!flag.getNumOccurrences())
      return;
    words.push_back(("--" + name).str());
    llvm::raw_string_ostream text(words.emplace_back());
    if constexpr (std::is_same_v<std::decay_t<decltype(flag.getValue())>, double>)
      text << llvm::format("%.9g", flag.getValue()); // as many digits as tell floats apart
    else
      text << flag.getValue();
  };
  add(temperature, "temperature");
  add(topK, "top-k");
  add(topP, "top-p");
  add(minP, "min-p");
  add(repetitionPenalty, "repetition-penalty");
  add(presencePenalty, "presence-penalty");
  add(frequencyPenalty, "frequency-penalty");
  add(diversityPenalty, "diversity-penalty");
  if (contrasts())
    add(penaltyAlpha, "penalty-alpha");
  add(noRepeatNgram, "no-repeat-ngram");
  add(logitBias, "logit-bias");
  add(seed, "seed");
  if (removeInvalidValues.getNumOccurrences())
    words.push_back(removeInvalidValues ? "--remove-invalid-values" : "--remove-invalid-values=false");
  return words;
}

} // namespace sinter
