// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter-opt's way into the oracle. Inputs are small and exact in every type, so that reordered sums compare equal.
#include "interpret_pass.h"

#include "engine.h"
#include "ir/dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace sinter;

namespace {

/// -2, -1.75 ... 2 for floats, -3 ... 3 (0 ... 6 for small and unsigned) for integers, repeating.
std::optional<HostTensor> madeUpInput(Type elementType, ArrayRef<int64_t> shape) {
  std::optional<ElementKind> kind = elementKind(elementType);
  if (!kind || countElements(shape) < 0)
    return std::nullopt;
  HostTensor tensor = HostTensor::allocate(elementType, shape);
  for (int64_t i = 0; i < tensor.size(); ++i) {
    if (*kind == ElementKind::String) {
      tensor.mutableStrings()[i] = "s" + std::to_string(i % 7);
      continue;
    }
    double value = *kind == ElementKind::I1 ? static_cast<double>(i % 2)
                   : isIntegerKind(*kind)   ? static_cast<double>(i % 7 - 3)
                                            : static_cast<double>(i % 17 - 8) / 4;
    double parts[] = {value, -value};
    findConversion(isComplexKind(*kind) ? ElementKind::C128 : ElementKind::F64, *kind,
                   true)(reinterpret_cast<const char *>(parts),
                         tensor.mutableBytes() + i * static_cast<int64_t>(tensor.bytesPerElement()), 1);
  }
  return tensor;
}

void printTensor(raw_ostream &out, const HostTensor &tensor) {
  constexpr int64_t shown = 64;
  out << "[";
  for (int64_t i = 0; i < std::min(tensor.size(), shown); ++i) {
    out << (i ? ", " : "");
    if (tensor.kind() == ElementKind::String)
      (out << '"').write_escaped(tensor.strings()[i]) << '"';
    else if (isComplexKind(tensor.kind()))
      out << "complex";
    else if (isIntegerKind(tensor.kind()))
      out << tensor.integerAt(i);
    else
      out << llvm::format("%.6g", tensor.numberAt(i));
  }
  out << (tensor.size() > shown ? ", ...]" : "]");
  if (tensor.size() > shown && !isComplexKind(tensor.kind()) && tensor.kind() != ElementKind::String) {
    double sum = 0;
    for (int64_t i = 0; i < tensor.size(); ++i)
      sum += tensor.numberAt(i) * static_cast<double>(i % 13 + 1); // order matters
    out << llvm::format(" weighted sum %.6g", sum);
  }
}

struct InterpretPass : PassWrapper<InterpretPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(InterpretPass)
  InterpretPass() = default;
  InterpretPass(const InterpretPass &other) : PassWrapper(other) {}
  StringRef getArgument() const override { return "interpret"; }
  StringRef getDescription() const override { return "run @main on made-up inputs and print its outputs"; }
  ListOption<std::string> dimOptions{*this, "dim",
                                     llvm::cl::desc("name=value of a symbolic dim; its maximum otherwise")};

  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    llvm::StringMap<int64_t> dims;
    if (!main)
      return signalPassFailure();
    main.walk([&](DimOp dim) { dims[dim.getName()] = static_cast<int64_t>(dim.getMax()); });
    for (const std::string &option : dimOptions) {
      auto [name, value] = StringRef(option).split('=');
      int64_t number;
      if (value.getAsInteger(10, number))
        return signalPassFailure();
      dims[name] = number;
    }
    std::optional<std::vector<HostTensor>> inputs = makeInputs(main, dims);
    std::optional<std::vector<HostTensor>> outputs = std::nullopt;
    Operation *failedAt = main;
    if (inputs)
      outputs = sinter::run(main, *inputs, dims, {}, &failedAt);
    if (!outputs) {
      failedAt->emitError("cannot be interpreted");
      return signalPassFailure();
    }
    for (auto [i, output] : llvm::enumerate(*outputs)) {
      llvm::outs() << "output " << i << ": " << output.type() << " ";
      printTensor(llvm::outs(), output);
      llvm::outs() << "\n";
    }
  }

  std::optional<std::vector<HostTensor>> makeInputs(func::FuncOp main, const llvm::StringMap<int64_t> &dims) {
    EvaluationCache cache;
    Engine engine(cache, {});
    engine.dims = &dims;
    std::vector<HostTensor> inputs;
    bool known = true;
    auto add = [&](size_t index, ShapedType type, ValueRange sizes) {
      SmallVector<int64_t> shape;
      for (int64_t size : type.getShape()) {
        std::optional<int64_t> value = size;
        if (ShapedType::isDynamic(size)) {
          value = sizes.empty() ? std::nullopt : engine.index(sizes.front());
          sizes = sizes.empty() ? sizes : sizes.drop_front();
        }
        shape.push_back(value.value_or(-1));
      }
      std::optional<HostTensor> tensor = madeUpInput(type.getElementType(), shape);
      known &= tensor.has_value();
      if (inputs.size() <= index)
        inputs.resize(index + 1);
      if (tensor)
        inputs[index] = std::move(*tensor);
    };
    for (BlockArgument argument : main.getArguments())
      add(argument.getArgNumber(), cast<ShapedType>(argument.getType()), {});
    main.walk([&](InputOp input) { add(input.getIndex(), input.getType(), input.getSizes()); });
    return known ? std::optional(std::move(inputs)) : std::nullopt;
  }
};

} // namespace

void sinter::registerInterpretPass() { PassRegistration<InterpretPass>(); }
