// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `sinter generate` of an encoder-decoder: a text, tokens or sound are encoded, and tokens or text come out
// (runner/encoded.cpp).
#pragma once

#include "driver/generation_config.h"
#include "driver/talk.h"

namespace sinter {

struct SourceFlags {
  Flag<std::string> sound{"sound", Says("of a model of speech: the sound to write down, a WAV file of 16 kHz"),
                          Takes("FILE.wav")};
  Flag<std::string> language{"language", Says("of a model of speech: what is spoken (default: it finds out)"),
                             Takes("en")};
  Flag<std::string> task{"task", Says("of a model of speech: transcribe or translate"), Takes("name")};

  Flag<std::string> timestamps{
      "timestamps", FlagTrait::Optional, Takes("part|word"),
      Says("of a model of speech: a line for each part of the text with its times, or for each word, which takes the "
           "decoder's cross-attentions")};

  Flag<std::string> compressionRatio{"compression-ratio-threshold", Takes("1.35"),
                                     Says("of a model of speech: a text that compresses more, as it repeats itself, is "
                                          "heard again with the next of --temperatures")};
  Flag<std::string> logProbability{"logprob-threshold", Takes("-1"),
                                   Says("the same of a text whose tokens' probabilities have a lower mean logarithm")};
  Flag<std::string> silence{"no-speech-threshold", Takes("0.6"),
                            Says("of a model of speech: such a text is left out instead where silence was more "
                                 "probable")};
  Flag<std::string> temperatures{"temperatures", Takes("0,0.2,0.4"),
                                 Says("of draws of texts that are heard again, in their order, 0 without draws "
                                      "(default with a threshold: 0,0.2,0.4,0.6,0.8,1)")};

  /// What of this was given, as the programs of runner/ take it (speech_attempts.h). Nothing after a message.
  std::optional<std::vector<std::string>> attempts() const;

  bool hasTimes() const { return timestamps.getNumOccurrences(); }
  bool hasWords() const { return timestamps.getValue() == "word"; }
  bool isNeeded() const {
    return sound.getNumOccurrences() || language.getNumOccurrences() || task.getNumOccurrences() || hasTimes() ||
           compressionRatio.getNumOccurrences() || logProbability.getNumOccurrences() || silence.getNumOccurrences() ||
           temperatures.getNumOccurrences();
  }
};

/// What is encoded: the one of text, ids, sound and inputs that is there.
struct EncodedSource {
  const std::string *text = nullptr;
  const TokenSequences *ids = nullptr;
  const std::string *sound = nullptr;
  std::vector<std::string> inputs; ///< NAME=FILE: one, if there is none of those
  /// Of `ids` that are texts: by which tokenizer tokens become texts again. Else tokens come out.
  const tokenizer::CompiledTokenizer *texts = nullptr;
};

/// Builds the program and runs it. The status to end with.
ExitStatus generateEncoded(const CompileFlags &flags, CompileJob &job, const TextFlags &text, const SourceFlags &source,
                           const EncodedSource &encoded, bool asJson);

} // namespace sinter
