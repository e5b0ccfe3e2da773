// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/abi/session_memory.h"

#include "llvm/Support/MathExtras.h"

namespace sinter {

SessionMemory::SessionMemory(const Interface &interface, const CodegenOptions &options)
    : arenaBytes(interface.arenaBytes) {
  Names names;
  (void)names.fixed("arena");
  auto alignment = static_cast<uint64_t>(std::max<int64_t>(options.target.alignment, 8));
  for (const auto *tensors : {&interface.inputs, &interface.outputs})
    for (const InterfaceTensor &tensor : *tensors) {
      indices[&tensor] = all.size();
      all.push_back({names.make(tensor.variable()), end, tensor.maxBytes()});
      end = static_cast<int64_t>(llvm::alignTo(static_cast<uint64_t>(end + tensor.maxBytes()), alignment));
    }
}

} // namespace sinter
