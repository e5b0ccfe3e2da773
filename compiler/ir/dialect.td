// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sinter dialect: what ONNX needs and MLIR's own dialects lack. docs/architecture.md says which op lives in which form.
#ifndef SINTER_DIALECT_TD
#define SINTER_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Sinter_Dialect : Dialect {
  let name = "sinter";
  let cppNamespace = "::sinter";
  let summary = "ONNX models on their way to C++";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::affine::AffineDialect", "mlir::tensor::TensorDialect"];
}

class Sinter_Type<string className, string mnemonicName, list<Trait> traits = []> : TypeDef<Sinter_Dialect, className, traits> {
  let mnemonic = mnemonicName;
}

def Sinter_AnyType : Sinter_Type<"Any", "any"> {
  let summary = "a node's result whose type the model does not state; conversion finds it";
}
def Sinter_NoneType : Sinter_Type<"Absent", "absent"> {
  let summary = "an optional operand that is not there";
}
def Sinter_StringType : Sinter_Type<"String", "string", [MemRefElementTypeInterface]> {
  let summary = "an element of a string tensor: pointer and size";
}
def Sinter_Float4E2M1Type : Sinter_Type<"Float4E2M1", "f4E2M1", [MemRefElementTypeInterface]> {
  let summary = "ONNX's float4e2m1, in node IR; held as i8 codes in tensor IR";
}
def Sinter_Float8E8M0Type : Sinter_Type<"Float8E8M0", "f8E8M0", [MemRefElementTypeInterface]> {
  let summary = "ONNX's float8e8m0 (a power of two), in node IR; held as i8 codes in tensor IR";
}
def Sinter_Float6E2M3Type : Sinter_Type<"Float6E2M3", "f6E2M3", [MemRefElementTypeInterface]> {
  let summary = "ONNX's float6e2m3, in node IR; held as i8 codes in tensor IR";
}
def Sinter_Float6E3M2Type : Sinter_Type<"Float6E3M2", "f6E3M2", [MemRefElementTypeInterface]> {
  let summary = "ONNX's float6e3m2, in node IR; held as i8 codes in tensor IR";
}
def Sinter_SequenceType : Sinter_Type<"Sequence", "sequence"> {
  let summary = "an ONNX sequence of tensors of one type";
  let parameters = (ins "mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
}
def Sinter_OptionalType : Sinter_Type<"Optional", "optional"> {
  let summary = "an ONNX optional value";
  let parameters = (ins "mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
}
def Sinter_MapType : Sinter_Type<"Map", "map"> {
  let summary = "an ONNX map: keys are integers or strings";
  let parameters = (ins "mlir::Type":$key, "mlir::Type":$value);
  let assemblyFormat = "`<` $key `,` $value `>`";
}

def Sinter_KernelAttr : AttrDef<Sinter_Dialect, "Kernel"> {
  let mnemonic = "kernel";
  let summary = "the template that computes a contraction, and what choosing it has settled";
  let description = [{
    `name` is the function template's in templates/. Of `params` each kernel has its own; these say where the constant operand has got to:
      dims   for each dim of the operand as the op defines it, the packed dims that make it, outermost first (three of a filter's first dim: the first are
             the groups; what fills up the last one is no part of the operand). Without it only the kernel knows the order.
      taps   of a filter whose packed dims do not show them
      transform  Winograd's of a filter's taps, of which the packed ones are products
    Another says that sums of rows of a map depend on where these lie in it:
      rows_together  rows from a multiple of this number on are made together
      columns_together  the same of columns, which are never cut
    And one says what a convolution reads where its input ends, if that is not 0:
      outside  the zero point of its bytes, whose share of each sum is known and part of the epilogue
  }];
  let parameters = (ins StringRefParameter<"name">:$name, "::mlir::DictionaryAttr":$params);
  let assemblyFormat = "`<` $name `,` $params `>`";
  let extraClassDeclaration = [{
    bool has(::llvm::StringRef param) const { return getParams().contains(param); }
    /// A parameter that is a number; `absent` where there is none.
    int64_t number(::llvm::StringRef param, int64_t absent = 0) const;
    /// One that is a list; empty where there is none.
    ::llvm::ArrayRef<int64_t> numbers(::llvm::StringRef param) const;
    ::llvm::StringRef text(::llvm::StringRef param) const;
    /// The packed dims that make dim d of the operand as it is defined; nothing where only the kernel knows.
    std::optional<::llvm::ArrayRef<int64_t>> dimsOf(int64_t d) const;
    KernelAttr with(::llvm::StringRef param, ::mlir::Attribute value) const;
  }];
}

def Sinter_CandidateAttr : AttrDef<Sinter_Dialect, "Candidate"> {
  let mnemonic = "candidate";
  let summary = "a kernel that was asked whether it computes a contraction, and its answer";
  let description = [{
    `answer`: "taken", "could, too", or why it cannot. `estimate`: what a call costs by the kernel's own estimate, in cycles, on microcontrollers in
    instructions.
  }];
  let parameters = (ins StringRefParameter<"name">:$kernel, StringRefParameter<"answer">:$answer, OptionalParameter<"::mlir::FloatAttr">:$estimate);
  let assemblyFormat = "`<` $kernel `,` $answer (`,` $estimate^)? `>`";
}
def Sinter_CandidatesAttr : AttrDef<Sinter_Dialect, "Candidates"> {
  let mnemonic = "candidates";
  let summary = "all kernels that were asked, in their order; printed as an alias, since it is long";
  let parameters = (ins ArrayRefParameter<"::sinter::CandidateAttr">:$all);
  let assemblyFormat = "`<` $all `>`";
}

def Sinter_MemoryKind : I32EnumAttr<"MemoryKind", "memory that some processors reach and others do not", [
    I32EnumAttrCase<"Host", 0, "host">, I32EnumAttrCase<"Device", 1, "device">, I32EnumAttrCase<"Shared", 2, "shared">]> {
  let cppNamespace = "::sinter";
  let genSpecializedAttr = 0;
}

def Sinter_SpaceAttr : AttrDef<Sinter_Dialect, "Space"> {
  let mnemonic = "space";
  let summary = "the memory space of a memref: `#sinter.space<device>`, `#sinter.space<host, \"ccm\">`";
  let description = [{
    `host`: what the CPU that is called reaches; `device`: what an accelerator's kernels reach; `shared`: memory of the
    host that an accelerator's kernels reach as well. A region is a part of the space with an arena of its own (--ram). space.h says what a type without this attribute means.
  }];
  let parameters = (ins EnumParameter<Sinter_MemoryKind>:$kind, OptionalParameter<"::mlir::StringAttr">:$region);
  let assemblyFormat = "`<` $kind (`,` $region^)? `>`";
}

def Sinter_PoolKind : I32EnumAttr<"PoolKind", "what a pool makes of the elements of a window", [
    I32EnumAttrCase<"Max", 0, "max">, I32EnumAttrCase<"Average", 1, "average">, I32EnumAttrCase<"Sum", 2, "sum">]> {
  let cppNamespace = "::sinter";
  let genSpecializedAttr = 0;
}
def Sinter_PoolKindAttr : EnumAttr<Sinter_Dialect, Sinter_PoolKind, "pool_kind">;

def Sinter_PoolScalesAttr : AttrDef<Sinter_Dialect, "PoolScales"> {
  let mnemonic = "pool_scales";
  let summary = "an average of bytes that is rounded to bytes: scales and zero points of both sides";
  let description = [{
    `integer_sums`: integers are summed, and multiplied once by a factor, as onnxruntime's QLinearGlobalAveragePool does; without it dequantized elements
    are, as its QLinearAveragePool does.
  }];
  let parameters = (ins "::mlir::FloatAttr":$x_scale, "int64_t":$x_zero, "::mlir::FloatAttr":$y_scale, "int64_t":$y_zero,
                        "::mlir::BoolAttr":$integer_sums);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif
