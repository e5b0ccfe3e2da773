// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Changes text that has brackets, quotes and numbers (JSON, Jinja, grammars) by its words: some go, come twice or a
// thousand times, change places, become extreme numbers or hostile characters; what is within brackets goes into
// itself.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinter {

/// Changes a text in place; its new size, at most `most`. The same seed makes the same change.
size_t mutateText(uint8_t *data, size_t size, size_t most, unsigned seed);

} // namespace sinter
