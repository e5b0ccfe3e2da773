// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/sampling_flags.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace sinter {

std::string SamplingFlags::text() const {
  bool draws = temperature > 0 || topK.getNumOccurrences() || topP.getNumOccurrences() || minP.getNumOccurrences() ||
               seed.getNumOccurrences();
  if (temperature.getNumOccurrences() && temperature == 0)
    draws = false; // as elsewhere, none is the surest
  std::string text;
  llvm::raw_string_ostream(text) << int(draws)
                                 << llvm::format(" %.9g ", temperature.getNumOccurrences() ? double(temperature) : 1.0)
                                 << unsigned(topK)
                                 << llvm::format(" %.9g %.9g %.9g ", double(topP), double(minP),
                                                 double(repetitionPenalty))
                                 << uint64_t(seed);
  return text;
}

std::vector<std::string> SamplingFlags::words() const {
  std::vector<std::string> words;
  auto add = [&](const auto &flag, llvm::StringRef name) {
    if (!flag.getNumOccurrences())
      return;
    words.push_back(("--" + name).str());
    llvm::raw_string_ostream(words.emplace_back()) << flag.getValue();
  };
  add(temperature, "temperature");
  add(topK, "top-k");
  add(topP, "top-p");
  add(minP, "min-p");
  add(repetitionPenalty, "repetition-penalty");
  add(seed, "seed");
  return words;
}

} // namespace sinter
