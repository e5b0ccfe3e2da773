// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads schema_table.py's table, embedded by .incbin, and keeps what is added to it. Little-endian: u32 records, u32
// domains, u32 offset of each record, {text domain, u32 newest opset} each; records sorted by domain, name, version. A
// text is u32 size and bytes; a record's fields are in decode()'s order.
#include "frontend/schema.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include <map>
#include <memory>
#include <mutex>
#include <vector>

using namespace llvm;

__asm__(".section .rodata\n"
        ".global sinter_schema_table\n.hidden sinter_schema_table\n"
        "sinter_schema_table:\n.incbin \"" SINTER_SCHEMA_TABLE "\"\n"
        ".text\n");
extern "C" const char sinter_schema_table[];

namespace sinter {
namespace {

class Cursor {
public:
  explicit Cursor(const char *at) : at(at) {}
  uint32_t number() {
    uint32_t value = support::endian::read32le(at);
    at += 4;
    return value;
  }
  StringRef text() {
    uint32_t size = number();
    StringRef value(at, size);
    at += size;
    return value;
  }

private:
  const char *at;
};

template <class Values>
void decodeParameters(Cursor &cursor, Values &values) {
  values.resize(cursor.number());
  for (SchemaParameter &value : values) {
    value.name = cursor.text();
    value.type = cursor.text();
    value.option = static_cast<SchemaParameter::Option>(cursor.number());
    value.homogeneous = cursor.number();
  }
}

OperatorSchema decode(const char *record) {
  Cursor cursor(record);
  OperatorSchema schema;
  schema.domain = cursor.text();
  schema.name = cursor.text();
  schema.since = cursor.number();
  schema.deprecated = cursor.number();
  schema.minInputs = cursor.number();
  schema.maxInputs = cursor.number();
  schema.minOutputs = cursor.number();
  schema.maxOutputs = cursor.number();
  schema.contextualBody = cursor.number();
  decodeParameters(cursor, schema.inputs);
  decodeParameters(cursor, schema.outputs);
  schema.constraints.resize(cursor.number());
  for (SchemaConstraint &constraint : schema.constraints) {
    constraint.name = cursor.text();
    constraint.types = cursor.text();
  }
  schema.attributes.resize(cursor.number());
  for (SchemaAttribute &attribute : schema.attributes) {
    attribute.name = cursor.text();
    attribute.kind = static_cast<AttributeKind>(cursor.number());
    attribute.required = cursor.number();
    attribute.defaultValue = cursor.text();
  }
  schema.bodies.resize(cursor.number());
  for (SchemaBody &body : schema.bodies) {
    body.opset = cursor.number();
    body.function = cursor.text();
  }
  return schema;
}

struct Key {
  StringRef domain, name;
  int64_t since;
  auto tie() const { return std::make_tuple(domain, name, since); }
  bool operator<(const Key &other) const { return tie() < other.tie(); }
};

/// The table's records by number, decoded when first asked for.
class Table {
public:
  Table() : count(Cursor(sinter_schema_table).number()), decoded(count) {}

  size_t size() const { return count; }
  Key key(size_t index) const {
    Cursor cursor(record(index));
    StringRef domain = cursor.text(), name = cursor.text();
    return {domain, name, cursor.number()};
  }
  const OperatorSchema &schema(size_t index) {
    std::lock_guard<std::mutex> lock(mutex);
    auto &slot = decoded[index];
    if (!slot)
      slot = std::make_unique<OperatorSchema>(decode(record(index)));
    return *slot;
  }
  /// The first record not before `key`.
  size_t lowerBound(const Key &key) const {
    auto range = seq<size_t>(0, count);
    return *std::partition_point(range.begin(), range.end(), [&](size_t index) { return this->key(index) < key; });
  }

private:
  const char *record(size_t index) const {
    return sinter_schema_table + support::endian::read32le(sinter_schema_table + 8 + 4 * index);
  }

  size_t count;
  std::vector<std::unique_ptr<OperatorSchema>> decoded;
  std::mutex mutex;
};

Table &table() {
  static Table instance;
  return instance;
}

/// Beside the table's: by domain and name, then by version.
using AddedSchemas = std::map<std::pair<StringRef, StringRef>, std::map<int64_t, OperatorSchema>>;
AddedSchemas &addedSchemas() {
  static AddedSchemas instance;
  return instance;
}
const std::map<int64_t, OperatorSchema> *addedVersions(StringRef domain, StringRef name) {
  auto found = addedSchemas().find({canonicalDomain(domain), name});
  return found == addedSchemas().end() ? nullptr : &found->second;
}

/// The member of `values` for an index; the last one, if variadic, stands for all beyond.
const SchemaParameter *parameterAt(ArrayRef<SchemaParameter> values, size_t index) {
  if (index < values.size())
    return &values[index];
  return !values.empty() && values.back().option == SchemaParameter::Variadic ? &values.back() : nullptr;
}
} // namespace

StringRef attributeKindName(AttributeKind kind) {
  static const char *const names[] = {
      "UNDEFINED", "FLOAT",   "INT",    "STRING",        "TENSOR",         "GRAPH",      "FLOATS",     "INTS",
      "STRINGS",   "TENSORS", "GRAPHS", "SPARSE_TENSOR", "SPARSE_TENSORS", "TYPE_PROTO", "TYPE_PROTOS"};
  auto index = static_cast<size_t>(kind);
  return index < std::size(names) ? names[index] : "UNDEFINED";
}

bool SchemaConstraint::allows(StringRef type) const {
  for (StringRef rest = types; !rest.empty();) {
    StringRef head;
    std::tie(head, rest) = rest.split(' ');
    if (head == type)
      return true;
  }
  return false;
}

const SchemaAttribute *OperatorSchema::attribute(StringRef wanted) const {
  auto found = find_if(attributes, [&](const SchemaAttribute &attribute) { return attribute.name == wanted; });
  return found == attributes.end() ? nullptr : found;
}

const SchemaConstraint *OperatorSchema::constraint(StringRef wanted) const {
  auto found = find_if(constraints, [&](const SchemaConstraint &constraint) { return constraint.name == wanted; });
  return found == constraints.end() ? nullptr : found;
}

const SchemaParameter *OperatorSchema::input(size_t index) const { return parameterAt(inputs, index); }
const SchemaParameter *OperatorSchema::output(size_t index) const { return parameterAt(outputs, index); }

StringRef canonicalDomain(StringRef domain) { return domain == "ai.onnx" ? StringRef() : domain; }

StringRef domainText(StringRef domain) { return domain.empty() ? "ai.onnx" : domain; }

std::string qualifiedName(StringRef domain, StringRef name) {
  return ((domain.empty() ? "" : domain + ".") + name).str();
}

void addSchema(OperatorSchema schema) {
  std::pair key(schema.domain, schema.name);
  int64_t since = schema.since;
  addedSchemas()[key][since] = std::move(schema);
}

const OperatorSchema *findSchema(StringRef domain, StringRef name, int64_t opset) {
  if (const std::map<int64_t, OperatorSchema> *versions = addedVersions(domain, name)) {
    auto newer = versions->upper_bound(opset);
    return newer == versions->begin() ? nullptr : &std::prev(newer)->second;
  }
  size_t after = table().lowerBound({canonicalDomain(domain), name, opset == INT64_MAX ? opset : opset + 1});
  if (after == 0)
    return nullptr;
  Key key = table().key(after - 1);
  return key.domain == canonicalDomain(domain) && key.name == name ? &table().schema(after - 1) : nullptr;
}

SmallVector<int64_t> schemaVersions(StringRef domain, StringRef name) {
  SmallVector<int64_t> versions;
  if (const std::map<int64_t, OperatorSchema> *added = addedVersions(domain, name)) {
    llvm::append_range(versions, llvm::make_first_range(*added));
    return versions;
  }
  for (size_t index = table().lowerBound({canonicalDomain(domain), name, 0}); index < table().size(); ++index) {
    Key key = table().key(index);
    if (key.domain != canonicalDomain(domain) || key.name != name)
      break;
    versions.push_back(key.since);
  }
  return versions;
}

int64_t newestOpset(StringRef domain) {
  Cursor header(sinter_schema_table);
  uint32_t records = header.number(), domains = header.number();
  Cursor cursor(sinter_schema_table + 8 + 4 * size_t(records));
  for (uint32_t i = 0; i < domains; ++i) {
    StringRef name = cursor.text();
    int64_t version = cursor.number();
    if (name == canonicalDomain(domain))
      return version;
  }
  return 0;
}

StringRef closestOperator(StringRef domain, StringRef name) {
  StringRef best;
  unsigned distance = std::min(static_cast<unsigned>(name.size()) / 3, 4u) + 1;
  auto look = [&](StringRef ofDomain, StringRef candidate) {
    if (ofDomain != canonicalDomain(domain) || name.size() > 64)
      return;
    unsigned here = candidate.equals_insensitive(name) ? 0 : candidate.edit_distance(name, true, distance);
    if (here < distance) {
      distance = here;
      best = candidate;
    }
  };
  for (size_t index = 0; index < table().size(); ++index) {
    Key key = table().key(index);
    look(key.domain, key.name);
  }
  for (const auto &entry : addedSchemas())
    look(entry.first.first, entry.first.second);
  return best;
}

void forEachSchema(llvm::function_ref<void(const OperatorSchema &)> visit) {
  for (size_t index = 0; index < table().size(); ++index) {
    Key key = table().key(index);
    if (!addedVersions(key.domain, key.name))
      visit(table().schema(index));
  }
  for (const auto &entry : addedSchemas())
    for (const auto &version : entry.second)
      visit(version.second);
}

} // namespace sinter
