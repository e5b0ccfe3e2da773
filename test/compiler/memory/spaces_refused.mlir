// RUN: sinter-opt %s --split-input-file --plan-memory --verify-diagnostics
func.func @no_region() {
  // expected-error @below {{no arena is the region #sinter.space<device, "fast">}}
  %a = memref.alloc() : memref<16xf32, #sinter.space<device, "fast">>
  return
}

// -----

func.func @number() {
  // expected-error @below {{a memory space other than #sinter.space}}
  %a = memref.alloc() : memref<16xf32, 1>
  return
}
