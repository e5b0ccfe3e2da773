// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch is in buffer IR. Apart from ops.td, which every file of the compiler includes.
#ifndef SINTER_LAUNCH_TD
#define SINTER_LAUNCH_TD

include "dialect.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Sinter_LaunchOp : Op<Sinter_Dialect, "launch", [SingleBlock, AttrSizedOperandSegments, DestinationStyleOpInterface,
                                                    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "buffer IR: ops that one kernel computes";
  let description = [{
    The ops in the region, in an order in which they could run one by one, and views. Its blocks are in no order: nothing that the launch writes may
    lie over anything else that it touches. `form` says how threads share the work (codegen/launches), `ins` and `outs` what is read and written of
    buffers outside. A memref.alloca in it is a value that never reaches memory: it is handed on in registers or in shared memory.
  }];
  let arguments = (ins StrAttr:$form, Variadic<AnyShaped>:$inputs, Variadic<AnyShaped>:$inits);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$form `ins` `(` ($inputs^ `:` type($inputs))? `)` `outs` `(` ($inits^ `:` type($inits))? `)` attr-dict-with-keyword $body";
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getInitsMutable(); }
  }];
}

#endif
