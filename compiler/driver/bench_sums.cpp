// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/bench_sums.h"

#include "driver/answer.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace sinter {
namespace {
std::vector<BenchSum> sumsBy(const ModelReport &report, ArrayRef<double> amounts,
                             llvm::function_ref<std::string(const KernelReport &)> keyOf) {
  std::map<std::string, BenchSum> byKey;
  for (const auto &[kernel, amount] : zip(report.kernels, amounts)) {
    if (amount == 0) // did not run: for other sizes, another CPU, a branch not taken
      continue;
    BenchSum &sum = byKey[keyOf(kernel)];
    ++sum.calls;
    sum.macs += kernel.macs;
    sum.amount += amount;
  }
  std::vector<BenchSum> sums;
  for (auto &[key, sum] : byKey) {
    sum.name = key;
    sums.push_back(std::move(sum));
  }
  llvm::stable_sort(sums, [](const BenchSum &a, const BenchSum &b) { return a.amount > b.amount; });
  return sums;
}
} // namespace

std::vector<BenchSum> sumsByKernel(const ModelReport &report, ArrayRef<double> amounts) {
  return sumsBy(report, amounts, [](const KernelReport &kernel) { return kernel.kind; });
}

std::vector<BenchSum> sumsByOperator(const ModelReport &report, const Inventory &inventory, ArrayRef<double> amounts) {
  return sumsBy(report, amounts, [&](const KernelReport &kernel) {
    std::vector<std::string> types; // each once, in the order of nodes
    for (const std::string &node : kernel.nodes)
      if (auto known = inventory.operatorOf.find(node);
          known != inventory.operatorOf.end() && !is_contained(types, known->second))
        types.push_back(known->second);
    return types.empty() ? "(of the compiler's own)" : join(types, "+");
  });
}

void printSums(StringRef title, ArrayRef<BenchSum> sums, llvm::function_ref<std::string(double)> text,
               raw_ostream &out) {
  double all = 0;
  for (const BenchSum &sum : sums)
    all += sum.amount;
  out << "\n" << title << "\n";
  for (const BenchSum &sum : sums) {
    out << right_justify(text(sum.amount), 12)
        << format(" %6.1f %% %11lld %5lld", 100 * sum.amount / std::max(all, 1e-30), static_cast<long long>(sum.macs),
                  static_cast<long long>(sum.calls))
        << (sum.calls == 1 ? " call   " : " calls  ");
    out.write_escaped(sum.name) << "\n";
  }
}

json::Array jsonOf(ArrayRef<BenchSum> sums, StringRef unit) {
  json::Array array;
  for (const BenchSum &sum : sums) {
    json::Object object{{"name", utf8(sum.name)}, {"calls", sum.calls}, {"macs", sum.macs}};
    if (unit == "seconds")
      object[unit] = sum.amount;
    else
      object[unit] = static_cast<int64_t>(sum.amount + 0.5);
    array.push_back(std::move(object));
  }
  return array;
}

} // namespace sinter
