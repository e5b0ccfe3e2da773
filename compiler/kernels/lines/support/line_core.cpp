// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "line_core.h"

#include "templates/lines/depthwise_columns.h"
#include "templates/lines/line_core_m0.h"

using llvm::StringRef;

namespace sinter {
namespace {

template <class Core>
LineCore describe(StringRef type, StringRef header) {
  return {type,        header,         Core::kStep,     Core::kHeader,  Core::template reads<int8_t>(),
          Core::kFour, lineRuns<Core>, lineCount<Core>, linePitch<Core>};
}

} // namespace

const LineCore *lineCore(const Target &target) {
  if (target.byteKernels != ByteKernels::Lines)
    return nullptr;
  static const LineCore plain = describe<PlainLines>("PlainLines", "templates/lines/line_core_plain.h"),
                        biased = describe<BiasedLines>("BiasedLines", "templates/lines/line_core_m0.h"),
                        vectors = describe<VectorLines>("VectorLines", "templates/lines/line_core_mve.h");
  return target.lineCore == LineCores::Biased ? &biased : target.lineCore == LineCores::Plain ? &plain : &vectors;
}

} // namespace sinter
