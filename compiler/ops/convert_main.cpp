// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The edges of the model in tensor IR: symbolic dims, inputs as read-only buffers, outputs as destinations, and the
// ABI's description of them.
#include "choices.h"
#include "conversion.h"
#include "dim_polynomials.h"
#include "forms.h"
#include "growing_states.h"
#include "input_parts.h"
#include "lenient.h"
#include "meeting.h"
#include "missing_bounds.h"
#include "output_step.h"
#include "packed_edges.h"
#include "size_relation.h"
#include "states.h"
#include "text.h"
#include "value_facts.h"

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
    conversion.nchwcBlock = options.nchwcBlock;
    if (options.strict)
      source->setAttr(strictAttribute, builder.getUnitAttr());
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
    if (options.facts)
      recordFacts(source, conversion, builder, *options.facts);
    if (lacksBound(diagnostics))
      return failure();
    if (good)
      reportUnusedBounds();
    Operation *terminator = source.getBody().front().getTerminator();
    for (Value value : terminator->getOperands())
      good &= succeeded(takeParts(value));
    for (auto [i, value] : llvm::enumerate(terminator->getOperands()))
      good &= succeeded(makeOutput(i, value));
    settleTextBytes(conversion);
    appendToStates(main);
    builder.create<func::ReturnOp>(source.getLoc());
    source->removeAttr(strictAttribute);
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
      if (!polynomialOf(source, bound.getName()))
        conversion.symbols[bound.getName().strref()] =
            builder.create<DimOp>(source.getLoc(), builder.getIndexType(), bound.getName(), range[0], range[1]);
    }
    for (NamedAttribute bound : bounds)
      if (auto polynomial = polynomialOf(source, bound.getName()))
        conversion.symbols[bound.getName().strref()] =
            sizeOfPolynomial(*polynomial, builder, source.getLoc(), conversion);
  }

  /// The output goes back into an input, which must be the same in all but its name. The input's description says so.
  LogicalResult becomeState(OutputOp output, unsigned place, unsigned input, Attribute description) {
    input = inputPlaces[input];
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

  /// An input that is no tensor.
  LogicalResult makeStructure(unsigned i, StringRef name, DictionaryAttr extents) {
    BlockArgument argument = source.getArgument(i);
    Location loc = argument.getLoc();
    Type type = argument.getType();
    InputParts parts(builder, loc, name, inputs);
    Converted value;
    if (auto optional = dyn_cast<OptionalType>(type)) {
      auto present = cast<DenseI64ArrayAttr>(extents.get("present"));
      Tensor flag = parts.add("present", ElementType::Bool, {});
      type = optional.getElement();
      if (present[1] == 0) {
        value.isAbsent = true;
        conversion.bind(argument, value);
        return success();
      }
      if (present[0] == 0)
        value.present = flag;
    }
    auto tensor = dyn_cast<RankedTensorType>(type);
    FailureOr<Converted> inside = tensor ? tensorInput(i, name, "value", tensor) : parts.addValue(type, extents);
    if (failed(inside)) {
      if (!diagnostics.hasErrors())
        diagnostics.report({Code::UnsupportedInput,
                            ("input '" + name + "' holds elements that this interface has no form for").str(),
                            {},
                            "give tensors, sequences of tensors or maps to tensors with elements of 8 bits or more, or "
                            "optionals of these"});
      return failure();
    }
    inside->present = value.present;
    conversion.bind(argument, *inside);
    return success();
  }

  /// The state is a buffer of the input's largest size, whose first rows `tensor` is put into. Returns its description,
  /// in which both are alike.
  DictionaryAttr grow(unsigned input, Tensor &tensor, int64_t axis, DictionaryAttr description) {
    Value old = conversion.find(source.getArgument(input))->tensor.value;
    GrowingState state = growState(builder, old, tensor, axis);
    auto rebind = [&](Value value) {
      if (const Converted *bound = conversion.find(value); bound && bound->tensor.value == old)
        conversion.bind(value, {{state.part, bound->tensor.element}, {}, false, false});
    };
    for (Value argument : source.getArguments())
      rebind(argument);
    for (Operation &op : source.getBody().front())
      for (Value result : op.getResults())
        rebind(result);
    tensor = state.whole;
    NamedAttrList from(description), to(cast<DictionaryAttr>(inputs[inputPlaces[input]]));
    from.set("dims", to.get("dims"));
    to.set("grows", builder.getI64IntegerAttr(axis));
    to.set("capacity", builder.getI64IntegerAttr(state.capacity));
    inputs[inputPlaces[input]] = to.getDictionary(builder.getContext());
    return from.getDictionary(builder.getContext());
  }

  LogicalResult makeInput(unsigned i) {
    Value argument = source.getArgument(i);
    auto nameAttr = source.getArgAttrOfType<StringAttr>(i, "sinter.name");
    std::string name = nameAttr ? nameAttr.str() : "input_" + std::to_string(i);
    inputPlaces.push_back(inputs.size());
    if (auto extents = source.getArgAttrOfType<DictionaryAttr>(i, "sinter.extents"))
      return makeStructure(i, name, extents);
    auto declared = dyn_cast<RankedTensorType>(argument.getType());
    ElementType element = declared ? elementTypeOf(declared.getElementType()) : ElementType::Undefined;
    if (element == ElementType::Undefined) {
      diagnostics.report({Code::UnsupportedInput,
                          "input '" + name + "' is not a tensor of a known rank and type",
                          {},
                          "export the model with inputs of known types"});
      return failure();
    }
    FailureOr<Converted> value = tensorInput(i, name, "", declared);
    if (succeeded(value))
      conversion.bind(argument, *value);
    return value;
  }

  /// A tensor that is argument i, or, as `part`, in it.
  FailureOr<Converted> tensorInput(unsigned i, StringRef name, StringRef part, RankedTensorType declared) {
    Location loc = source.getArgument(i).getLoc();
    ElementType element = elementTypeOf(declared.getElementType());
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
                            ("dim " + Twine(d) + " of input '" + name + "' has no value").str(),
                            {},
                            ("--dim " + name + ":" + Twine(d) + "=N").str()});
        return failure();
      }
    }
    Tensors at{builder, loc};
    Sizes all = getMixedValues(declared.getShape(), sizes, builder), held = all;
    if (isPackedAtEdges(element))
      held = {packedBytes(at, all, element)};
    SmallVector<Value> dynamic;
    for (Size size : held)
      if (!constantOf(size))
        dynamic.push_back(cast<Value>(size));
    auto type = MemRefType::get(staticShape(held), storageType(element, builder.getContext()));
    Value tensor = inputBuffer(builder, loc, part.empty() ? Twine(name) : name + "." + part, type, dynamic, inputs);
    if (isPackedAtEdges(element))
      tensor = unpackBytes(at, tensor, all, element).value;
    inputs.push_back(
        describeAtEdge(builder, name, part, element, dims, mlir::function_interface_impl::getArgAttrs(source, i)));
    return Converted{{tensor, element}, {}, false, false};
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
    if (!source->hasAttr(strictAttribute)) { // as onnxruntime has it
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

  struct OutputPart {
    StringRef part; ///< empty: all of a tensor
    Tensor tensor;
  };

  /// The tensors that the caller gets for each output.
  LogicalResult takeParts(Value value) {
    unsigned i = outputParts.size();
    SmallVector<OutputPart> &parts = outputParts.emplace_back();
    const Converted *converted = conversion.find(value);
    if (!converted)
      return failure();
    Tensors at{builder, source.getLoc()};
    Converted given = *converted;
    auto stated = dyn_cast_or_null<TypeAttr>(source.getResultAttr(i, "sinter.type"));
    Type declared = stated ? stated.getValue() : Type();
    bool isOptional = isa_and_nonnull<OptionalType>(declared);
    if (isOptional)
      declared = cast<OptionalType>(declared).getElement();
    if (given.isSequence && isa_and_nonnull<TensorType>(declared)) {
      diagnostics.report({Code::WrongOperandType,
                          "output '" + nameOfOutput(i) + "' is declared as a tensor and is a sequence",
                          {},
                          ""});
      return failure();
    }
    if (given.present && !isOptional) { // what the model promises must be there
      require(at, onlyElement(builder, at.loc, given.present), "output '" + nameOfOutput(i) + "' has a value");
      given.present = {};
    }
    if (isOptional && !given.present && (given.tensor || given.isSequence))
      given.present = rankZero(builder, at.loc, ElementType::Bool,
                               builder.create<arith::ConstantOp>(at.loc, builder.getBoolAttr(true)));
    if (given.present)
      parts.push_back({"present", given.present});
    Form form = formOf(at, given);
    if (given.choice) {
      auto type = dyn_cast_or_null<RankedTensorType>(declared);
      if (std::optional<Problem> problem = takeDeclaredRank(at, "output '" + nameOfOutput(i) + "'", type, given)) {
        diagnostics.report(*problem);
        return failure();
      }
      conversion.bind(value, given);
    }
    bool isKnown = given.tensor || (given.isSequence && form.sequence && !isPackedAtEdges(form.element));
    if (!isKnown) {
      diagnostics.report(
          {Code::UnsupportedInput,
           "output '" + nameOfOutput(i) + "' is neither a tensor nor a sequence of tensors of bounded sizes",
           {},
           "export the model with such outputs"});
      return failure();
    }
    if (!given.isSequence) {
      parts.push_back({given.present ? "value" : "", given.tensor});
      return success();
    }
    form.kind = Form::Stack;
    form.elements.clear();
    Stacked stack = *inForm(at, given, form).stacked;
    Sizes shape{sizeOf(builder, rowsOf(stack.form))}; // an element's largest sizes, where all have one rank
    if (stack.form.shapes.size() == 1)
      for (const Extent &dim : stack.form.shapes.front())
        shape.push_back(sizeOf(builder, std::max<int64_t>(dim.most, 1)));
    else if (stack.form.hasElements())
      shape.push_back(sizeOf(builder, roomOf(stack.form)));
    parts.push_back({"elements", at.reshape(stack.items, shape)});
    parts.push_back({"dims", stack.dims});
    parts.push_back({"count", stack.count});
    return success();
  }

  std::string nameOfOutput(unsigned i) {
    auto name = dyn_cast_or_null<StringAttr>(source.getResultAttr(i, "sinter.name"));
    return name ? name.str() : "output_" + std::to_string(i);
  }

  LogicalResult makeOutput(unsigned i, Value value) {
    std::optional<unsigned> state = states.inputOf(i);
    if (outputParts[i].size() > 1 && state) {
      diagnostics.report({Code::InvalidState,
                          "--state " + nameOfOutput(i) + "=...: the output is no tensor",
                          {},
                          "a state is a tensor"});
      return failure();
    }
    if (outputParts[i].empty())
      return failure(); // what is wrong has been reported
    for (const OutputPart &part : outputParts[i])
      if (failed(makePart(i, value, part)))
        return failure();
    return success();
  }

  /// Of a list of maps (ZipMap), which is a tensor here: what its numbers are called, in their order.
  ArrayAttr labelsOf(Value value) {
    auto node = value.getDefiningOp<NodeOp>();
    if (!node || node.getDomain() != "ai.onnx.ml" || node.getOpType() != "ZipMap")
      return {};
    if (auto texts = node.getAttrs().getAs<ArrayAttr>("classlabels_strings"); texts && !texts.empty())
      return texts;
    auto numbers = node.getAttrs().getAs<DenseI64ArrayAttr>("classlabels_int64s");
    return numbers && !numbers.empty() ? builder.getI64ArrayAttr(numbers.asArrayRef()) : ArrayAttr();
  }

  /// The place of what is next among the buffers of outputs: states come behind those that the caller sees.
  unsigned nextPlace(unsigned i, std::optional<unsigned> state) {
    if (!state)
      return outputs.size();
    size_t all = 0;
    for (const SmallVector<OutputPart> &parts : outputParts)
      all += parts.size();
    return all - 1 - states.before(i);
  }

  LogicalResult makePart(unsigned i, Value value, const OutputPart &part) {
    std::string name = nameOfOutput(i);
    // A tensor by its value: states that grow, of outputs before this one, have given some another place.
    Tensor tensor = part.part.empty() ? conversion.find(value)->tensor : part.tensor;
    Location loc = tensor.value.getLoc();
    Sizes sizes = dimsOf(builder, loc, tensor.value);
    if (part.part.empty()) {
      if (failed(checkDeclared(i, name, tensor.element, sizes)))
        return failure();
      tensor = asDeclared(i, name, tensor, sizes);
    }
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
      StringRef symbol = dimNameOf(source, cast<Value>(size), conversion);
      dims.push_back(builder.getStringAttr(symbol.empty() ? "?" : symbol));
      dynamic.push_back(cast<Value>(size));
    }
    ElementType element = tensor.element;
    DictionaryAttr description = describeAtEdge(builder, name, part.part, element, dims,
                                                mlir::function_interface_impl::getResultAttrs(source, i));
    std::optional<unsigned> state = states.inputOf(i);
    if (state && !isPackedAtEdges(element))
      if (std::optional<int64_t> axis = growingAxis(description, cast<DictionaryAttr>(inputs[inputPlaces[*state]]))) {
        description = grow(*state, tensor, *axis, description);
        sizes = Tensors{builder, loc}.sizes(tensor);
        dynamic.clear();
        for (Size size : sizes)
          if (!constantOf(size))
            dynamic.push_back(cast<Value>(size));
      }
    if (isPackedAtEdges(element)) {
      Tensors at{builder, loc};
      tensor.value = packBytes(at, tensor);
      sizes = {packedBytes(at, sizes, element)};
    }
    SmallVector<int64_t> shape = staticShape(sizes);
    auto type = MemRefType::get(shape, tensor.type().getElementType());
    auto buffer = builder.create<OutputOp>(loc, type, nextPlace(i, state), dynamic,
                                           part.part.empty() ? name : name + "." + part.part.str());
    if (tensor.type().getShape() != ArrayRef(shape))
      tensor.value =
          builder.create<tensor::CastOp>(loc, RankedTensorType::get(shape, type.getElementType()), tensor.value);
    builder.create<bufferization::MaterializeInDestinationOp>(loc, Type(), tensor.value, buffer, /*restrict=*/true,
                                                              /*writable=*/true);
    if (state)
      return becomeState(buffer, placeInGraph++, *state, description);
    ++placeInGraph;
    NamedAttrList withMore(description);
    if (!part.part.empty()) {
      outputs.push_back(description);
      return success();
    }
    if (double range = outputRange(value); range > 0 && isFloat(element))
      withMore.set("range", builder.getF32FloatAttr(static_cast<float>(range)));
    if (double spacing = outputSpacing(value, conversion); spacing > 0 && isFloat(element) && bitWidth(element) > 16)
      withMore.set("spacing", builder.getF32FloatAttr(static_cast<float>(spacing)));
    if (ArrayAttr labels = labelsOf(value))
      withMore.set("labels", labels);
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
  SmallVector<unsigned> inputPlaces;                ///< of each argument, that of its first part
  std::vector<SmallVector<OutputPart>> outputParts; ///< of each result
  unsigned placeInGraph = 0;                        ///< of the next part, states counted
  States states;
};

} // namespace

LogicalResult convertToTensorIR(ModuleOp module, Diagnostics &diagnostics, const ConversionOptions &options) {
  auto source = module.lookupSymbol<func::FuncOp>("main");
  source.setSymName("node_ir"); // the converted function takes its name
  return MainConverter(source, diagnostics).convert(options);
}

} // namespace sinter
