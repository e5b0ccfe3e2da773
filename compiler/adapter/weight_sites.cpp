// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Initializers keep a module's name with .weight behind it, unless the exporter has folded a transposition into them;
// nodes keep it as a path, /model/layers.0/self_attn/q_proj/MatMul, or in what they say of themselves. Either may lack,
// or have more of, what wrappers put in front, so that one name being the end of the other is enough, if that is so of
// one weight alone.
#include "weight_sites.h"

#include "graph/node_match.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace sinter {
namespace {

/// Whether one is the end of the other, whole names between `.` taken, and two of them at least.
bool isEndOf(StringRef shorter, StringRef longer) {
  if (shorter.size() > longer.size())
    std::swap(shorter, longer);
  return shorter.contains('.') && longer.ends_with(shorter) &&
         (longer.size() == shorter.size() || longer[longer.size() - shorter.size() - 1] == '.');
}

/// ONNX Runtime GenAI's builder has its own word for it.
StringRef commonName(StringRef part) { return part == "self_attn" ? "attn" : part; }

template <class Names>
bool isEndOf(const Names &one, const Names &other) {
  size_t count = std::min(one.size(), other.size());
  return count > 0 && llvm::equal(ArrayRef(one).take_back(count), ArrayRef(other).take_back(count));
}

template <class Names>
void splitPath(StringRef text, StringRef separators, Names &path) {
  while (!text.empty()) {
    size_t end = std::min(text.find_first_of(separators), text.size());
    if (end > 0)
      path.push_back(commonName(text.take_front(end)));
    text = text.drop_front(std::min(end + 1, text.size()));
  }
}

/// Of "['', 'model', 'model.lm_head', 'linear_14']" the last but one: behind the modules is the function.
StringRef moduleIn(StringRef scopes) {
  StringRef modules = scopes.rsplit('\'').first.rsplit('\'').first;
  return modules.rsplit('\'').first.rsplit('\'').second;
}

bool leavesWeightWhole(NodeOp node) {
  return node.getDomain().empty() &&
         (node.getOpType() == "Transpose" || node.getOpType() == "Cast" || node.getOpType() == "Identity");
}

/// The operand that is a weight of the module's kind; none of other nodes.
std::optional<unsigned> weightOperand(NodeOp node) {
  StringRef type = node.getOpType();
  if (node.getDomain() == "com.microsoft")
    return type == "MatMulNBits" ? std::optional(1u) : std::nullopt;
  if (!node.getDomain().empty())
    return std::nullopt;
  if (type == "MatMul" || type == "Gemm" || type == "Conv")
    return 1;
  return type == "Gather" ? std::optional(0u) : std::nullopt;
}

bool hasOutputsFirst(NodeOp node) {
  return node.getOpType() == "Conv" ||
         (node.getOpType() == "Gemm" && integerAttribute(node, "transB").value_or(0) != 0);
}

/// From a product's operand back to its weight.
WeightSite siteOf(NodeOp node, unsigned operand) {
  WeightSite site{node, &node.getInputsMutable()[operand], hasOutputsFirst(node)};
  while (auto before = site.use->get().getDefiningOp<NodeOp>()) {
    if (!leavesWeightWhole(before))
      break;
    site.isOutputsFirst ^= before.getOpType() == "Transpose";
    site.use = &before.getInputsMutable()[0];
  }
  auto weight = site.weight();
  if (!weight || !isa<FloatType>(cast<ShapedType>(weight.getType()).getElementType()))
    site.use = nullptr;
  return site;
}

} // namespace

WeightSites::WeightSites(ModuleOp module) : whole(module) {
  module.walk([&](Operation *op) {
    if (auto weight = dyn_cast<WeightOp>(op); weight && weight.getName())
      weights.push_back(weight);
    auto node = dyn_cast<NodeOp>(op);
    if (!node || !weightOperand(node) || node->hasAttr(adapterNode))
      return;
    NamedNode named{node, {}};
    auto place = dyn_cast<NameLoc>(node.getLoc());
    if (auto scopes = node->getAttrOfType<StringAttr>("sinter.scopes")) {
      splitPath(moduleIn(scopes.getValue()), ".", named.path);
    } else if (place && place.getName().getValue().contains('/')) {
      splitPath(place.getName().getValue(), "/.", named.path);
      named.path.pop_back(); // of what kind the node is
    }
    if (!named.path.empty())
      nodes.push_back(std::move(named));
  });
}

WeightOp WeightSites::weightNamed(StringRef name) const {
  WeightOp found;
  for (WeightOp weight : weights) {
    if (*weight.getName() == name)
      return weight;
    if (!isEndOf(name, *weight.getName()))
      continue;
    if (found)
      return {};
    found = weight;
  }
  return found;
}

std::vector<WeightSite> WeightSites::sitesOf(WeightOp weight) const {
  std::vector<WeightSite> sites;
  SmallVector<Value> values = {weight.getResult()};
  while (!values.empty()) {
    Value value = values.pop_back_val();
    for (OpOperand &use : value.getUses()) {
      auto node = dyn_cast<NodeOp>(use.getOwner());
      if (node && leavesWeightWhole(node))
        values.push_back(node->getResult(0));
      else if (node && weightOperand(node) == use.getOperandNumber())
        sites.push_back(siteOf(node, use.getOperandNumber()));
    }
  }
  return sites;
}

std::vector<WeightSite> WeightSites::sitesByNode(StringRef module) const {
  Path path;
  splitPath(module, ".", path);
  std::vector<WeightSite> sites;
  auto add = [&](const Path &wanted, WeightSite::Part part) {
    for (const NamedNode &named : nodes)
      if (isEndOf(named.path, wanted)) {
        sites.push_back(siteOf(named.node, *weightOperand(named.node)));
        sites.back().part = part;
      }
  };
  add(path, WeightSite::Part::All);
  if (!sites.empty() || path.empty())
    return sites;
  // Queries, keys and values as one product, one behind the other.
  std::optional<WeightSite::Part> part = llvm::StringSwitch<std::optional<WeightSite::Part>>(path.back())
                                             .Case("q_proj", WeightSite::Part::First)
                                             .Case("k_proj", WeightSite::Part::BeforeLast)
                                             .Case("v_proj", WeightSite::Part::Last)
                                             .Default(std::nullopt);
  if (part) {
    path.back() = "qkv_proj";
    add(path, *part);
  }
  return sites;
}

std::vector<WeightSite> WeightSites::find(StringRef module) const {
  std::vector<WeightSite> sites = findByPath(module);
  if (!sites.empty())
    return sites;
  SmallVector<StringRef> path;
  module.split(path, '.');
  llvm::erase_if(path, [](StringRef part) { return part == "language_model" || part == "text_model"; });
  return findByPath(llvm::join(path, "."));
}

std::vector<WeightSite> WeightSites::findByPath(StringRef module) const {
  std::vector<WeightSite> sites;
  if (WeightOp weight = weightNamed((module + ".weight").str()))
    sites = sitesOf(weight);
  if (sites.empty())
    sites = sitesByNode(module);
  bool isOne = llvm::all_of(sites, [&](const WeightSite &site) {
    return site.use ? sites.front().use && site.weight() == sites.front().weight() : sites.size() == 1;
  });
  return isOne ? sites : std::vector<WeightSite>();
}

} // namespace sinter
