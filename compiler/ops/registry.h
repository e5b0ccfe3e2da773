// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which operator versions have a lowering. Filled by the files of compiler/ops/onnx, found at configure time: file
// softmax.cpp defines `void sinter::register_softmax(Registry &)`.
#pragma once

#include "rule.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringMap.h"
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sinter {

class Op;
using Lowering = std::function<mlir::LogicalResult(Op &)>;

/// What is known of an operator in some of its versions.
struct RegisteredOperator {
  Lowering lowering;
  std::string rule; ///< what fits, as it is written
  Rule parsed;
};

class Registry {
public:
  /// Versions are those of the operator's schemas (`since_version`); all that the lowering handles. `rule` says what
  /// operands and attributes must be (rule.h); of names that a version does not have it says nothing there.
  void onOp(llvm::StringRef name, std::initializer_list<int64_t> since, llvm::StringRef rule, const Lowering &lowering,
            llvm::StringRef domain = "");
  /// Null when there is none.
  const RegisteredOperator *find(llvm::StringRef domain, llvm::StringRef name, int64_t since) const;
  /// domain, name -> versions: what `sinter ops` prints.
  using Versions = std::map<int64_t, std::shared_ptr<RegisteredOperator>>;
  const std::map<std::pair<std::string, std::string>, Versions> &all() const { return entries; }

private:
  std::map<std::pair<std::string, std::string>, Versions> entries;
};

/// All operators, registered once.
const Registry &operatorRegistry();

/// Operators that no file of ours knows, before a model is compiled. `rule` parses.
void addOperator(llvm::StringRef domain, llvm::StringRef name, int64_t since, llvm::StringRef rule,
                 const Lowering &lowering);

} // namespace sinter
