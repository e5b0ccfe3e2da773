// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What bench measured of each kernel call, summed by kind of kernel and by ONNX operator.
#pragma once

#include "driver/model_report.h"
#include "frontend/inventory.h"

namespace sinter {

struct BenchSum {
  std::string name;
  int64_t calls = 0, macs = 0;
  double amount = 0; ///< seconds, or instructions
};

/// By the name of the kernel that was chosen, the most first. `amounts`: of each call.
std::vector<BenchSum> sumsByKernel(const ModelReport &report, llvm::ArrayRef<double> amounts);
/// By the operators of the nodes in a call: "Conv+Relu".
std::vector<BenchSum> sumsByOperator(const ModelReport &report, const Inventory &inventory,
                                     llvm::ArrayRef<double> amounts);

/// A table under `title`; `text` spells an amount.
void printSums(llvm::StringRef title, llvm::ArrayRef<BenchSum> sums, llvm::function_ref<std::string(double)> text,
               llvm::raw_ostream &out);
/// `unit`: the member that holds the amount.
llvm::json::Array jsonOf(llvm::ArrayRef<BenchSum> sums, llvm::StringRef unit);

} // namespace sinter
