// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trees of protobuf's wire format. Which fields are messages comes from a table: the numbers of onnx.proto and
// of sentencepiece_model.proto.
#include "wire_mutator.h"

#include "frontend/wire.h"

#include <cstring>
#include <map>
#include <random>
#include <set>

using namespace llvm;

/// Of libFuzzer, or of smoke.cpp.
extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

namespace sinter {
namespace {
enum class Kind : uint8_t {
  Model,
  Opset,
  Graph,
  Node,
  Attribute,
  Tensor,
  Sparse,
  ValueInfo,
  Type,
  TensorType,
  Shape,
  Dim,
  Container,
  Function,
  PieceModel,
  PieceModelPart
};

/// The kind of message in a field; nothing for numbers and strings.
std::optional<Kind> kindIn(Kind message, uint32_t field) {
  static const std::map<std::pair<Kind, uint32_t>, Kind> kinds = {
      {{Kind::Model, 7}, Kind::Graph},
      {{Kind::Model, 8}, Kind::Opset},
      {{Kind::Model, 25}, Kind::Function},
      {{Kind::Graph, 1}, Kind::Node},
      {{Kind::Graph, 5}, Kind::Tensor},
      {{Kind::Graph, 15}, Kind::Sparse},
      {{Kind::Graph, 11}, Kind::ValueInfo},
      {{Kind::Graph, 12}, Kind::ValueInfo},
      {{Kind::Graph, 13}, Kind::ValueInfo},
      {{Kind::Node, 5}, Kind::Attribute},
      {{Kind::Attribute, 5}, Kind::Tensor},
      {{Kind::Attribute, 6}, Kind::Graph},
      {{Kind::Attribute, 10}, Kind::Tensor},
      {{Kind::Attribute, 11}, Kind::Graph},
      {{Kind::Attribute, 22}, Kind::Sparse},
      {{Kind::Sparse, 1}, Kind::Tensor},
      {{Kind::Sparse, 2}, Kind::Tensor},
      {{Kind::ValueInfo, 2}, Kind::Type},
      {{Kind::Type, 1}, Kind::TensorType},
      {{Kind::Type, 4}, Kind::Container},
      {{Kind::Type, 9}, Kind::Container},
      {{Kind::Type, 8}, Kind::TensorType},
      {{Kind::Container, 1}, Kind::Type},
      {{Kind::TensorType, 2}, Kind::Shape},
      {{Kind::Shape, 1}, Kind::Dim},
      {{Kind::Function, 7}, Kind::Node},
      {{Kind::Function, 9}, Kind::Opset},
      {{Kind::Function, 11}, Kind::Attribute},
      {{Kind::Function, 12}, Kind::ValueInfo},
      {{Kind::PieceModel, 1}, Kind::PieceModelPart},
      {{Kind::PieceModel, 2}, Kind::PieceModelPart},
      {{Kind::PieceModel, 3}, Kind::PieceModelPart},
  };
  auto found = kinds.find({message, field});
  return found == kinds.end() ? std::nullopt : std::optional<Kind>(found->second);
}

struct Tree {
  Kind in; ///< the message that has this field
  uint32_t number = 0;
  wire::Type type = wire::Varint;
  uint64_t value = 0;
  std::string bytes;
  std::optional<Kind> kind;
  std::vector<Tree> fields; ///< of a message
};

bool parse(StringRef bytes, Kind kind, std::vector<Tree> &fields) {
  wire::Reader reader(bytes);
  while (std::optional<wire::Field> field = reader.next()) {
    Tree tree{kind, field->number, field->type, field->value, field->bytes.str(), std::nullopt, {}};
    if (field->type == wire::Bytes)
      if (std::optional<Kind> inner = kindIn(kind, field->number); inner && parse(field->bytes, *inner, tree.fields))
        tree.kind = inner;
    fields.push_back(std::move(tree));
  }
  return !reader.malformed();
}

void print(const std::vector<Tree> &fields, std::string &out) {
  for (const Tree &field : fields) {
    wire::appendVarint(out, uint64_t(field.number) << 3 | field.type);
    if (field.type == wire::Varint) {
      wire::appendVarint(out, field.value);
    } else if (field.type == wire::Bytes) {
      std::string inner = field.bytes;
      if (field.kind) {
        inner.clear();
        print(field.fields, inner);
      }
      wire::appendVarint(out, inner.size());
      out += inner;
    } else {
      out.append(reinterpret_cast<const char *>(&field.value), field.type == wire::Fixed64 ? 8 : 4);
    }
  }
}

/// A field and where it stands.
struct Place {
  std::vector<Tree> *parent;
  size_t index;
  Tree &tree() const { return (*parent)[index]; }
};

void collect(std::vector<Tree> &fields, std::vector<Place> &places) {
  for (size_t i = 0; i < fields.size(); ++i) {
    places.push_back({&fields, i});
    collect(fields[i].fields, places);
  }
}

class Mutation {
public:
  explicit Mutation(unsigned seed) : random(seed) {}

  void apply(std::vector<Tree> &model) {
    for (size_t times = 1 + below(4); times-- > 0;)
      once(model);
  }

  /// A field of one model takes the contents of one like it in another.
  void cross(std::vector<Tree> &model, std::vector<Tree> &other) {
    std::vector<Place> to, from;
    collect(model, to);
    collect(other, from);
    if (to.empty() || from.empty())
      return;
    Tree &place = to[below(to.size())].tree();
    llvm::erase_if(from,
                   [&](const Place &one) { return one.tree().in != place.in || one.tree().number != place.number; });
    if (!from.empty())
      place = Tree(from[below(from.size())].tree());
  }

private:
  size_t below(size_t bound) { return std::uniform_int_distribution<size_t>(0, bound - 1)(random); }

  uint64_t number(uint64_t before) {
    const uint64_t ends[] = {0,
                             1,
                             2,
                             3,
                             4,
                             7,
                             8,
                             10,
                             11,
                             16,
                             ~uint64_t(0),
                             ~uint64_t(1),
                             uint64_t(1) << 31,
                             uint64_t(1) << 32,
                             uint64_t(1) << 62,
                             uint64_t(1) << 63,
                             (uint64_t(1) << 63) - 1};
    switch (below(4)) {
    case 0:
      return before + 1;
    case 1:
      return before - 1;
    case 2:
      return below(32);
    default:
      return ends[below(std::size(ends))];
    }
  }

  /// Text or tensor data, changed.
  std::string changed(std::string bytes) {
    size_t size = bytes.size(), most = size + 8;
    bytes.resize(most);
    bytes.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t *>(bytes.data()), size, most));
    return bytes;
  }

  void once(std::vector<Tree> &model) {
    std::vector<Place> places;
    collect(model, places);
    if (places.empty())
      return;
    Place at = places[below(places.size())];
    std::vector<Place> others = places;
    llvm::erase_if(others, [&](const Place &other) {
      return other.tree().in != at.tree().in || other.tree().number != at.tree().number;
    });
    switch (below(6)) {
    case 0:
      at.parent->erase(at.parent->begin() + static_cast<std::ptrdiff_t>(at.index));
      return;
    case 1:
      at.parent->push_back(Tree(at.tree()));
      return;
    case 2: { // fields of one number are what order matters among
      Place other = others[below(others.size())];
      Tree kept = other.tree();
      if (other.parent == at.parent)
        std::swap(at.tree(), other.tree());
      else
        at.tree() = std::move(kept);
      return;
    }
    case 3: // the contents of another such field: a value's name, an operator, a type, a tensor
      at.tree() = Tree(others[below(others.size())].tree());
      return;
    default:
      changeContents(at.tree(), places);
    }
  }

  void changeContents(Tree &tree, std::vector<Place> &places) {
    constexpr uint32_t nodeInput = 1;
    if (tree.type != wire::Bytes) {
      tree.value = number(tree.value);
    } else if (tree.in == Kind::Node && tree.number == nodeInput) { // the name of some other value
      std::vector<std::string> names;
      for (const Place &place : places) {
        const Tree &other = place.tree();
        if ((other.in == Kind::Node && other.number <= 2) || (other.in == Kind::ValueInfo && other.number == 1) ||
            (other.in == Kind::Tensor && other.number == 8))
          names.push_back(other.bytes);
      }
      names.emplace_back();
      tree.bytes = names[below(names.size())];
    } else if (!tree.kind) {
      tree.bytes = changed(tree.bytes);
    }
  }

  std::mt19937 random;
};

StringRef textOf(const uint8_t *data, size_t size) { return {reinterpret_cast<const char *>(data), size}; }

size_t store(const std::vector<Tree> &model, uint8_t *data, size_t size, size_t most) {
  std::string bytes;
  print(model, bytes);
  if (bytes.size() > most)
    return size;
  std::memcpy(data, bytes.data(), bytes.size());
  return bytes.size();
}
} // namespace

size_t mutateModel(uint8_t *data, size_t size, size_t most, unsigned seed, MessageKind kind) {
  std::vector<Tree> model;
  const Kind root = kind == MessageKind::OnnxModel ? Kind::Model : Kind::PieceModel;
  constexpr unsigned byteShare = 16; // one in so many changes bytes
  if (!parse(textOf(data, size), root, model) || seed % byteShare == 0)
    return LLVMFuzzerMutate(data, size, most);
  Mutation(seed).apply(model);
  return store(model, data, size, most);
}

size_t crossModels(const uint8_t *one, size_t oneSize, const uint8_t *other, size_t otherSize, uint8_t *out,
                   size_t most, unsigned seed) {
  std::vector<Tree> model, from;
  if (oneSize > most || !parse(textOf(one, oneSize), Kind::Model, model) ||
      !parse(textOf(other, otherSize), Kind::Model, from))
    return 0;
  std::memcpy(out, one, oneSize);
  Mutation(seed).cross(model, from);
  return store(model, out, oneSize, most);
}

} // namespace sinter
