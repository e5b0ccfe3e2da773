// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// First pass over a model's bytes: protobuf's wire format, without protobuf. stripTensorData copies what the importer
// reads and leaves tensor data where it is, so that parsing a 100 MB model allocates kilobytes. tensor_data.cpp reads
// the data later, from the mapped file.
#pragma once

#include "frontend/limits.h"

#include "diagnostics/diagnostics.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace sinter::wire {

enum Type : uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

/// One field of a message. Numbers of all widths are in `value`; `bytes` points into the message.
struct Field {
  uint32_t number = 0;
  Type type = Varint;
  uint64_t value = 0;
  llvm::StringRef bytes;
};

/// Calls `take` with each number of a repeated field, packed or not; false where it is malformed.
bool forEachNumber(const Field &field, llvm::function_ref<void(uint64_t)> take);

/// Reads the fields of one message in order. Groups, which ONNX does not use, are skipped.
class Reader {
public:
  explicit Reader(llvm::StringRef message) : rest(message) {}
  /// The next field; none at the end or at the first malformed byte, which `malformed` tells apart.
  std::optional<Field> next();
  bool malformed() const { return broken; }
  /// The next number of a packed field.
  std::optional<uint64_t> varint();
  bool atEnd() const { return rest.empty(); }

private:
  bool payload(Field &field);
  bool skipGroup(uint32_t number);
  std::nullopt_t fail() {
    broken = true;
    return std::nullopt;
  }

  llvm::StringRef rest;
  bool broken = false;
};

/// Appends a base-128 number.
void appendVarint(std::string &out, uint64_t value);

enum class Root { Model, Function };

/// In whose modules of PyTorch's a node was: "['', 'model', 'model.embed_tokens', 'embedding']".
constexpr llvm::StringLiteral moduleScopes = "pkg.torch.onnx.name_scopes";

/// Where a stripped TensorProto's bytes are: its raw_data holds one of these instead of data.
struct TensorPlace {
  uint64_t offset, size;
};

struct Stripped {
  std::string bytes; ///< to be parsed by protobuf; every TensorProto's raw_data is a TensorPlace, its other data fields
                     ///< are absent
  std::optional<Problem> problem;
  uint64_t nodes = 0; ///< of graphs and functions
};

/// Copies the fields that the importer reads, from ModelProto or FunctionProto bytes of any quality. `namesModules`:
/// also what nodes say of moduleScopes.
Stripped stripTensorData(llvm::StringRef file, Root root, const Limits &limits, bool namesModules = false);

} // namespace sinter::wire
