// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Changes ONNX models, and SentencePiece's, as trees of messages: fields go, come twice, move, take other numbers,
// names of other values, subtrees of the same kind. Lengths stay consistent, so that what results still parses, which
// changed bytes rarely do.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinter {

enum class MessageKind { OnnxModel, PieceModel };

/// Changes a model in place; its new size, at most `most`. The same seed makes the same change.
size_t mutateModel(uint8_t *data, size_t size, size_t most, unsigned seed, MessageKind kind = MessageKind::OnnxModel);

/// One model with a part of another.
size_t crossModels(const uint8_t *one, size_t oneSize, const uint8_t *other, size_t otherSize, uint8_t *out,
                   size_t most, unsigned seed);

} // namespace sinter
