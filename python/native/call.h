// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One call of a compiled model on Python's arrays. What fits is used where it lies; all else is a matter for Python
// (sinter/_arrays.py), which makes it fit or says what is wrong with it.
#pragma once

#include "memory.h"

namespace sinter_python {

/// `arrays`: sinter._arrays.Arrays of this library. `state`: null where states are inputs and outputs as others.
/// `feeds`: inputs by name. `outs`: null, or arrays by name that outputs are to be written to. The outputs in the
/// graph's order, states that are kept in `state` left out.
nb::list call(Library &library, nb::handle arrays, State *state, const nb::dict &feeds, nb::handle outs);

} // namespace sinter_python
