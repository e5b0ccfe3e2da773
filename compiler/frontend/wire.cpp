// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// stripTensorData: a table says which fields of each message the importer reads; all others (doc strings, annotations,
// training, unknown ones) are left out, so protobuf never sees them. Depth and counts are bounded here, before anything
// is allocated for them.
#include "frontend/wire.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace sinter::wire {
namespace {
enum class Message : uint8_t {
  Scalar, // not a message: a number or a string, copied
  Model,
  OpsetId,
  Function,
  Graph,
  Node,
  Attribute,
  Tensor,
  Entry,
  SparseTensor,
  ValueInfo,
  TypeProto,
  TensorType,
  SequenceType,
  MapType,
  Shape,
  Dim,
};

struct Rule {
  Message in;
  uint32_t number;
  Message is;
  bool repeated = false;
  bool numbers = false; ///< a list of numbers, which may come packed
};

constexpr Rule rules[] = {
    {Message::Model, 1, Message::Scalar}, // ir_version
    {Message::Model, 2, Message::Scalar}, // producer_name
    {Message::Model, 3, Message::Scalar}, // producer_version
    {Message::Model, 4, Message::Scalar}, // domain
    {Message::Model, 5, Message::Scalar}, // model_version
    {Message::Model, 6, Message::Scalar}, // doc_string
    {Message::Model, 7, Message::Graph},
    {Message::Model, 8, Message::OpsetId, true},
    {Message::Model, 14, Message::Entry, true}, // metadata_props
    {Message::Model, 25, Message::Function, true},
    {Message::OpsetId, 1, Message::Scalar},
    {Message::OpsetId, 2, Message::Scalar},
    {Message::Function, 1, Message::Scalar, true}, // name
    {Message::Function, 4, Message::Scalar, true}, // input
    {Message::Function, 5, Message::Scalar, true}, // output
    {Message::Function, 6, Message::Scalar, true}, // attribute
    {Message::Function, 7, Message::Node, true},
    {Message::Function, 9, Message::OpsetId, true},
    {Message::Function, 10, Message::Scalar, true}, // domain
    {Message::Function, 11, Message::Attribute, true},
    {Message::Function, 12, Message::ValueInfo, true},
    {Message::Function, 13, Message::Scalar, true}, // overload
    {Message::Graph, 1, Message::Node, true},
    {Message::Graph, 2, Message::Scalar}, // name
    {Message::Graph, 5, Message::Tensor, true},
    {Message::Graph, 10, Message::Scalar}, // doc_string
    {Message::Graph, 11, Message::ValueInfo, true},
    {Message::Graph, 12, Message::ValueInfo, true},
    {Message::Graph, 13, Message::ValueInfo, true},
    {Message::Graph, 15, Message::SparseTensor, true},
    {Message::Node, 1, Message::Scalar, true}, // input
    {Message::Node, 2, Message::Scalar, true}, // output
    {Message::Node, 3, Message::Scalar},       // name
    {Message::Node, 4, Message::Scalar},       // op_type
    {Message::Node, 5, Message::Attribute, true},
    {Message::Node, 7, Message::Scalar},      // domain
    {Message::Node, 8, Message::Scalar},      // overload
    {Message::Node, 9, Message::Entry, true}, // metadata_props, of which Stripper::isWanted
    {Message::Attribute, 1, Message::Scalar}, // name
    {Message::Attribute, 2, Message::Scalar}, // f
    {Message::Attribute, 3, Message::Scalar}, // i
    {Message::Attribute, 4, Message::Scalar}, // s
    {Message::Attribute, 5, Message::Tensor},
    {Message::Attribute, 6, Message::Graph},
    {Message::Attribute, 7, Message::Scalar, true, true}, // floats
    {Message::Attribute, 8, Message::Scalar, true, true}, // ints
    {Message::Attribute, 9, Message::Scalar, true},       // strings
    {Message::Attribute, 10, Message::Tensor, true},
    {Message::Attribute, 11, Message::Graph, true},
    {Message::Attribute, 14, Message::TypeProto},
    {Message::Attribute, 15, Message::TypeProto, true},
    {Message::Attribute, 20, Message::Scalar}, // type
    {Message::Attribute, 21, Message::Scalar}, // ref_attr_name
    {Message::Attribute, 22, Message::SparseTensor},
    {Message::Attribute, 23, Message::SparseTensor, true},
    {Message::Tensor, 1, Message::Scalar, true, true}, // dims
    {Message::Tensor, 2, Message::Scalar},             // data_type
    {Message::Tensor, 8, Message::Scalar},             // name
    {Message::Tensor, 13, Message::Entry, true},       // external_data
    {Message::Tensor, 14, Message::Scalar},            // data_location
    {Message::Entry, 1, Message::Scalar},
    {Message::Entry, 2, Message::Scalar},
    {Message::SparseTensor, 1, Message::Tensor},
    {Message::SparseTensor, 2, Message::Tensor},
    {Message::SparseTensor, 3, Message::Scalar, true, true}, // dims
    {Message::ValueInfo, 1, Message::Scalar},
    {Message::ValueInfo, 2, Message::TypeProto},
    {Message::TypeProto, 1, Message::TensorType},
    {Message::TypeProto, 4, Message::SequenceType},
    {Message::TypeProto, 5, Message::MapType},
    {Message::TypeProto, 8, Message::TensorType},   // sparse
    {Message::TypeProto, 9, Message::SequenceType}, // optional
    {Message::TensorType, 1, Message::Scalar},
    {Message::TensorType, 2, Message::Shape},
    {Message::SequenceType, 1, Message::TypeProto},
    {Message::MapType, 1, Message::Scalar},
    {Message::MapType, 2, Message::TypeProto},
    {Message::Shape, 1, Message::Dim, true},
    {Message::Dim, 1, Message::Scalar},
    {Message::Dim, 2, Message::Scalar},
};

const Rule *ruleOf(Message in, uint32_t number) {
  for (const Rule &rule : rules)
    if (rule.in == in && rule.number == number)
      return &rule;
  return nullptr;
}

/// What fields cost of Limits::metadataUnits, in 16 bytes of memory: a protobuf message has a header and its fields, a
/// string its own object, and each byte of a packed list may be a number of eight bytes.
constexpr uint64_t messageUnits = 8, stringUnits = 3;

class Stripper {
public:
  Stripper(StringRef file, const Limits &limits, bool namesModules, Stripped &result)
      : file(file), limits(limits), namesModules(namesModules), out(result.bytes), result(result) {}

  void root(Message kind) { copy(kind, file, 0, 0); }
  uint64_t nodesSeen() const { return nodes; }

private:
  bool fail(Code code, const Twine &message, const Twine &hint = "") {
    result.problem = Problem{code, message.str(), {}, hint.str()};
    return false;
  }
  bool overLimit(Code code, StringRef what, uint64_t limit) {
    return fail(code, "the model has more than " + Twine(limit) + " " + what);
  }

  /// Of what exporters say of nodes all but modules is left out: lines of Python, mostly.
  bool isWanted(Message in, const Rule &rule, const Field &field) const {
    return in != Message::Node || rule.is != Message::Entry || (namesModules && field.bytes.contains(moduleScopes));
  }
  bool copy(Message kind, StringRef bytes, unsigned graphs, unsigned types);
  bool copyMessage(const Rule &rule, const Field &field, unsigned graphs, unsigned types);
  bool copyScalar(const Rule &rule, const Field &field);
  bool count(Message kind, unsigned graphs, unsigned types);
  bool spend(uint64_t cost);

  StringRef file;
  const Limits &limits;
  bool namesModules;
  std::string &out;
  Stripped &result;
  uint64_t units = 0, nodes = 0, tensors = 0;
};

bool Stripper::spend(uint64_t cost) {
  units += cost;
  return units <= limits.metadataUnits ||
         overLimit(Code::MetadataTooLarge, "fields (weighted by what they take in memory)", limits.metadataUnits);
}

bool Stripper::count(Message kind, unsigned graphs, unsigned types) {
  if (!spend(messageUnits))
    return false;
  if (kind == Message::Node && ++nodes > limits.nodes)
    return overLimit(Code::TooManyNodes, "nodes", limits.nodes);
  if (kind == Message::Tensor && ++tensors > limits.tensors)
    return overLimit(Code::TooManyTensors, "tensors", limits.tensors);
  if (graphs > limits.subgraphDepth + 1)
    return fail(Code::TooDeep, "subgraphs nest more than " + Twine(limits.subgraphDepth) + " deep");
  if (types > limits.typeDepth)
    return fail(Code::TooDeep, "types nest more than " + Twine(limits.typeDepth) + " deep");
  return true;
}

bool Stripper::copyScalar(const Rule &rule, const Field &field) {
  if (!spend(rule.numbers && field.type == Bytes ? field.bytes.size() / 2 : field.type == Bytes ? stringUnits : 1))
    return false;
  appendVarint(out, uint64_t(field.number) << 3 | field.type);
  char fixed[8];
  switch (field.type) {
  case Varint:
    appendVarint(out, field.value);
    break;
  case Fixed64:
    support::endian::write64le(fixed, field.value);
    out.append(fixed, 8);
    break;
  case Fixed32:
    support::endian::write32le(fixed, static_cast<uint32_t>(field.value));
    out.append(fixed, 4);
    break;
  case Bytes:
    appendVarint(out, field.bytes.size());
    out.append(field.bytes.data(), field.bytes.size());
    break;
  }
  if (out.size() > limits.metadataBytes)
    return overLimit(Code::MetadataTooLarge, "bytes besides tensor data", limits.metadataBytes);
  return true;
}

bool Stripper::copyMessage(const Rule &rule, const Field &field, unsigned graphs, unsigned types) {
  appendVarint(out, uint64_t(field.number) << 3 | Bytes);
  // The length is known only afterwards: five bytes are kept for it, which is valid though not the shortest form.
  size_t length = out.size();
  out.append(5, '\0');
  if (!copy(rule.is, field.bytes, graphs, types))
    return false;
  uint64_t size = out.size() - length - 5;
  for (unsigned i = 0; i < 5; ++i)
    out[length + i] = static_cast<char>(((size >> (7 * i)) & 0x7f) | (i < 4 ? 0x80 : 0));
  return true;
}

/// Recursion is bounded by subgraphDepth (three levels each) and typeDepth (two levels each).
bool Stripper::copy(Message kind, StringRef bytes, unsigned graphs, unsigned types) {
  graphs += kind == Message::Graph;
  types = kind == Message::TypeProto ? types + 1 : types;
  if (!count(kind, graphs, types))
    return false;
  uint64_t seen = 0; // singular messages met: protobuf would merge a second one, which nobody means
  Reader reader(bytes);
  while (auto field = reader.next()) {
    const Rule *rule = ruleOf(kind, field->number);
    if (!rule)
      continue;
    if (rule->is == Message::Scalar) {
      if (!copyScalar(*rule, *field))
        return false;
      continue;
    }
    if (field->type != Bytes || !isWanted(kind, *rule, *field))
      continue;
    uint64_t bit = uint64_t(1) << field->number;
    if (!rule->repeated && (seen & bit))
      return fail(Code::UnreadableModel, "field " + Twine(field->number) + " occurs twice in a message that has one");
    seen |= bit;
    if (!copyMessage(*rule, *field, graphs, types))
      return false;
  }
  if (reader.malformed())
    return fail(Code::UnreadableModel, "the file is damaged or not an ONNX model", "download or export it again");
  if (kind == Message::Tensor) {
    appendVarint(out, 9 << 3 | Bytes);
    appendVarint(out, sizeof(TensorPlace));
    char place[sizeof(TensorPlace)];
    support::endian::write64le(place, static_cast<uint64_t>(bytes.data() - file.data()));
    support::endian::write64le(place + 8, bytes.size());
    out.append(place, sizeof(place));
  }
  return true;
}
} // namespace

Stripped stripTensorData(StringRef file, Root root, const Limits &limits, bool namesModules) {
  Stripped result;
  Stripper stripper(file, limits, namesModules, result);
  stripper.root(root == Root::Model ? Message::Model : Message::Function);
  result.nodes = stripper.nodesSeen();
  return result;
}

} // namespace sinter::wire
