// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "place_names.h"

#include "dialect.h"
#include "ir/value_names.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace sinter {
namespace {

/// The value that an op leaves in its init: of what was fused into it, the last.
std::optional<std::string> valueLeftIn(OpOperand &init) {
  auto dps = cast<DestinationStyleOpInterface>(init.getOwner());
  auto index = static_cast<unsigned>(init.getOperandNumber() - dps.getDpsInitsMutable().begin()->getOperandNumber());
  const ValueName *last = nullptr;
  std::vector<ValueName> names = valueNamesIn(dps.getLoc());
  for (const ValueName &name : names)
    if ((dps.getNumDpsInits() == 1 || name.result == index) && (!last || last->order < name.order))
      last = &name;
  return last ? std::optional(last->name) : std::nullopt;
}

/// Collects what is written into a buffer, also by way of other shapes of all of it; false where a part is.
bool collectWritten(Value buffer, std::vector<std::string> &names) {
  for (OpOperand &use : buffer.getUses()) {
    Operation *user = use.getOwner();
    if (isa<memref::ExpandShapeOp, memref::CollapseShapeOp, memref::CastOp>(user)) {
      if (!collectWritten(user->getResult(0), names))
        return false;
    } else if (isa<memref::SubViewOp>(user)) {
      return false;
    } else if (auto dps = dyn_cast<DestinationStyleOpInterface>(user); dps && dps.isDpsInit(&use)) {
      std::optional<std::string> name = valueLeftIn(use);
      if (!name)
        return false;
      if (!llvm::is_contained(names, *name))
        names.push_back(*name);
    }
  }
  return true;
}

/// The weights of the model that a constant is made of.
std::vector<std::string> weightsIn(ConstantOp constant) {
  std::vector<std::string> names;
  constant.getBody().walk([&](WeightOp weight) {
    if (std::optional<StringRef> name = weight.getName(); name && !llvm::is_contained(names, *name))
      names.push_back(name->str());
  });
  return names;
}

/// Letters and digits, one underscore between words.
std::string readableName(StringRef name) {
  constexpr size_t most = 40; // of a path, the end tells more
  std::string text;
  for (char c : name)
    if (llvm::isAlnum(c))
      text += c;
    else if (!text.empty() && text.back() != '_')
      text += '_';
  return StringRef(text).take_back(most).trim('_').str();
}
} // namespace

std::optional<std::string> placeName(Operation *place) {
  std::vector<std::string> names;
  if (auto constant = dyn_cast<ConstantOp>(place))
    names = weightsIn(constant);
  else if (!collectWritten(place->getResult(0), names))
    return std::nullopt;
  std::string name = names.size() == 1 ? readableName(names.front()) : "";
  return name.empty() ? std::nullopt : std::optional(name + "_data"); // no function is called so
}

} // namespace sinter
