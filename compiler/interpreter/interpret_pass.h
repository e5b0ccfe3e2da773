// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace sinter {
/// `sinter-opt --interpret`: runs @main on made-up inputs and prints its outputs, for tests that compare a pass on and
/// off.
void registerInterpretPass();
} // namespace sinter
