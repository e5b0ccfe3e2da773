// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All functions of the math_*.h files, for kernels that use many.
#pragma once

#include "templates/math/math_erf.h"
#include "templates/math/math_exp.h"
#include "templates/math/math_hyperbolic.h"
#include "templates/math/math_log.h"
#include "templates/math/math_pow.h"
#include "templates/math/math_round.h"
#include "templates/math/math_trig.h"
