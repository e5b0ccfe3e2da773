// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "im2col_core.h"

#include "templates/im2col/depthwise_columns.h"
#include "templates/im2col/row_core_m0.h"

using llvm::StringRef;

namespace sinter {
namespace {

template <class Core>
Im2colCore describeIm2colCore(StringRef type, StringRef header) {
  return {type,        header,           Core::kStep,       Core::kHeader,    Core::template reads<int8_t>(),
          Core::kFour, im2colRuns<Core>, im2colCount<Core>, im2colPitch<Core>};
}

} // namespace

const Im2colCore *im2colCore(const Target &target) {
  if (target.byteKernels != ByteKernels::Im2col)
    return nullptr;
  static const Im2colCore plain = describeIm2colCore<PlainRows>("PlainRows", "templates/im2col/row_core_plain.h"),
                          biased = describeIm2colCore<BiasedRows>("BiasedRows", "templates/im2col/row_core_m0.h"),
                          vectors = describeIm2colCore<VectorRows>("VectorRows", "templates/im2col/row_core_mve.h");
  return target.im2colCore == Im2colCores::Biased  ? &biased
         : target.im2colCore == Im2colCores::Plain ? &plain
                                                   : &vectors;
}

bool vectorsTakeRequantize(const Target &target) {
  const Im2colCore *core = im2colCore(target);
  return core && core->isVector;
}

} // namespace sinter
