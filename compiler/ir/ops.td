// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of the sinter dialect, in the order of the forms they belong to: node IR, tensor IR, planned IR.
#ifndef SINTER_OPS_TD
#define SINTER_OPS_TD

include "dialect.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Sinter_Op<string mnemonic, list<Trait> traits = []> : Op<Sinter_Dialect, mnemonic, traits>;

//===--- node IR ---===//

def Sinter_NodeOp : Sinter_Op<"node"> {
  let summary = "an ONNX node";
  let description = [{
    One operation for every ONNX operator. `since` is the version of the operator's schema (0: a function of the model). `attrs` holds the
    node's attributes with the schema's defaults filled in: INT i64, FLOAT f32, STRING string, INTS array<i64>, FLOATS array<f32>, STRINGS [..],
    TENSOR an elements attribute, TYPE_PROTO a type. Graph attributes are regions, named in order by `graphs`. `output_names` are the results'
    names in the ONNX model; a result of type !sinter.absent is an optional output that the model leaves out.
  }];
  let arguments = (ins StrAttr:$op_type, Variadic<AnyType>:$inputs, DefaultValuedStrAttr<StrAttr, "">:$domain, I64Attr:$since,
                       DefaultValuedAttr<DictionaryAttr, "{}">:$attrs,
                       OptionalAttr<StrArrayAttr>:$graphs, OptionalAttr<StrArrayAttr>:$output_names);
  let results = (outs Variadic<AnyType>:$outputs);
  let regions = (region VariadicRegion<AnyRegion>:$bodies);
  let assemblyFormat = "$op_type `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs) ($bodies^)?";
}

def Sinter_AbsentOp : Sinter_Op<"absent", [Pure]> {
  let summary = "an optional operand that is not given";
  let results = (outs Sinter_NoneType:$result);
  let assemblyFormat = "attr-dict";
  let builders = [OpBuilder<(ins), [{ $_state.addTypes(AbsentType::get($_builder.getContext())); }]>];
}

def Sinter_WeightOp : Sinter_Op<"weight", [Pure]> {
  let summary = "a constant tensor of the model";
  let description = [{
    Not ConstantLike on purpose: upstream folds would copy or abort on resources. The attribute's bytes stay in the mapped model file.
    A resource's bytes are in TensorProto.raw_data's form: little-endian, bool one byte of 0 or 1, 4- and 2-bit elements packed low bits first,
    float6 as a stream of 6-bit codes; the type names their ONNX element type. Splats and what is small are dense attributes in MLIR's own form;
    strings are a string elements attribute.
  }];
  let arguments = (ins ElementsAttr:$value, OptionalAttr<StrAttr>:$name);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
}

def Sinter_YieldOp : Sinter_Op<"yield", [Pure, Terminator]> {
  let summary = "ends a subgraph, an epilogue or a constant's region";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

//===--- tensor IR ---===//

def Sinter_DimOp : Sinter_Op<"dim", [Pure, DeclareOpInterfaceMethods<InferIntRangeInterface, ["inferResultRanges"]>]> {
  let summary = "the run-time value of a symbolic dim, given by the caller, already checked against its bounds";
  let arguments = (ins StrAttr:$name, I64Attr:$min, I64Attr:$max);
  let results = (outs Index:$result);
  let assemblyFormat = "$name `[` $min `,` $max `]` attr-dict";
}

def Sinter_BoundOp : Sinter_Op<"bound", [Pure, DeclareOpInterfaceMethods<InferIntRangeInterface, ["inferResultRanges"]>]> {
  let summary = "a size known only at run time, with the bound that the arena is planned for; above it the call ends with status 4";
  let arguments = (ins Index:$value, I64Attr:$min, I64Attr:$max);
  let results = (outs Index:$result);
  let assemblyFormat = "$value `[` $min `,` $max `]` attr-dict";
}

def Sinter_ApplyOp : Sinter_Op<"apply", [Pure]> {
  let summary = "a scalar function of runtime-lite or templates inside a linalg body or epilogue";
  let description = [{ `sinter.apply "erf"(%x) : (f32) -> f32`. The functions: scalar_functions.def, and those between types in codegen/bodies/scalar_ops.def. }];
  let arguments = (ins StrAttr:$function, Variadic<AnyType>:$operands);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$function `(` $operands `)` attr-dict `:` functional-type($operands, $result)";
}

def Sinter_RequantizeOp : Sinter_Op<"requantize", [Pure, AttrSizedOperandSegments]> {
  let summary = "a sum of scaled terms, rounded to an integer: the end of an epilogue or elementwise body of quantized arithmetic";
  let description = [{
        x = sum over i of (ext(values[i]) + biases[i]) * factors[i], plus addend        in f32
        q = clamp(round(x), low, high) + zero                                           half to even

    A value is an f32 or an integer, extended as its letter in `signs` says ("s" or "u"; without letters all are "s"). Biases and factors are literals
    or elements of operands, one per channel; a bias of 0 and a factor of 1 are no operations. An integer bias, which only values of 32 bits and more
    have, is added to the integer; an f32 to the value as f32. Sums are in order. The result is an integer that holds low + zero .. high + zero,
    signed or not, or the same number as an f32, which then has no zero point. ir/requantize.h reads and writes the op.
  }];
  let arguments = (ins Variadic<AnyType>:$values, Variadic<AnyType>:$biases, Variadic<F32>:$factors, Optional<F32>:$addend,
                       I64Attr:$zero, I64Attr:$low, I64Attr:$high, DefaultValuedStrAttr<StrAttr, "">:$signs);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$values `bias` `(` $biases `)` `factor` `(` $factors `)` (`plus` `(` $addend^ `)`)? `zero` $zero `in` ` ` `[` $low `,` $high `]` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Sinter_CheckIndexOp : Sinter_Op<"check_index", [Pure]> {
  let summary = "an index into a dim, from data: negative counts from the end; out of range ends the call with status 5 (--index-check)";
  let description = [{ The result is always within [0, size), so that what follows is memory-safe before the status is looked at. Values are signed. }];
  let arguments = (ins AnySignlessIntegerOrIndex:$index, Index:$size, DefaultValuedAttr<BoolAttr, "true">:$allow_negative);
  let results = (outs Index:$result);
  let assemblyFormat = "$index `,` $size attr-dict `:` type($index)";
}

class Sinter_DpsOp<string mnemonic, list<Trait> traits = []>
    : Sinter_Op<mnemonic, traits # [AttrSizedOperandSegments, DestinationStyleOpInterface,
                                    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  code dpsDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getInitsMutable(); }
  }];
  let extraClassDeclaration = dpsDeclaration;
}

// An epilogue is a region computing one output element: block arguments are the accumulator and one element of each epilogue input, read through
// its map from output coordinates; it ends in sinter.yield. It always has a block (identity: yields the accumulator), because upstream's
// tensor.cast folding cannot clone an empty region of a destination-style op.
// With integer operands the accumulator is i32, or i64 where products of 16-bit operands could overflow it; the element of each operand is extended as
// `signs` says ("s" or "u" for each), then its zero point is taken off. What lies outside of the input contributes 0, as the zero point would.
// A kernel stores each output element once, right after its epilogue has read: an epilogue input with the identity map may share the output's memory.

def Sinter_ConvOp : Sinter_DpsOp<"conv"> {
  let summary = "N-d convolution with an epilogue";
  let description = [{
    Input [n, c, spatial...], filter [k, c/group, spatial...], output [n, k, spatial...] in the layout "nchw"; in "nhwc" the channel is last in input and
    output; in "nchwc" input and output have one more dim, the channel block, at the end. The filter is in OIHW order in the first form and in the
    order that its `kernel` reads after packing. `pads` are the low pads; high pads follow from sizes (reads outside the input are zero).
    `row_pad`, if given, is the low pad of the first spatial dim at run time: in a row tile only the first rows meet the padding. `row_phase`, if given, says of
    a kernel that makes rows of the whole map `rows_together` which of them the row tile begins with. `most_rows` bounds the rows of an output whose size is not
    known, as a row tile's. An attribute `spreads` says that the input is spread out (spreads.h).
    Without a `kernel` none has been chosen yet; `candidates` says who was asked (choose-kernels). A kernel may work in a buffer from the arena, an init behind the outputs.
    Integers: the accumulator is the sum of (ext(x) - input_zero) * (ext(w) - filter_zero), extended by the two letters of `signs`.
  }];
  let arguments = (ins AnyShaped:$input, AnyShaped:$filter, Variadic<AnyType>:$epilogue_inputs, Optional<Index>:$row_pad, Optional<Index>:$row_phase,
                       Variadic<AnyShaped>:$inits, DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$dilations, DenseI64ArrayAttr:$pads, I64Attr:$group,
                       DefaultValuedStrAttr<StrAttr, "nchw">:$layout,
                       AffineMapArrayAttr:$epilogue_maps, DefaultValuedStrAttr<StrAttr, "ss">:$signs,
                       DefaultValuedAttr<I64Attr, "0">:$input_zero, DefaultValuedAttr<I64Attr, "0">:$filter_zero,
                       OptionalAttr<Sinter_KernelAttr>:$kernel, OptionalAttr<Sinter_CandidatesAttr>:$candidates,
                       OptionalAttr<I64Attr>:$most_rows);
  let results = (outs Variadic<AnyTensor>:$results);
  let regions = (region SizedRegion<1>:$epilogue);
  let assemblyFormat = "`ins` `(` $input `,` $filter (`,` $epilogue_inputs^)? `:` type($input) `,` type($filter) (`,` type($epilogue_inputs)^)? `)` (`row_pad` `(` $row_pad^ `)`)? (`row_phase` `(` $row_phase^ `)`)? `outs` `(` $inits `:` type($inits) `)` attr-dict-with-keyword $epilogue (`->` type($results)^)?";
  let hasVerifier = 1;
  let extraClassDeclaration = dpsDeclaration # [{
    /// "nchw", "nhwc" or "nchwc" of one side: `layout` is one of these, or "input->output".
    ::llvm::StringRef inputLayout() { return getLayout().split("->").first; }
    ::llvm::StringRef outputLayout() { return getLayout().contains("->") ? getLayout().split("->").second : getLayout(); }
    bool isInputUnsigned() { return getSigns().front() == 'u'; }
    bool isFilterUnsigned() { return getSigns().back() == 'u'; }
    /// Where the spatial dims begin in the input and in the output.
    int64_t firstSpatialIn() { return inputLayout() == "nhwc" ? 1 : 2; }
    int64_t firstSpatialOut() { return outputLayout() == "nhwc" ? 1 : 2; }
    /// What products are added up in.
    ::mlir::Type accumulatorType() { return getEpilogue().front().getArgument(0).getType(); }
    /// The filter's taps along spatial dim d, wherever packing has put them.
    int64_t taps(int64_t d);
    /// What the kernel works in; null where it needs nothing, or place-scratch has not run.
    ::mlir::Value getScratch();
  }];
}

def Sinter_MatmulOp : Sinter_DpsOp<"matmul"> {
  let summary = "batched matrix product with an epilogue";
  let description = [{
    lhs [batch..., m, k], rhs [batch..., k, n] (or [batch..., n, k] with transpose_rhs; lhs [batch..., k, m] with transpose_lhs); output [batch..., m, n].
    Batch dims broadcast: an operand may have fewer of them, or 1. A rhs that is packed for the `kernel`, see sinter.conv, has one dim more.
    Integers: the accumulator is the sum of (ext(a) - lhs_zero) * (ext(b) - rhs_zero), extended by the two letters of `signs`.
  }];
  let arguments = (ins AnyShaped:$lhs, AnyShaped:$rhs, Variadic<AnyType>:$epilogue_inputs, Variadic<AnyShaped>:$inits,
                       UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs,
                       AffineMapArrayAttr:$epilogue_maps, DefaultValuedStrAttr<StrAttr, "ss">:$signs,
                       DefaultValuedAttr<I64Attr, "0">:$lhs_zero, DefaultValuedAttr<I64Attr, "0">:$rhs_zero,
                       OptionalAttr<Sinter_KernelAttr>:$kernel, OptionalAttr<Sinter_CandidatesAttr>:$candidates);
  let results = (outs Variadic<AnyTensor>:$results);
  let regions = (region SizedRegion<1>:$epilogue);
  let assemblyFormat = "`ins` `(` $lhs `,` $rhs (`,` $epilogue_inputs^)? `:` type($lhs) `,` type($rhs) (`,` type($epilogue_inputs)^)? `)` `outs` `(` $inits `:` type($inits) `)` attr-dict-with-keyword $epilogue (`->` type($results)^)?";
  let hasVerifier = 1;
  let extraClassDeclaration = dpsDeclaration # [{
    bool isLhsUnsigned() { return getSigns().front() == 'u'; }
    bool isRhsUnsigned() { return getSigns().back() == 'u'; }
    /// As sinter.conv's.
    ::mlir::Type accumulatorType() { return getEpilogue().front().getArgument(0).getType(); }
    /// As sinter.conv's.
    ::mlir::Value getScratch();
  }];
}

def Sinter_PoolOp : Sinter_DpsOp<"pool"> {
  let summary = "maximum, mean or sum over sliding windows";
  let description = [{
    Input [n, c, spatial...], output [n, c, spatial...] with one to three spatial dims in the layout "nchw"; in "nchwc" both have one more dim,
    the channel block, at the end. `window`, `strides` and `dilations` per spatial dim; `pads` the low ones, then the high ones. A maximum sees only
    what lies inside of the input; its high pads follow from the sizes and stand as 0. A mean counts the elements inside, and the pads as zeros where `count_include_pad`; that of no elements is 0.
    `scales` makes a mean one of bytes. `row_pad` is sinter.conv's. Integers are unsigned where `is_unsigned`.
    The template that computes it follows from kind and layout (template_call.h).
  }];
  let arguments = (ins AnyShaped:$input, Optional<Index>:$row_pad, Variadic<AnyShaped>:$inits, Sinter_PoolKindAttr:$kind,
                       DenseI64ArrayAttr:$window, DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$dilations, DenseI64ArrayAttr:$pads,
                       DefaultValuedStrAttr<StrAttr, "nchw">:$layout, UnitAttr:$count_include_pad, UnitAttr:$is_unsigned,
                       OptionalAttr<Sinter_PoolScalesAttr>:$scales);
  let results = (outs Variadic<AnyTensor>:$results);
  let assemblyFormat = "$kind `ins` `(` $input `:` type($input) `)` (`row_pad` `(` $row_pad^ `)`)? `outs` `(` $inits `:` type($inits) `)` attr-dict (`->` type($results)^)?";
  let hasVerifier = 1;
  let extraClassDeclaration = dpsDeclaration # [{
    bool isBlocked() { return getLayout() == "nchwc"; }
    ::llvm::ArrayRef<int64_t> lowPads() { return getPads().take_front(getPads().size() / 2); }
    bool hasPads() { return ::llvm::any_of(getPads(), [](int64_t pad) { return pad != 0; }); }
  }];
}

def Sinter_KernelOp : Sinter_DpsOp<"kernel"> {
  let summary = "a call of a template kernel, or of a function of the user's: what is neither a loop nest, nor a contraction, nor a pool";
  let description = [{
    `kernel` names templates/<kernel>.h and the function template in it, called as `kernel(params, inputs..., outputs..., scratch...)` with a
    View per shaped operand (scalars by value); `params` become the members of the kernel's Params struct. Element type i1 is bool. Scratch buffers
    are trailing inits. A kernel that can fail returns a status. `signedness` gives, per operand, "u" where integers are unsigned and "s" elsewhere.
    With a `header` the kernel is a function of the user's (docs/custom-operators.md), named as C++ has it, from the global namespace on: "::acme::swirl".
    `arguments` are its own, in order: {name} takes the next operand, {name, absent = type} is an optional operand that is not given,
    {name, value} a number, text or list; it returns a status where `returns_status` says so. Its operands lie dense.
  }];
  let arguments = (ins StrAttr:$kernel, Variadic<AnyType>:$inputs, Variadic<AnyShaped>:$inits,
                       DefaultValuedAttr<DictionaryAttr, "{}">:$params,
                       DefaultValuedStrAttr<StrAttr, "">:$signedness,
                       OptionalAttr<StrAttr>:$header, OptionalAttr<ArrayAttr>:$arguments, UnitAttr:$returns_status);
  let results = (outs Variadic<AnyType>:$results);
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$results, "::llvm::StringRef":$kernel, "::mlir::ValueRange":$inputs, "::mlir::ValueRange":$inits,
                                 "::mlir::DictionaryAttr":$params, CArg<"::llvm::StringRef", "\"\"">:$signedness),
                            [{ build($_builder, $_state, results, kernel, inputs, inits, params, signedness, nullptr, nullptr, false); }]>];
  let extraClassDeclaration = dpsDeclaration # [{
    /// The first input with some elements replaced: each is read before the one at its place is written, and not later.
    bool isScatter() { return getKernel() == "scatter_nd" || getKernel() == "scatter_elements"; }
  }];
  let assemblyFormat = "$kernel `ins` `(` ($inputs^ `:` type($inputs))? `)` `outs` `(` $inits `:` type($inits) `)` attr-dict (`->` type($results)^)?";
}

def Sinter_PermuteOp : Sinter_Op<"permute", [Pure]> {
  let summary = "a tensor seen with its dims in another order: a view, where linalg.transpose is a copy";
  let description = [{ Result dim i is the source's dim permutation[i]. For operands and results of ops that take any strides. }];
  let arguments = (ins AnyTensor:$source, DenseI64ArrayAttr:$permutation);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = "$source $permutation attr-dict `:` type($source) `->` type($result)";
}

def Sinter_ConstantOp : Sinter_Op<"constant", [Pure, SingleBlock, IsolatedFromAbove]> {
  let summary = "a constant computed from weights, evaluated when weights are written";
  let description = [{
    The region is tensor IR without operands from outside; its leaves are `sinter.weight` and small arith constants. Evaluated one by one by the
    interpreter, written, freed; equal results are stored once. `offset` is the byte offset in the weights once written. `number` tells constants
    apart without a look at their regions. As a memref it lies in the weights of its memory space.
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$offset, OptionalAttr<StrAttr>:$name, OptionalAttr<I64Attr>:$number);
  let results = (outs AnyShaped:$result);
  let regions = (region AnyRegion:$body);
  let assemblyFormat = "attr-dict-with-keyword $body `:` type($result)";
  let hasVerifier = 1;
}

//===--- edges of the graph, in tensor, buffer and planned IR ---===//

def Sinter_InputOp : Sinter_Op<"input", [Pure]> {
  let summary = "the caller's buffer of a model input, contiguous, read only; as a memref also before bufferization";
  let arguments = (ins I64Attr:$index, Variadic<Index>:$sizes, StrAttr:$name, DefaultValuedAttr<BoolAttr, "false">:$state);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "$index $name (`[` $sizes^ `]`)? attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Sinter_OutputOp : Sinter_Op<"output"> {
  let summary = "the caller's buffer of a model output, contiguous, with its run-time sizes";
  let arguments = (ins I64Attr:$index, Variadic<Index>:$sizes, StrAttr:$name);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "$index $name (`[` $sizes^ `]`)? attr-dict `:` type($result)";
  let hasVerifier = 1;
}

//===--- planned IR ---===//

def Sinter_ArenaOp : Sinter_Op<"arena", [Pure]> {
  let summary = "a buffer at a byte offset of an arena: of the one that the type's memory space names (space.h)";
  let arguments = (ins I64Attr:$offset, I64Attr:$bytes, Variadic<Index>:$sizes);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "$offset `for` $bytes (`[` $sizes^ `]`)? attr-dict `:` type($result)";
  let hasVerifier = 1;
}

#endif
