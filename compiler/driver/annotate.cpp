// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel may compute several nodes, and a node take several kernels: names of kernels are a list, times and bytes
// those of all of them.
#include "driver/annotate.h"

#include "driver/error_saying.h"
#include "quantize/graph_edit.h"
#include "quantize/model_file.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {
constexpr llvm::StringLiteral prefix = "sinter.";

struct NodeNotes {
  std::vector<std::string> kernels, shapes;
  std::optional<int64_t> arenaOffset, arenaBytes;
  std::optional<double> seconds;
  size_t others = 0; ///< nodes that its kernels compute besides
};

/// Where it leaves the node's value, if that is a value in the arena.
void notePlace(const json::Object &kernel, StringRef node, NodeNotes &notes) {
  const json::Array *outputs = kernel.getArray("outputs");
  if (!outputs)
    return;
  for (const json::Value &output : *outputs) {
    const json::Object *buffer = output.getAsObject();
    if (!buffer || buffer->getString("place") != StringRef("arena") ||
        (buffer->getString("value_node") && buffer->getString("value_node") != node))
      continue;
    notes.arenaOffset = buffer->getInteger("offset");
    notes.arenaBytes = buffer->getInteger("bytes");
  }
}

void setNote(onnx::NodeProto &node, StringRef key, const Twine &value) {
  onnx::StringStringEntryProto *entry = node.add_metadata_props();
  entry->set_key((prefix + key).str());
  entry->set_value(value.str());
}

void write(onnx::NodeProto &node, const NodeNotes &notes) {
  setNote(node, "kernel", join(notes.kernels, ", "));
  setNote(node, "shapes", join(notes.shapes, "; "));
  if (notes.others)
    setNote(node, "computed_with", Twine(notes.others) + " other nodes");
  if (notes.arenaOffset)
    setNote(node, "arena_offset", Twine(*notes.arenaOffset));
  if (notes.arenaBytes)
    setNote(node, "arena_bytes", Twine(*notes.arenaBytes));
  if (!notes.seconds)
    return;
  std::string text;
  raw_string_ostream(text) << format("%.3f", *notes.seconds * 1e6);
  setNote(node, "microseconds", text);
}
} // namespace

Expected<int64_t> annotate(onnx::ModelProto &model, const json::Value &value) {
  const json::Object *root = value.getAsObject(), *report = root ? root->getObject("report") : nullptr;
  const json::Array *kernels = report ? report->getArray("kernels")
                               : root ? root->getArray("kernels")
                                      : nullptr,
                    *timed = report ? root->getArray("kernels") : nullptr;
  if (!kernels)
    return errorSaying("it is neither a report nor an answer of bench");
  StringMap<NodeNotes> byNode;
  for (auto [i, entry] : enumerate(*kernels)) {
    const json::Object *kernel = entry.getAsObject();
    const json::Array *nodes = kernel ? kernel->getArray("nodes") : nullptr;
    if (!nodes)
      continue;
    std::optional<double> seconds;
    if (const json::Object *times = timed && i < timed->size() ? (*timed)[i].getAsObject() : nullptr)
      seconds = times->getNumber("seconds");
    for (const json::Value &name : *nodes) {
      StringRef node = name.getAsString().value_or("");
      NodeNotes &notes = byNode[node];
      notes.kernels.push_back(kernel->getString("kernel").value_or("").str());
      notes.shapes.push_back(kernel->getString("shapes").value_or("").str());
      notes.others = std::max(notes.others, nodes->size() - 1);
      notePlace(*kernel, node, notes);
      if (seconds)
        notes.seconds = notes.seconds.value_or(0) + *seconds;
    }
  }
  int64_t annotated = 0;
  for (onnx::NodeProto &node : *model.mutable_graph()->mutable_node()) {
    google::protobuf::RepeatedPtrField<onnx::StringStringEntryProto> kept; // without those of another time
    for (onnx::StringStringEntryProto &entry : *node.mutable_metadata_props())
      if (!StringRef(entry.key()).starts_with(prefix))
        *kept.Add() = std::move(entry);
    node.mutable_metadata_props()->Swap(&kept);
    auto notes = byNode.find(quantize::nameOf(node));
    if (notes == byNode.end())
      continue;
    write(node, notes->second);
    ++annotated;
  }
  constexpr int64_t withMetadata = 10; // the IR version since which nodes have it
  if (annotated && model.ir_version() < withMetadata)
    model.set_ir_version(withMetadata);
  return annotated;
}

} // namespace sinter
