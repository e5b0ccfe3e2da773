// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The models that com.microsoft's searches know, by what their subgraphs take and make: a decoder of prompts (GPT), and
// a decoder of what an encoder made of tokens (T5) or of features (Whisper).
#pragma once

#include "past_buffers.h"

namespace sinter {

/// decoder, init_decoder: (input_ids, position_ids, attention_mask, past_i ..., sharing) -> (logits, present_i ...)
class PromptDecoder : public TokenModel {
public:
  /// The prompt is the operator's input 0; its mask, where given, input `mask`.
  static mlir::FailureOr<std::unique_ptr<PromptDecoder>> of(Op &op, const Search &search, unsigned mask);

  mlir::FailureOr<Tensor> prompt() override { return tokens; }
  mlir::FailureOr<Step> begin() override;
  mlir::FailureOr<Step> next(const Sequences &sequences, Size seen, mlir::Value index,
                             llvm::ArrayRef<Tensor> buffers) override;
  llvm::SmallVector<Tensor> emptyPasts() override { return initial; }
  mlir::FailureOr<llvm::SmallVector<Tensor>> updated(llvm::ArrayRef<Tensor> buffers, const Step &step, Size count,
                                                     Tensor origins) override;

private:
  PromptDecoder(Op &op, const Search &search) : op(op), search(search), pasts(search) {}
  mlir::LogicalResult read(unsigned mask);
  mlir::LogicalResult readPasts();
  mlir::LogicalResult readPrompt(unsigned mask);

  Op &op;
  const Search &search;
  PastBuffers pasts;
  mlir::Region *decoder = nullptr, *first = nullptr;
  Tensor tokens, positions, ownMask; ///< [rows, length]
  Tensor mask;                       ///< [rows, most]
  Tensor counts;                     ///< [rows, 1]: tokens of a prompt
  llvm::SmallVector<Tensor> initial;
};

/// encoder: (input_ids, attention_mask, decoder_input_ids) -> (logits, hidden states, own states ..., crossed states
/// ...), or without decoder_input_ids -> (crossed states ...). decoder: (input_ids, encoder_attention_mask, hidden
/// states where it has them, own states ..., crossed states ..., sharing) -> (logits, own states ...). Of features
/// there is no mask.
class EncodedDecoder : public TokenModel {
public:
  /// What is encoded is the operator's input 0, with mask 9 where it is given; the decoder's first tokens are
  /// `startTokens` [batch, length].
  static mlir::FailureOr<std::unique_ptr<EncodedDecoder>> of(Op &op, const Search &search, bool ofFeatures,
                                                             Tensor startTokens);

  mlir::FailureOr<Tensor> prompt() override { return repeated(op, startTokens, search.beams); }
  mlir::FailureOr<Step> begin() override;
  mlir::FailureOr<Step> next(const Sequences &sequences, Size seen, mlir::Value index,
                             llvm::ArrayRef<Tensor> buffers) override;
  llvm::SmallVector<Tensor> emptyPasts() override { return initial; }
  mlir::FailureOr<llvm::SmallVector<Tensor>> updated(llvm::ArrayRef<Tensor> buffers, const Step &step, Size count,
                                                     Tensor origins) override;

private:
  EncodedDecoder(Op &op, const Search &search, bool ofFeatures, Tensor startTokens)
      : op(op), search(search), pasts(search), ofFeatures(ofFeatures), startTokens(startTokens) {}
  mlir::LogicalResult read();
  Tensor encoderMask() const;
  mlir::FailureOr<Step> decoded(Tensor tokens, Size seen, llvm::ArrayRef<Tensor> buffers);
  mlir::LogicalResult addForms(llvm::ArrayRef<Tensor> like);

  Op &op;
  const Search &search;
  PastBuffers pasts;
  bool ofFeatures;
  Tensor startTokens; ///< [batch, length]
  mlir::Region *encoder = nullptr, *decoder = nullptr;
  unsigned layers = 0;
  bool takesHidden = false, takesSequence = false, beginsInEncoder = false;
  Tensor mask, hidden; ///< of each row
  llvm::SmallVector<Tensor> crossed, initial;
};

/// What a subgraph makes: scores of the last of its tokens [rows, vocabulary], and the rest as it is.
mlir::FailureOr<Step> stepOf(const Op &op, llvm::ArrayRef<Tensor> made, Size rows, llvm::StringRef name);
/// The values that a subgraph makes of these, which must be tensors.
mlir::FailureOr<llvm::SmallVector<Tensor>> callSubgraph(Op &op, mlir::Region &region, llvm::ArrayRef<Tensor> arguments);
/// 1 where a token is not the pad token.
Tensor tokenMask(const Op &op, Tensor tokens, int64_t pad);

} // namespace sinter
