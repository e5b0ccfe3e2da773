// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All functions of the math_*.h files, for kernels that use many.
#pragma once

#include "templates/math_erf.h"
#include "templates/math_exp.h"
#include "templates/math_hyperbolic.h"
#include "templates/math_log.h"
#include "templates/math_pow.h"
#include "templates/math_round.h"
#include "templates/math_trig.h"
