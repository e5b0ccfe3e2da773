// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The op of states that grow: state_rows.td.
#pragma once

#include "dialect.h"

#define GET_OP_CLASSES
#include "state_rows.h.inc"
