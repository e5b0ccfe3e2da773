// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --decoder and what belongs to it.
#pragma once

#include "driver/compile_model.h"
#include "driver/flags.h"

#include "llvm/ADT/StringExtras.h"

namespace sinter {

struct DecoderFlags {
  Flag<bool> decoder{
      FlagGroup::Interface, "decoder",
      Says("the model predicts tokens: its caches are found and become states, its dims get their bounds, "
           "and <prefix>_session.h keeps them from token to token")};
  Flag<unsigned> context{FlagGroup::Interface, "context",
                         Says("with --decoder: how many tokens the caches hold (default: as many as the model has "
                              "positions for, 2048 at most)"),
                         Takes("tokens"), AtLeast(1)};
  Flag<unsigned> batch{FlagGroup::Interface, "batch",       Says("with --decoder: sequences that go on side by side"),
                       Takes("n"),           Initially(1u), AtLeast(1)};
  Flag<unsigned> chunk{
      FlagGroup::Interface, "chunk",
      Says("with --decoder: new tokens that one call takes at most; longer prompts are several calls (default: 32; "
           "behind an encoder 1, as such models are exported)"),
      Takes("tokens"), AtLeast(1)};
  Flag<unsigned> source{FlagGroup::Interface, "source",
                        Says("with --decoder, behind an encoder: how many tokens or frames the encoder takes at most "
                             "(default: what the model's configuration says, of tokens 512 at most)"),
                        Takes("n"), AtLeast(1)};
  Flag<std::string> encoder{FlagGroup::Interface, "encoder",
                            Says("with --decoder: the encoder that it reads (default: the one beside it, by the names "
                                 "that exporters give)"),
                            Takes("encoder_model.onnx")};

  Flag<unsigned> rows{FlagGroup::Interface,
                      "logit-rows",
                      Says("with --decoder: of how many of a call's last tokens the session has logits, for drafts "
                           "that a call verifies"),
                      Takes("n"),
                      Initially(1u),
                      AtLeast(1)};

  Flag<std::string> attentions{
      FlagGroup::Interface, "cross-attentions",
      Says(
          "with --decoder, behind an encoder: of which layers the session has how much of each row of what was encoded "
          "each new token looks at, for times of words: all, or layers from 0 on"),
      Takes("all | 0,2")};

  Flag<bool> hidden{FlagGroup::Interface, "hidden-states",
                    Says("with --decoder: the session has what the logits of each new token are made of, for "
                         "contrastive search")};

  Flag<std::string> cache{FlagGroup::Interface, "cache",
                          Says("with --decoder: what the caches hold: fp32 (as the model has them), fp16, or int8 with "
                               "a scale for each row of a head"),
                          Takes("type"), Initially("fp32")};

  bool isImplied = false; ///< of verbs that are for decoders alone
  bool isNeeded() const {
    return context.getNumOccurrences() || batch.getNumOccurrences() || chunk.getNumOccurrences() ||
           rows.getNumOccurrences() || source.getNumOccurrences() || encoder.getNumOccurrences() ||
           cache.getNumOccurrences() || attentions.getNumOccurrences() || hidden;
  }
  /// Empty for all of them; none where it is neither "all" nor a list.
  std::optional<std::vector<int64_t>> layers() const {
    std::vector<int64_t> all;
    if (attentions.getValue() == "all")
      return all;
    for (llvm::StringRef layer : llvm::split(attentions.getValue(), ','))
      if (layer.getAsInteger(10, all.emplace_back()) || all.back() < 0)
        return std::nullopt;
    return all;
  }
  DecoderWish wish() const {
    DecoderWish wish;
    if (context.getNumOccurrences())
      wish.context = context;
    wish.batch = batch;
    wish.rows = rows;
    if (chunk.getNumOccurrences())
      wish.chunk = chunk;
    if (source.getNumOccurrences())
      wish.source = source;
    if (attentions.getNumOccurrences())
      wish.attentions = layers();
    wish.hidden = hidden;
    wish.encoder = encoder;
    if (cache != "fp32")
      wish.cache = cache;
    return wish;
  }
};

} // namespace sinter
