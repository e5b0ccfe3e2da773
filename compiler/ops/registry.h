// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which operator versions have a lowering. Filled by the files of compiler/ops/onnx, found at configure time: file
// softmax.cpp defines `void sinter::register_softmax(Registry &)`.
#pragma once

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <string>
#include <vector>

namespace sinter {

class Op;
using Lowering = mlir::LogicalResult (*)(Op &);

class Registry {
public:
  /// Versions are those of the operator's schemas (`since_version`); all that the lowering handles.
  void onOp(llvm::StringRef name, std::initializer_list<int64_t> since, Lowering lowering, llvm::StringRef domain = "");
  /// Null when there is none.
  Lowering find(llvm::StringRef domain, llvm::StringRef name, int64_t since) const;
  /// domain, name -> versions: what `sinter ops` prints.
  const std::map<std::pair<std::string, std::string>, std::map<int64_t, Lowering>> &all() const { return entries; }

private:
  std::map<std::pair<std::string, std::string>, std::map<int64_t, Lowering>> entries;
};

/// All operators, registered once.
const Registry &operatorRegistry();

} // namespace sinter
