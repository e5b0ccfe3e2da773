// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TypeProto -> MLIR type and ONNX's type string; and dims of graph inputs, which the model or the user must give.
#pragma once

#include "frontend/import_state.h"

#include "mlir/IR/BuiltinTypes.h"

namespace sinter {

/// A value's type as far as it is known.
struct ValueType {
  mlir::Type type;    ///< null: the model does not state it, or not its rank
  std::string string; ///< "tensor(float)"; empty: unknown
};

/// "tensor(float)" of an element type.
std::string tensorTypeString(ElementType element);
/// ONNX's type string of a type that the importer made; empty for !sinter.any and !sinter.absent.
std::string typeString(mlir::Type type);

/// The type that a TypeProto states. Dims whose symbol has one value are static, others dynamic. `what` names the value
/// in messages.
ValueType readType(ImportState &state, const onnx::TypeProto &proto, const llvm::Twine &what, const ModelPlace &place);

/// The names of a tensor type's dims: a symbol, or "" for a number or nothing.
mlir::ArrayAttr dimNames(ImportState &state, const onnx::TypeProto &proto);

/// A graph input with its dims: `names` has the symbol of each dynamic dim ("images:0" for one that the model does not
/// name).
struct InputType {
  ValueType value;
  llvm::SmallVector<std::string> names;
  mlir::DictionaryAttr extents; ///< of what is no tensor (input_structures.cpp); null: a tensor
};

/// What exporters write for a dim whose name they do not know is none: "?" of paddle2onnx, "None" and "-1" of others.
/// Two dims that have it need not be equal.
void forgetPlaceholders(onnx::TypeProto &type);
/// What an optional holds, or the type itself.
const onnx::TypeProto &heldType(const onnx::TypeProto &type);
/// The places of an input that is or holds a sequence or a map which --dim may name, in order: its length "x:count",
/// the dims of a sequence's element "x:0", and of an optional "x:present".
llvm::SmallVector<std::string> placesOf(const ImportState &state, const onnx::ValueInfoProto &input);
/// An input that is a tensor, or what an input holds that is one.
InputType readTensorInput(ImportState &state, const onnx::ValueInfoProto &input, const onnx::TypeProto &type);
/// Reads the values of --dim for an input that is no tensor. Reports what has none.
InputType readStructure(ImportState &state, const onnx::ValueInfoProto &input);
/// The flag that gives "x:0" a value, for the last of those that have none.
std::string hintForMissing(const ImportState &state, llvm::StringRef place);
/// The name of a dim by its place: "images:0".
std::string placeName(llvm::StringRef input, size_t axis);
/// Whether a value of --dim is a range of sizes; reported if not.
bool isUsable(ImportState &state, llvm::StringRef name, DimValue value);

/// First, over all inputs: which symbols have a value, by symbol or by place ("--dim batch=1", "--dim images:0=1").
/// Reports dims of the options that no input has, contradictions, and negative or empty ranges.
void resolveSymbols(ImportState &state, llvm::ArrayRef<const onnx::ValueInfoProto *> inputs);
/// Then, each input's type. Reports a dim without a value, with the flag that gives it one.
InputType readInputType(ImportState &state, const onnx::ValueInfoProto &input);

} // namespace sinter
