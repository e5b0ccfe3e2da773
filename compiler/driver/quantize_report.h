// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What sinter quantize tells: for people and as JSON.
#pragma once

#include "quantize/static.h"

namespace llvm {
class raw_ostream;
}

namespace sinter {

struct QuantizeReport {
  quantize::StaticReport quantization;
  int batchNorms = 0; ///< that went into weights
};

void printReport(const QuantizeReport &report, llvm::raw_ostream &out);
std::string jsonOf(const QuantizeReport &report);

} // namespace sinter
