// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where each initializer lies in the file. What was one piece of a file for several of them stays one.
#include "quantize/weights_file.h"

#include "quantize/model_file.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace llvm;

namespace sinter::quantize {
namespace {
constexpr uint64_t alignment = 64;
}

/// The bytes of an initializer, which are no part of the message afterwards.
bool WeightsFile::take(onnx::TensorProto &tensor, Piece &piece, Diagnostics &diagnostics) {
  if (!OutsideWeights::has(tensor)) {
    piece.own = std::move(*tensor.mutable_raw_data());
    tensor.clear_raw_data();
    return true;
  }
  Problem problem{Code::ExternalDataMissing, "tensor '" + tensor.name() + "': its data is not there", {}, ""};
  std::optional<StringRef> bytes = outside ? outside->read(tensor, problem) : std::nullopt;
  if (!bytes) {
    diagnostics.report(std::move(problem));
    return false;
  }
  piece.elsewhere = *bytes;
  return true;
}

/// Says in the message where in the file the tensor lies.
static void refer(onnx::TensorProto &tensor, StringRef name, uint64_t offset, uint64_t length) {
  tensor.clear_external_data();
  for (const auto &[key, value] :
       {std::pair("location", name.str()), {"offset", std::to_string(offset)}, {"length", std::to_string(length)}}) {
    onnx::StringStringEntryProto *entry = tensor.add_external_data();
    entry->set_key(key);
    entry->set_value(value);
  }
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
}

static bool isLargeInMessage(const onnx::TensorProto &tensor) {
  return !OutsideWeights::has(tensor) && tensor.has_raw_data() && tensor.raw_data().size() >= WeightsFile::least;
}

void WeightsFile::add(onnx::TensorProto &tensor, StringRef name, Piece piece) {
  refer(tensor, name, piece.offset, piece.bytes().size());
  end = piece.offset + piece.bytes().size();
  pieces.push_back(std::move(piece));
}

std::optional<WeightsFile> WeightsFile::of(onnx::ModelProto &model, StringRef name,
                                           std::shared_ptr<OutsideWeights> outside, Diagnostics &diagnostics) {
  WeightsFile file;
  file.outside = std::move(outside);
  llvm::DenseMap<std::pair<const char *, size_t>, uint64_t> offsets; // of what lies elsewhere
  bool good = true;
  forEachGraph(*model.mutable_graph(), [&](onnx::GraphProto &graph) {
    for (onnx::TensorProto &tensor : *graph.mutable_initializer()) {
      if (!OutsideWeights::has(tensor) && !isLargeInMessage(tensor))
        continue;
      Piece piece{alignTo(file.end, alignment), "", ""};
      if (!file.take(tensor, piece, diagnostics)) {
        good = false;
        continue;
      }
      auto [known, isNew] = offsets.try_emplace({piece.elsewhere.data(), piece.elsewhere.size()}, piece.offset);
      if (!piece.elsewhere.empty() && !isNew)
        refer(tensor, name, known->second, piece.bytes().size());
      else
        file.add(tensor, name, std::move(piece));
    }
  });
  return good ? std::optional(std::move(file)) : std::nullopt;
}

WeightsFile WeightsFile::ofMessage(onnx::ModelProto &model, StringRef name) {
  WeightsFile file;
  forEachGraph(*model.mutable_graph(), [&](onnx::GraphProto &graph) {
    for (onnx::TensorProto &tensor : *graph.mutable_initializer()) {
      if (!isLargeInMessage(tensor))
        continue;
      Piece piece{alignTo(file.end, alignment), std::move(*tensor.mutable_raw_data()), ""};
      tensor.clear_raw_data();
      file.add(tensor, name, std::move(piece));
    }
  });
  return file;
}

void WeightsFile::write(raw_ostream &out) const {
  constexpr size_t mostAtOnce = 16 << 20;
  uint64_t at = 0;
  for (const Piece &piece : pieces) {
    out.write_zeros(static_cast<unsigned>(piece.offset - at));
    for (StringRef rest = piece.bytes(); !rest.empty(); rest = rest.drop_front(std::min(mostAtOnce, rest.size()))) {
      out << rest.take_front(mostAtOnce);
      if (outside && rest.size() > mostAtOnce)
        outside->release();
    }
    at = piece.offset + piece.bytes().size();
  }
  if (outside)
    outside->release();
}

} // namespace sinter::quantize
