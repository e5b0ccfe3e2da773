// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One module after the other: its pair of matrices, the places that use its weight, what comes of both.
#include "merge_adapter.h"

#include "adapter_matrix.h"
#include "linear_product.h"
#include "weight_sites.h"

#include "interpreter/interpreter.h"

#include "llvm/Support/Regex.h"
#include <cmath>
#include <map>

using namespace mlir;

namespace sinter {
namespace {

/// What was trained for a module; the tensors are the adapter's.
struct Trained {
  const AdapterTensor *a = nullptr, *b = nullptr;
  bool isTable = false; ///< of an embedding: a is [rank, rows of the table], b [width, rank]
};

bool saysCrossAttention(StringRef part) {
  std::string lower = part.lower();
  return llvm::any_of(ArrayRef<StringRef>{"encoder_attn", "encdec", "cross"},
                      [&](StringRef word) { return StringRef(lower).contains(word); });
}

/// Whether a module's path names another of the models.
bool saysOther(AdapterSide side, StringRef module) {
  SmallVector<StringRef> path;
  module.split(path, '.');
  auto begins = [&](ArrayRef<StringRef> words) {
    return llvm::any_of(path, [&](StringRef part) {
      return llvm::any_of(words, [&](StringRef word) { return part.starts_with(word); });
    });
  };
  switch (side) {
  case AdapterSide::Whole:
    return false;
  case AdapterSide::Encoder: // which may make keys and values of cross-attention for the decoder
    return llvm::is_contained(path, "decoder") && llvm::none_of(path, saysCrossAttention);
  case AdapterSide::Decoder:
    return llvm::is_contained(path, "encoder");
  case AdapterSide::Text:
    return begins({"vision", "visual", "audio", "speech"});
  case AdapterSide::Front:
    return begins({"language_model", "text_model"});
  }
  return false;
}

class Merger {
public:
  Merger(ModuleOp module, const Adapter &adapter, AdapterSide side, const SharedNames &shared, Diagnostics &diagnostics)
      : context(module.getContext()), adapter(adapter), side(side), shared(shared), diagnostics(diagnostics),
        sites(module) {}

  LogicalResult run() {
    if (!sort() || !hasWeights())
      return failure();
    for (const auto &[name, pair] : trained)
      if (isHere(name))
        add(name, pair);
    for (const auto &[name, tensor] : replaced)
      if (isHere(name))
        replace(name, *tensor);
    if (!lost.empty())
      fail(Code::UnfitAdapter,
           "no weight of the model is that of '" + lost.front() + "'" +
               (lost.size() > 1 ? ", nor of " + Twine(lost.size() - 1) + " more of its modules" : Twine()),
           "weights are found by the names that exporters keep: an initializer MODULE.weight, or a node "
           "/PATH/OF/THE/MODULE/MatMul");
    return success(!hasFailed);
  }

private:
  void fail(Code code, const Twine &what, const Twine &hint) {
    hasFailed = true;
    diagnostics.report({code, "the adapter " + adapter.path + ": " + what.str(), {}, hint.str()});
  }

  /// Of one that is switched: the input that says how much of it counts.
  bool hasWeights() {
    if (!adapter.switched || addAdapterWeights(sites.module(), adapter.switched->count))
      return true;
    fail(Code::UnfitAdapter, "the model has an input '" + adapterWeights + "' of its own",
         "without names in front, --adapter FOLDER, adapters are merged into weights and take no input");
    return false;
  }

  /// Whether the module may be one of this model, by its path.
  bool isHere(StringRef name) {
    if (!saysOther(side, name))
      return true;
    miss(name);
    return false;
  }
  void miss(StringRef name) {
    if (shared.isMissed(sharedName(name)))
      lost.push_back(name.str());
  }
  /// Each adapter misses its own modules.
  std::string sharedName(StringRef name) const { return adapter.path + ": " + name.str(); }

  /// Tensors by modules: pairs, and what takes the place of a weight or bias.
  bool sort() {
    for (const AdapterTensor &tensor : adapter.tensors) {
      StringRef name = tensor.name;
      name.consume_front("base_model.model.");
      if (name.consume_back(".lora_A.weight"))
        take(trained[name.str()].a, tensor);
      else if (name.consume_back(".lora_B.weight"))
        take(trained[name.str()].b, tensor);
      else if (name.consume_back(".lora_embedding_A"))
        take(trained[name.str()].a, tensor), trained[name.str()].isTable = true;
      else if (name.consume_back(".lora_embedding_B"))
        take(trained[name.str()].b, tensor), trained[name.str()].isTable = true;
      else if (!name.contains("lora_") && (name.ends_with(".weight") || name.ends_with(".bias")))
        take(replaced[withoutWrapper(name)], tensor);
      else
        fail(Code::UnsupportedAdapter, "nobody knows what the tensor '" + tensor.name + "' is",
             "PEFT's lora_A and lora_B are known, and weights and biases that were trained whole");
    }
    for (const auto &[name, pair] : trained) {
      if (!pair.a || !pair.b)
        fail(Code::InvalidAdapter, "'" + name + "' has one matrix of two", "save the adapter again");
      else if (auto whole = replaced.find(name + ".weight"); whole != replaced.end())
        failTwice(*pair.a, *whole->second);
    }
    return !hasFailed;
  }
  /// One tensor for each part of a module: names that differ may mean the same part.
  void take(const AdapterTensor *&part, const AdapterTensor &tensor) {
    if (part)
      failTwice(*part, tensor);
    part = &tensor;
  }
  void failTwice(const AdapterTensor &one, const AdapterTensor &other) {
    fail(Code::InvalidAdapter, "'" + one.name + "' and '" + other.name + "' are for the same weight",
         "which of them counts, nobody knows: save the adapter again");
  }
  static std::string withoutWrapper(StringRef name) {
    auto [before, behind] = name.split("modules_to_save.");
    return (before + behind).str();
  }

  double scaleOf(const std::string &name, int64_t rank) const {
    double alpha = adapter.peft->alpha;
    for (const auto &[pattern, other] : adapter.peft->alphaPatterns)
      if (llvm::Regex("^(.*\\.)?(" + pattern + ")$").match(name)) {
        alpha = other;
        break;
      }
    return alpha / (adapter.peft->usesRootOfRank ? std::sqrt(static_cast<double>(rank)) : static_cast<double>(rank));
  }

  AdapterMatrix matrixOf(const AdapterTensor &tensor, int64_t rows) const {
    HostTensor view = HostTensor::view(storageType(tensor.type, context), tensor.dims, tensor.bytes.data());
    return {rows, rows ? view.size() / rows : 0, doublesOf(view)};
  }

  void add(const std::string &name, const Trained &pair) {
    auto countOf = [](const AdapterTensor &tensor) {
      int64_t count = 1;
      for (int64_t dim : tensor.dims)
        count *= dim;
      return count;
    };
    int64_t rank = pair.a->dims.empty() ? 0 : pair.a->dims[0];
    bool isMatrix = pair.a->dims.size() >= 2 && pair.b->dims.size() >= 2 && pair.b->dims[1] == rank && rank > 0 &&
                    countOf(*pair.b) == pair.b->dims[0] * rank && isFloat(pair.a->type) && isFloat(pair.b->type);
    if (!isMatrix)
      return fail(Code::InvalidAdapter, "the matrices of '" + name + "' are not [rank, inputs] and [outputs, rank]",
                  "save the adapter again");
    AdapterMatrix a = matrixOf(*pair.a, rank), b = matrixOf(*pair.b, pair.b->dims[0]);
    for (double &number : b.numbers)
      number *= scaleOf(name, rank);
    std::vector<WeightSite> found = sites.find(name);
    llvm::erase_if(found, [&](WeightSite &site) { return (site.node.getOpType() == "Gather") != pair.isTable; });
    if (found.empty())
      return miss(name);
    shared.note(sharedName(name));
    Merged last;
    for (WeightSite &site : found)
      if (site.use && !adapter.switched ? !addToWeight(name, site, a, b, last) : !addBeside(name, site, a, b))
        return;
  }

  /// The first output of a module within a product of `all`; none where it does not fit.
  static std::optional<int64_t> firstOutput(WeightSite::Part part, int64_t own, int64_t all) {
    int64_t first = part == WeightSite::Part::Last         ? all - own
                    : part == WeightSite::Part::BeforeLast ? all - 2 * own
                                                           : 0;
    bool fits = part == WeightSite::Part::All ? own == all : first >= 0 && own <= all;
    return fits ? std::optional(first) : std::nullopt;
  }
  bool unfit(const std::string &name, const AdapterMatrix &a, const AdapterMatrix &b, const Twine &weight) {
    fail(Code::UnfitAdapter,
         "'" + name + "' has " + Twine(a.columns) + " inputs and " + Twine(b.rows) + " outputs, and the model's " +
             weight,
         "an adapter goes with the model that it was trained on");
    return false;
  }

  struct Merged {
    WeightOp from, made;
    bool isOutputsFirst = false;
  };

  bool addToWeight(const std::string &name, WeightSite &site, const AdapterMatrix &a, const AdapterMatrix &b,
                   Merged &last) {
    WeightOp weight = site.weight();
    if (last.from != weight || last.isOutputsFirst != site.isOutputsFirst) {
      auto type = cast<RankedTensorType>(weight.getType());
      std::optional<HostTensor> old = hostTensorOf(weight);
      int64_t rows = type.getRank() >= 2 ? type.getDimSize(0) : 0, columns = rows ? type.getNumElements() / rows : 0,
              outputs = site.isOutputsFirst ? rows : columns, inputs = site.isOutputsFirst ? columns : rows;
      std::optional<int64_t> first = firstOutput(site.part, b.rows, outputs);
      if (!old || inputs != a.columns || !first)
        return unfit(name, a, b, "weight " + Twine(inputs) + " and " + Twine(outputs));
      AdapterMatrix left = site.isOutputsFirst ? b : a.transposed(), right = site.isOutputsFirst ? a : b.transposed();
      last = {weight,
              replacedBy(weight, sumOf(*old, rows, columns, left, right, site.isOutputsFirst ? *first : 0,
                                       site.isOutputsFirst ? 0 : *first)),
              site.isOutputsFirst};
    }
    site.use->set(last.made);
    return true;
  }

  static std::optional<HostTensor> hostTensorOf(WeightOp weight) {
    auto type = cast<ShapedType>(weight.getType());
    ElementType element = elementTypeOf(type.getElementType());
    if (element != ElementType::Float && element != ElementType::Double && element != ElementType::Float16 &&
        element != ElementType::BFloat16)
      return std::nullopt;
    return fromAttribute(weight.getValue(), storageType(element, weight.getContext()));
  }
  static WeightOp replacedBy(WeightOp weight, const HostTensor &tensor) {
    OpBuilder builder(weight);
    auto type = cast<RankedTensorType>(weight.getType());
    return builder.create<WeightOp>(weight.getLoc(), type, cast<ElementsAttr>(toAttribute(tensor, type)),
                                    weight.getNameAttr());
  }

  /// y + (x A') B' in place of y.
  bool addBeside(const std::string &name, WeightSite &site, const AdapterMatrix &a, const AdapterMatrix &b) {
    std::optional<LinearProduct> product = linearProductOf(site);
    if (!product) {
      fail(Code::UnsupportedAdapter,
           adapter.switched ? "'" + name + "' is no linear layer, and only these are switched"
                            : "the weight of '" + name + "' is quantized in a way that nothing can be added to",
           adapter.switched ? "without a name in front, --adapter FOLDER, it is merged into the weights"
                            : "merge the adapter before the model is quantized");
      return false;
    }
    std::optional<int64_t> first = firstOutput(site.part, b.rows, product->outputs);
    if (product->inputs != a.columns || !first)
      return unfit(name, a, b, "weight " + Twine(product->inputs) + " and " + Twine(product->outputs));
    AdapterMatrix wide{b.columns, product->outputs,
                       std::vector<double>(static_cast<size_t>(b.columns * product->outputs))};
    for (int64_t i = 0; i < b.rows; ++i)
      for (int64_t k = 0; k < b.columns; ++k)
        wide.row(k)[*first + i] = b.row(i)[k];
    addBesideProduct(*product, a.transposed(), wide, adapter.switched);
    return true;
  }

  /// A weight or bias that was trained whole.
  void replace(const std::string &name, const AdapterTensor &tensor) {
    if (adapter.switched)
      return fail(Code::UnsupportedAdapter, "'" + name + "' was trained whole, and only pairs of matrices are switched",
                  "without a name in front, --adapter FOLDER, it takes the model's place");
    StringRef owner = name;
    bool isMatrix = owner.consume_back(".weight") && tensor.dims.size() >= 2;
    std::vector<WeightSite> found = isMatrix ? sites.find(owner) : std::vector<WeightSite>();
    WeightOp vector = isMatrix ? WeightOp() : sites.weightNamed(name);
    if (found.empty() && !vector)
      return miss(isMatrix ? owner : StringRef(name));
    shared.note(sharedName(isMatrix ? owner : StringRef(name)));
    auto unfitting = [&] {
      fail(Code::UnfitAdapter, "'" + name + "' has another shape than the model's, or that has few bits",
           "an adapter goes with the model that it was trained on");
    };
    if (vector) {
      std::optional<HostTensor> old = hostTensorOf(vector);
      if (!old || ArrayRef<int64_t>(tensor.dims) != old->shape() || !isFloat(tensor.type))
        return unfitting();
      vector.getResult().replaceAllUsesWith(replacedBy(vector, valuesIn(*old, matrixOf(tensor, 1))));
      return;
    }
    for (WeightSite &site : found) {
      WeightOp weight = site.weight();
      std::optional<HostTensor> old = weight ? hostTensorOf(weight) : std::nullopt;
      SmallVector<int64_t> wanted(tensor.dims.begin(), tensor.dims.end());
      bool isTurned = wanted.size() == 2 && !site.isOutputsFirst && site.node.getOpType() != "Gather";
      if (isTurned)
        std::swap(wanted[0], wanted[1]);
      if (!old || ArrayRef<int64_t>(wanted) != old->shape() || !isFloat(tensor.type) ||
          site.part != WeightSite::Part::All)
        return unfitting();
      AdapterMatrix values = matrixOf(tensor, tensor.dims[0]);
      site.use->set(replacedBy(weight, valuesIn(*old, isTurned ? values.transposed() : values)));
    }
  }
  MLIRContext *context;
  const Adapter &adapter;
  AdapterSide side;
  const SharedNames &shared;
  Diagnostics &diagnostics;
  WeightSites sites;
  std::map<std::string, Trained> trained;
  std::map<std::string, const AdapterTensor *> replaced;
  std::vector<std::string> lost; ///< modules without a weight
  bool hasFailed = false;
};

} // namespace

LogicalResult mergeAdapter(ModuleOp module, const Adapter &adapter, AdapterSide side, const SharedNames &shared,
                           Diagnostics &diagnostics) {
  return Merger(module, adapter, side, shared, diagnostics).run();
}

} // namespace sinter
