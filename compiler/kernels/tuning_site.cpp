// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tuning_site.h"

using namespace mlir;

namespace sinter {
namespace {

/// What the site's text leaves out: what others have chosen, and what follows from the types.
bool isBeside(StringRef attribute) {
  return llvm::is_contained(ArrayRef<StringRef>{"kernel", "candidates", "epilogue_maps", "operandSegmentSizes"},
                            attribute);
}

/// "panels matmul tensor<8x16xf32>, tensor<16x32xf32> -> tensor<8x32xf32> {transpose_lhs = false}, epilogue of 2".
std::string siteText(StringRef what, Operation *op) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << what << ' ' << op->getName().stripDialect() << ' ';
  auto dps = cast<DestinationStyleOpInterface>(op);
  llvm::interleaveComma(dps.getDpsInputs(), out, [&](Value value) { out << value.getType(); });
  out << " -> ";
  llvm::interleaveComma(dps.getDpsInits(), out, [&](Value value) { out << value.getType(); });
  out << " {";
  SmallVector<NamedAttribute> others(
      llvm::make_filter_range(op->getAttrDictionary(), [](NamedAttribute a) { return !isBeside(a.getName()); }));
  llvm::interleaveComma(others, out, [&](NamedAttribute a) { out << a.getName().getValue() << " = " << a.getValue(); });
  size_t steps = op->getRegion(0).front().getOperations().size();
  out << "}, epilogue of " << steps;
  return text;
}

} // namespace

TuningSite::TuningSite(StringRef what, Operation *contraction, std::vector<std::string> options,
                       const TunedChoices &tuned)
    : options(std::move(options)) {
  if (!tuned.isNoted || this->options.size() < 2)
    return;
  text = siteText(what, contraction);
  if (const std::string *measured = tuned.at(text))
    if (auto found = llvm::find(this->options, *measured); found != this->options.end())
      taken = static_cast<size_t>(found - this->options.begin());
}

KernelAttr TuningSite::notedIn(KernelAttr kernel, const TunedChoices &tuned) const {
  if (!tuned.isNoted || options.size() < 2 || !kernel)
    return kernel;
  Builder b(kernel.getContext());
  SmallVector<Attribute> parts = {b.getStringAttr(text), b.getStringAttr(options[taken])};
  for (const std::string &option : options)
    parts.push_back(b.getStringAttr(option));
  return kernel.with("site", b.getArrayAttr(parts));
}

std::optional<TuningSite> tuningSiteOf(KernelAttr kernel) {
  auto parts = kernel ? kernel.getParams().getAs<ArrayAttr>("site") : ArrayAttr();
  if (!parts || parts.size() < 4)
    return std::nullopt;
  std::vector<std::string> texts;
  for (Attribute part : parts)
    texts.push_back(cast<StringAttr>(part).getValue().str());
  TuningSite site("", nullptr, {texts.begin() + 2, texts.end()}, {});
  site.text = texts[0];
  site.taken = static_cast<size_t>(llvm::find(site.options, texts[1]) - site.options.begin());
  return site;
}

} // namespace sinter
