// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a call tells of states that grow. Apart from ops.td, which every file of the compiler includes.
#ifndef SINTER_STATE_ROWS_TD
#define SINTER_STATE_ROWS_TD

include "dialect.td"

def Sinter_StateRowsOp : Op<Sinter_Dialect, "state_rows"> {
  let summary = "how many rows a growing state, in the buffer of input `index`, holds behind the call: what the caller is told";
  let arguments = (ins Index:$rows, I64Attr:$index);
  let assemblyFormat = "$rows `of` $index attr-dict";
}

#endif
