// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The edges of the model in tensor IR: symbolic dims, inputs as read-only buffers, outputs as destinations, and the
// ABI's description of them.
#include "conversion.h"
#include "output_step.h"
#include "packed_edges.h"
#include "size_relation.h"
#include "states.h"
#include "text.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace sinter {
namespace {

struct MainConverter {
  MainConverter(func::FuncOp source, Diagnostics &diagnostics)
      : source(source), conversion(diagnostics), builder(source->getContext()), diagnostics(diagnostics) {}

  LogicalResult convert(const ConversionOptions &options) {
    conversion.expandBody = options.expandBody;
    conversion.mostUnrolled = options.mostUnrolled;
    conversion.text.stated = options.textBytes;
    isStrict = options.strict;
    states = resolveStates(source, options.states, diagnostics);
    for (auto [output, input] : states.inputs)
      source.setArgAttr(input, stateAttribute, builder.getI64IntegerAttr(output));
    for (const auto &bound : options.bounds)
      conversion.bounds[bound.getKey()] = {bound.getValue()};
    builder.setInsertionPoint(source);
    auto main = builder.create<func::FuncOp>(source.getLoc(), "main", builder.getFunctionType({}, {}));
    Block *body = main.addEntryBlock();
    builder.setInsertionPointToStart(body);
    makeSymbols();
    for (unsigned i = 0; i < source.getNumArguments(); ++i)
      if (failed(makeInput(i)))
        return failure();
    bool good = succeeded(conversion.convertNodes(source.getBody().front(), builder));
    if (good)
      reportUnusedBounds();
    Operation *terminator = source.getBody().front().getTerminator();
    for (auto [i, value] : llvm::enumerate(terminator->getOperands()))
      good &= succeeded(makeOutput(i, value));
    settleTextBytes(conversion);
    builder.create<func::ReturnOp>(source.getLoc());
    for (NamedAttribute attribute : source->getDiscardableAttrs())
      if (attribute.getName() != "sym_name" && attribute.getName() != "function_type")
        main->setDiscardableAttr(attribute.getName(), attribute.getValue());
    main->setAttr("sinter.inputs", builder.getArrayAttr(inputs));
    main->setAttr("sinter.outputs", builder.getArrayAttr(outputs));
    source.erase();
    return success(good && !diagnostics.hasErrors());
  }

private:
  void reportUnusedBounds() {
    std::vector<std::string> unused;
    for (const auto &bound : conversion.bounds)
      if (!bound.second.isUsed)
        unused.push_back(bound.getKey().str());
    llvm::sort(unused);
    constexpr size_t shown = 8;
    if (conversion.boundable.size() > shown)
      conversion.boundable.resize(shown);
    for (const std::string &key : unused)
      diagnostics.report({Code::UnknownBound,
                          "--bound " + key + ": no output of that name has a size that depends on data",
                          {},
                          conversion.boundable.empty() ? "all sizes of the model follow from its inputs' dims"
                                                       : "there are " + llvm::join(conversion.boundable, ", ")});
  }

  void makeSymbols() {
    auto bounds = source->getAttrOfType<DictionaryAttr>("sinter.dim_bounds");
    if (!bounds)
      return;
    for (NamedAttribute bound : bounds) {
      auto range = cast<DenseI64ArrayAttr>(bound.getValue()).asArrayRef();
      conversion.symbols[bound.getName().strref()] =
          builder.create<DimOp>(source.getLoc(), builder.getIndexType(), bound.getName(), range[0], range[1]);
    }
  }

  /// `attributes`: of the argument or result, which may know of a quantization (--io quantized).
  DictionaryAttr describe(StringRef name, ElementType element, ArrayRef<Attribute> dims,
                          ArrayRef<NamedAttribute> attributes) {
    NamedAttrList description;
    description.set("name", builder.getStringAttr(name));
    description.set("element", builder.getI64IntegerAttr(static_cast<int>(element)));
    description.set("dims", builder.getArrayAttr(dims));
    for (NamedAttribute attribute : attributes) {
      StringRef key = attribute.getName();
      if (key.consume_front("sinter.") && llvm::is_contained({"scale", "zero_point", "stays_float", "form"}, key))
        description.set(key, attribute.getValue());
    }
    return description.getDictionary(builder.getContext());
  }

  /// The output goes back into an input, which must be the same in all but its name. The input's description says so.
  LogicalResult becomeState(OutputOp output, unsigned place, unsigned input, Attribute description) {
    NamedAttrList from(cast<DictionaryAttr>(description)), to(cast<DictionaryAttr>(inputs[input]));
    for (StringRef what : {"element", "dims"})
      if (from.get(what) != to.get(what)) {
        reportStateMismatch(from.getDictionary(builder.getContext()), to.getDictionary(builder.getContext()),
                            diagnostics);
        return failure();
      }
    to.set("state", from.get("name"));
    to.set("state_index", builder.getI64IntegerAttr(place));
    inputs[input] = to.getDictionary(builder.getContext());
    output->setAttr("sinter.state", builder.getI64IntegerAttr(input));
    return success();
  }

  LogicalResult makeInput(unsigned i) {
    Value argument = source.getArgument(i);
    auto nameAttr = source.getArgAttrOfType<StringAttr>(i, "sinter.name");
    std::string name = nameAttr ? nameAttr.str() : "input_" + std::to_string(i);
    auto declared = dyn_cast<RankedTensorType>(argument.getType());
    ElementType element = declared ? elementTypeOf(declared.getElementType()) : ElementType::Undefined;
    if (element == ElementType::Undefined) {
      diagnostics.report({Code::UnsupportedInput,
                          "input '" + name + "' is not a tensor of a known rank and type",
                          {},
                          "export the model with tensor inputs"});
      return failure();
    }
    auto symbols = source.getArgAttrOfType<ArrayAttr>(i, "sinter.dims");
    SmallVector<Value> sizes;
    SmallVector<Attribute> dims;
    for (int64_t d = 0; d < declared.getRank(); ++d) {
      if (!declared.isDynamicDim(d)) {
        dims.push_back(builder.getI64IntegerAttr(declared.getDimSize(d)));
        continue;
      }
      auto symbol = symbols ? cast<StringAttr>(symbols[d]) : builder.getStringAttr("");
      sizes.push_back(conversion.symbol(symbol));
      dims.push_back(symbol);
      if (!sizes.back()) {
        diagnostics.report({Code::DimWithoutValue,
                            "dim " + std::to_string(d) + " of input '" + name + "' has no value",
                            {},
                            "--dim " + name + ":" + std::to_string(d) + "=N"});
        return failure();
      }
    }
    Tensors at{builder, argument.getLoc()};
    Sizes all = getMixedValues(declared.getShape(), sizes, builder), held = all;
    if (isPackedAtEdges(element))
      held = {packedBytes(at, all, element)};
    SmallVector<Value> dynamic;
    for (Size size : held)
      if (!constantOf(size))
        dynamic.push_back(cast<Value>(size));
    auto type = MemRefType::get(staticShape(held), storageType(element, builder.getContext()));
    Value buffer = builder.create<InputOp>(argument.getLoc(), type, i, dynamic, name, false);
    Value tensor = builder.create<bufferization::ToTensorOp>(argument.getLoc(), buffer, /*restrict=*/true);
    if (isPackedAtEdges(element))
      tensor = unpackBytes(at, tensor, all, element).value;
    conversion.bind(argument, {{tensor, element}, {}, false, false});
    inputs.push_back(describe(name, element, dims, mlir::function_interface_impl::getArgAttrs(source, i)));
    return success();
  }

  /// What the model declares of an output, which its readers rely on: the type, and the sizes that are numbers. Where
  /// it gives a size a name, names of other outputs may say otherwise, and the graph decides.
  LogicalResult checkDeclared(unsigned i, const std::string &name, ElementType element, ArrayRef<Size> sizes) {
    auto stated = dyn_cast_or_null<TypeAttr>(source.getResultAttr(i, "sinter.type"));
    auto known = stated ? dyn_cast<TensorType>(stated.getValue()) : TensorType();
    bool isQuantized = source.getResultAttr(i, "sinter.scale") != nullptr; // --io quantized
    if (!known)
      return success();
    ElementType declared = elementTypeOf(known.getElementType());
    if (declared != element && !isQuantized) {
      diagnostics.report({Code::WrongOperandType,
                          "output '" + name + "' is declared as " + elementTypeName(declared).str() + " and is " +
                              elementTypeName(element).str(),
                          {},
                          ""});
      return failure();
    }
    auto type = dyn_cast<RankedTensorType>(known);
    if (!type)
      return success();
    auto names = dyn_cast_or_null<ArrayAttr>(source.getResultAttr(i, "sinter.dims"));
    bool fits = type.getRank() == static_cast<int64_t>(sizes.size());
    for (size_t d = 0; fits && d < sizes.size(); ++d) {
      bool isNumber = !type.isDynamicDim(d) && names && cast<StringAttr>(names[d]).empty();
      std::optional<int64_t> size = constantOf(sizes[d]);
      fits = !isNumber || !size || *size == type.getDimSize(d);
    }
    if (fits)
      return success();
    auto text = [](ArrayRef<int64_t> shape) {
      std::string list;
      for (int64_t dim : shape)
        list += (list.empty() ? "" : ", ") + (ShapedType::isDynamic(dim) ? "?" : std::to_string(dim));
      return "[" + list + "]";
    };
    std::string what =
        "output '" + name + "' is declared as " + text(type.getShape()) + " and is " + text(staticShape(sizes));
    if (!isStrict) { // as onnxruntime has it
      diagnostics.note(what);
      return success();
    }
    diagnostics.report({Code::ShapeMismatch, what, {}, "export the model again, or leave out the output's shape"});
    return failure();
  }

  /// Whether a size counts something: rounds of a loop, elements that a kernel or a nest finds. Exporters write down
  /// what it was in the one run that they traced.
  static bool isCounted(Value size) {
    SetVector<Operation *> slice;
    BackwardSliceOptions options;
    options.inclusive = true;
    getBackwardSlice(size, &slice, options);
    return llvm::any_of(
        slice, [](Operation *op) { return isa<KernelOp, linalg::LinalgOp, LoopLikeOpInterface, scf::IfOp>(op); });
  }

  /// Where the graph leaves a size open that the model declares as a number, the number is the interface, and each call
  /// tests it. A symbol of the inputs stays: files say 1 there and mean one of many; so does what is counted.
  Tensor asDeclared(unsigned i, const std::string &name, Tensor tensor, Sizes &sizes) {
    auto stated = dyn_cast_or_null<TypeAttr>(source.getResultAttr(i, "sinter.type"));
    auto type = stated ? dyn_cast<RankedTensorType>(stated.getValue()) : RankedTensorType();
    auto names = dyn_cast_or_null<ArrayAttr>(source.getResultAttr(i, "sinter.dims"));
    if (!type || !names || type.getRank() != static_cast<int64_t>(sizes.size()))
      return tensor;
    Tensors at{builder, tensor.value.getLoc()};
    for (auto [d, size] : llvm::enumerate(sizes)) {
      bool isNumber = !type.isDynamicDim(d) && cast<StringAttr>(names[d]).empty();
      if (!isNumber || constantOf(size) || cast<Value>(size).getDefiningOp<DimOp>() || isCounted(cast<Value>(size)))
        continue;
      Size declared = sizeOf(builder, type.getDimSize(d));
      if (Holds holds = relationHolds(at, "=", size, declared); holds.kind == Holds::AtRunTime)
        require(at, holds.condition, "output '" + name + "' is as large as the model declares");
      size = declared;
    }
    auto known = RankedTensorType::get(staticShape(sizes), tensor.type().getElementType());
    if (known != tensor.type())
      tensor.value = builder.create<tensor::CastOp>(at.loc, known, tensor.value);
    return tensor;
  }

  LogicalResult makeOutput(unsigned i, Value value) {
    const Converted *converted = conversion.find(value);
    if (!converted)
      return failure();
    auto nameAttr = dyn_cast_or_null<StringAttr>(source.getResultAttr(i, "sinter.name"));
    std::string name = nameAttr ? nameAttr.str() : "output_" + std::to_string(i);
    Tensor tensor = converted->tensor;
    Location loc = tensor ? tensor.value.getLoc() : source.getLoc();
    if (!tensor) {
      diagnostics.report({Code::UnsupportedInput,
                          "output '" + name + "' is not a tensor",
                          {},
                          "export the model with tensor outputs"});
      return failure();
    }
    Sizes sizes = dimsOf(builder, loc, tensor.value);
    if (failed(checkDeclared(i, name, tensor.element, sizes)))
      return failure();
    tensor = asDeclared(i, name, tensor, sizes);
    SmallVector<Value> dynamic;
    SmallVector<Attribute> dims;
    if (isPackedAtEdges(tensor.element) && !llvm::all_of(sizes, [](Size s) { return constantOf(s).has_value(); })) {
      diagnostics.report(
          {Code::UnsupportedInput,
           "output '" + name + "' of " + elementTypeName(tensor.element).str() + " has sizes of run time",
           {},
           "fix its dims with --dim, or cast it to int8"});
      return failure();
    }
    for (Size size : sizes) {
      if (std::optional<int64_t> fixed = constantOf(size)) {
        dims.push_back(builder.getI64IntegerAttr(*fixed));
        continue;
      }
      auto symbol = cast<Value>(size).getDefiningOp<DimOp>();
      dims.push_back(builder.getStringAttr(symbol ? symbol.getName() : "?"));
      dynamic.push_back(cast<Value>(size));
    }
    ElementType element = tensor.element;
    if (isPackedAtEdges(element)) {
      Tensors at{builder, loc};
      tensor.value = packBytes(at, tensor);
      sizes = {packedBytes(at, sizes, element)};
    }
    SmallVector<int64_t> shape = staticShape(sizes);
    auto type = MemRefType::get(shape, tensor.type().getElementType());
    // States come behind the outputs that the caller sees.
    std::optional<unsigned> state = states.inputOf(i);
    unsigned index = state ? source.getNumResults() - 1 - states.before(i) : i - states.before(i);
    auto buffer = builder.create<OutputOp>(loc, type, index, dynamic, name);
    if (tensor.type().getShape() != ArrayRef(shape))
      tensor.value =
          builder.create<tensor::CastOp>(loc, RankedTensorType::get(shape, type.getElementType()), tensor.value);
    builder.create<bufferization::MaterializeInDestinationOp>(loc, Type(), tensor.value, buffer, /*restrict=*/true,
                                                              /*writable=*/true);
    DictionaryAttr description =
        describe(name, element, dims, mlir::function_interface_impl::getResultAttrs(source, i));
    if (state)
      return becomeState(buffer, i, *state, description);
    NamedAttrList withMore(description);
    if (double range = outputRange(value); range > 0 && isFloat(element))
      withMore.set("range", builder.getF32FloatAttr(static_cast<float>(range)));
    auto scale = description.getAs<FloatAttr>("scale"); // --io quantized
    if (double step = scale ? scale.getValueAsDouble() : outputStep(value, conversion); step > 0)
      withMore.set("step", builder.getF32FloatAttr(static_cast<float>(step)));
    outputs.push_back(withMore.getDictionary(builder.getContext()));
    return success();
  }

  func::FuncOp source;
  Conversion conversion;
  OpBuilder builder;
  Diagnostics &diagnostics;
  SmallVector<Attribute> inputs, outputs;
  States states;
  bool isStrict = false;
};

} // namespace

LogicalResult convertToTensorIR(ModuleOp module, Diagnostics &diagnostics, const ConversionOptions &options) {
  auto source = module.lookupSymbol<func::FuncOp>("main");
  source.setSymName("node_ir"); // the converted function takes its name
  return MainConverter(source, diagnostics).convert(options);
}

} // namespace sinter
