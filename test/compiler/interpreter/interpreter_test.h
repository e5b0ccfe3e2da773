// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of the interpreter write tensor IR as text: @main's returned value is evaluated.
#pragma once

#include "interpreter/interpreter.h"
#include "ir/dialect.h"
#include "pipeline/dialects.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include <doctest/doctest.h>

struct Interpreted {
  explicit Interpreted(llvm::StringRef body, llvm::StringRef result, llvm::StringRef prelude = "") {
    sinter::registerDialects(registry);
    context.appendDialectRegistry(registry);
    std::string text = prelude.str() + "\nfunc.func @main() -> " + result.str() + " {\n" + body.str() +
                       "\n return %r : " + result.str() + "\n}\n";
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    REQUIRE(module);
    auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
    value = main.getBody().front().getTerminator()->getOperand(0);
  }
  std::optional<sinter::HostTensor> evaluate(sinter::EvaluationBudget budget = {}) {
    return sinter::evaluate(value, cache, budget);
  }
  /// The elements, which must be known, as numbers.
  std::vector<double> numbers() {
    std::optional<sinter::HostTensor> tensor = evaluate();
    REQUIRE(tensor);
    std::vector<double> result;
    for (int64_t i = 0; i < tensor->size(); ++i)
      result.push_back(tensor->numberAt(i));
    return result;
  }

  mlir::DialectRegistry registry;
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::Value value;
  sinter::EvaluationCache cache;
};

using Numbers = std::vector<double>;
