// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of buffer IR that one kernel computes: launch.td.
#pragma once

#include "dialect.h"

#define GET_OP_CLASSES
#include "launch.h.inc"
