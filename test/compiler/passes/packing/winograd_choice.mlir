// RUN: sinter-opt %s --pack-dual --split-input-file | FileCheck %s
// Which 3x3 convolutions Winograd's algorithm computes: `--fit speed` wherever it takes fewer instructions, else as long as weights
// grow little and the arena's peak stays.

// Weights are transformed when they are written: here stand the filters and what each of them starts with.
// CHECK-LABEL: @speed
// CHECK: sinter.kernel "pack_dual_winograd" ins(%{{.*}}, %{{.*}} : tensor<16x16x3x3xi8>, tensor<16x4xi32>) outs(%{{.*}} : tensor<4x518xi32>)
// CHECK: kernel = #sinter.kernel<"dual_winograd", {choice = "Winograd: about {{[0-9.]+}} k instructions less for {{[0-9.]+}} kB of weights"
module attributes {sinter.target = "cortex-m4", sinter.fit = "speed"} {
func.func @speed(%x: tensor<1x1x8x8x16xi8>) -> tensor<1x1x8x8x16xi8> {
  %f = arith.constant dense<1> : tensor<16x16x3x3xi8>
  %e = tensor.empty() : tensor<1x1x8x8x16xi8>
  %y = sinter.conv ins(%x, %f : tensor<1x1x8x8x16xi8>, tensor<16x16x3x3xi8>) outs(%e : tensor<1x1x8x8x16xi8>)
      attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64,
                  layout = "nchwc", epilogue_maps = [], input_zero = 7 : i64} {
  ^bb0(%acc: i32):
    %q = arith.trunci %acc : i32 to i8
    sinter.yield %q : i8
  } -> tensor<1x1x8x8x16xi8>
  return %y : tensor<1x1x8x8x16xi8>
}
}

// -----

// The same would more than double what the net has in weights.
// CHECK-LABEL: @alone
// CHECK: kernel = #sinter.kernel<"dual_conv", {choice = "no Winograd, which --fit speed takes: the net's weights would grow by more than half
module attributes {sinter.target = "cortex-m4"} {
func.func @alone(%x: tensor<1x1x8x32x16xi8>) -> tensor<1x1x8x32x16xi8> {
  %f = arith.constant dense<1> : tensor<16x16x3x3xi8>
  %e = tensor.empty() : tensor<1x1x8x32x16xi8>
  %y = sinter.conv ins(%x, %f : tensor<1x1x8x32x16xi8>, tensor<16x16x3x3xi8>) outs(%e : tensor<1x1x8x32x16xi8>)
      attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64,
                  layout = "nchwc", epilogue_maps = [], input_zero = 7 : i64} {
  ^bb0(%acc: i32):
    %q = arith.trunci %acc : i32 to i8
    sinter.yield %q : i8
  } -> tensor<1x1x8x32x16xi8>
  return %y : tensor<1x1x8x32x16xi8>
}
}

// -----

// Beside other weights that is little.
// CHECK-LABEL: @beside
// CHECK: kernel = #sinter.kernel<"dual_winograd", {choice = "Winograd: about
module attributes {sinter.target = "cortex-m4"} {
func.func @beside(%x: tensor<1x1x8x32x16xi8>) -> tensor<1x1x8x32x16xi8> {
  %f = arith.constant dense<1> : tensor<16x16x3x3xi8>
  %e = tensor.empty() : tensor<1x1x8x32x16xi8>
  %y = sinter.conv ins(%x, %f : tensor<1x1x8x32x16xi8>, tensor<16x16x3x3xi8>) outs(%e : tensor<1x1x8x32x16xi8>)
      attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64,
                  layout = "nchwc", epilogue_maps = [], input_zero = 7 : i64} {
  ^bb0(%acc: i32):
    %q = arith.trunci %acc : i32 to i8
    sinter.yield %q : i8
  } -> tensor<1x1x8x32x16xi8>
  return %y : tensor<1x1x8x32x16xi8>
}
func.func @other(%a: tensor<2x128xi8>) -> tensor<2x128xi32> {
  %b = arith.constant dense<1> : tensor<128x128xi8>
  %e = tensor.empty() : tensor<2x128xi32>
  %c = sinter.matmul ins(%a, %b : tensor<2x128xi8>, tensor<128x128xi8>) outs(%e : tensor<2x128xi32>)
      attributes {epilogue_maps = [], lhs_zero = 2 : i64} {
  ^bb0(%x: i32):
    sinter.yield %x : i32
  } -> tensor<2x128xi32>
  return %c : tensor<2x128xi32>
}
}

// -----

// Many channels on a small map: the scratch is more than that of the direct kernel.
// CHECK-LABEL: @peak
// CHECK: kernel = #sinter.kernel<"dual_conv", {choice = "no Winograd, which --fit speed takes: its scratch would raise the arena's peak
module attributes {sinter.target = "cortex-m4"} {
func.func @peak(%x: tensor<1x1x8x8x64xi8>) -> tensor<1x1x8x8x4xi8> {
  %f = arith.constant dense<1> : tensor<4x64x3x3xi8>
  %e = tensor.empty() : tensor<1x1x8x8x4xi8>
  %y = sinter.conv ins(%x, %f : tensor<1x1x8x8x64xi8>, tensor<4x64x3x3xi8>) outs(%e : tensor<1x1x8x8x4xi8>)
      attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64,
                  layout = "nchwc", epilogue_maps = [], input_zero = 7 : i64} {
  ^bb0(%acc: i32):
    %q = arith.trunci %acc : i32 to i8
    sinter.yield %q : i8
  } -> tensor<1x1x8x8x4xi8>
  return %y : tensor<1x1x8x8x4xi8>
}
func.func @other(%a: tensor<2x128xi8>) -> tensor<2x128xi32> {
  %b = arith.constant dense<1> : tensor<128x128xi8>
  %e = tensor.empty() : tensor<2x128xi32>
  %c = sinter.matmul ins(%a, %b : tensor<2x128xi8>, tensor<128x128xi8>) outs(%e : tensor<2x128xi32>)
      attributes {epilogue_maps = [], lhs_zero = 2 : i64} {
  ^bb0(%x: i32):
    sinter.yield %x : i32
  } -> tensor<2x128xi32>
  return %c : tensor<2x128xi32>
}
}

// -----

// That does not matter where another op needs more memory.
// CHECK-LABEL: @elsewhere
// CHECK: kernel = #sinter.kernel<"dual_winograd", {choice = "Winograd: about
module attributes {sinter.target = "cortex-m4"} {
func.func @elsewhere(%x: tensor<1x1x8x8x64xi8>, %a: tensor<20000xi8>) -> (tensor<1x1x8x8x4xi8>, tensor<20000xi8>) {
  %f = arith.constant dense<1> : tensor<4x64x3x3xi8>
  %e = tensor.empty() : tensor<1x1x8x8x4xi8>
  %y = sinter.conv ins(%x, %f : tensor<1x1x8x8x64xi8>, tensor<4x64x3x3xi8>) outs(%e : tensor<1x1x8x8x4xi8>)
      attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64,
                  layout = "nchwc", epilogue_maps = [], input_zero = 7 : i64} {
  ^bb0(%acc: i32):
    %q = arith.trunci %acc : i32 to i8
    sinter.yield %q : i8
  } -> tensor<1x1x8x8x4xi8>
  %b = tensor.empty() : tensor<20000xi8>
  %copy = linalg.copy ins(%a : tensor<20000xi8>) outs(%b : tensor<20000xi8>) -> tensor<20000xi8>
  return %y, %copy : tensor<1x1x8x8x4xi8>, tensor<20000xi8>
}
func.func @other(%a: tensor<2x128xi8>) -> tensor<2x128xi32> {
  %b = arith.constant dense<1> : tensor<128x128xi8>
  %e = tensor.empty() : tensor<2x128xi32>
  %c = sinter.matmul ins(%a, %b : tensor<2x128xi8>, tensor<128x128xi8>) outs(%e : tensor<2x128xi32>)
      attributes {epilogue_maps = [], lhs_zero = 2 : i64} {
  ^bb0(%x: i32):
    sinter.yield %x : i32
  } -> tensor<2x128xi32>
  return %c : tensor<2x128xi32>
}
}

// -----

// Half of each tile would be for nothing.
// CHECK-LABEL: @row
// CHECK: kernel = #sinter.kernel<"dual_conv", {choice = "no Winograd: it would take no fewer instructions"
module attributes {sinter.target = "cortex-m4", sinter.fit = "speed"} {
func.func @row(%x: tensor<1x1x3x10x4xi8>) -> tensor<1x1x1x8x4xi8> {
  %f = arith.constant dense<1> : tensor<4x4x3x3xi8>
  %e = tensor.empty() : tensor<1x1x1x8x4xi8>
  %y = sinter.conv ins(%x, %f : tensor<1x1x3x10x4xi8>, tensor<4x4x3x3xi8>) outs(%e : tensor<1x1x1x8x4xi8>)
      attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64,
                  layout = "nchwc", epilogue_maps = [], input_zero = 7 : i64} {
  ^bb0(%acc: i32):
    %q = arith.trunci %acc : i32 to i8
    sinter.yield %q : i8
  } -> tensor<1x1x1x8x4xi8>
  return %y : tensor<1x1x1x8x4xi8>
}
}

// -----

// Four times these sums leave 32 bits.
// CHECK-LABEL: @sums
// CHECK: kernel = #sinter.kernel<"dual_conv", {choice = "no Winograd: four times a sum may not fit in 32 bits"
module attributes {sinter.target = "cortex-m4", sinter.fit = "speed"} {
func.func @sums(%x: tensor<1x1x4x8x1964xi8>) -> tensor<1x1x4x8x4xi8> {
  %f = arith.constant dense<127> : tensor<4x1964x3x3xi8>
  %e = tensor.empty() : tensor<1x1x4x8x4xi8>
  %y = sinter.conv ins(%x, %f : tensor<1x1x4x8x1964xi8>, tensor<4x1964x3x3xi8>) outs(%e : tensor<1x1x4x8x4xi8>)
      attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64,
                  layout = "nchwc", epilogue_maps = [], input_zero = -128 : i64} {
  ^bb0(%acc: i32):
    %q = arith.trunci %acc : i32 to i8
    sinter.yield %q : i8
  } -> tensor<1x1x4x8x4xi8>
  return %y : tensor<1x1x4x8x4xi8>
}
}

// -----

// Stride 2, channels that do not come by fours, rows of a row tile whose number is known at run time only: no choice.
// CHECK-LABEL: @stride
// CHECK: kernel = #sinter.kernel<"dual_conv", {proved
module attributes {sinter.target = "cortex-m4", sinter.fit = "speed"} {
func.func @stride(%x: tensor<1x1x9x9x16xi8>) -> tensor<1x1x5x5x16xi8> {
  %f = arith.constant dense<1> : tensor<16x16x3x3xi8>
  %e = tensor.empty() : tensor<1x1x5x5x16xi8>
  %y = sinter.conv ins(%x, %f : tensor<1x1x9x9x16xi8>, tensor<16x16x3x3xi8>) outs(%e : tensor<1x1x5x5x16xi8>)
      attributes {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64,
                  layout = "nchwc", epilogue_maps = [], input_zero = 7 : i64} {
  ^bb0(%acc: i32):
    %q = arith.trunci %acc : i32 to i8
    sinter.yield %q : i8
  } -> tensor<1x1x5x5x16xi8>
  return %y : tensor<1x1x5x5x16xi8>
}
}

// -----

// CHECK-LABEL: @channels
// CHECK: kernel = #sinter.kernel<"dual_conv", {proved
module attributes {sinter.target = "cortex-m4", sinter.fit = "speed"} {
func.func @channels(%x: tensor<1x1x8x8x6xi8>) -> tensor<1x1x8x8x16xi8> {
  %f = arith.constant dense<1> : tensor<16x6x3x3xi8>
  %e = tensor.empty() : tensor<1x1x8x8x16xi8>
  %y = sinter.conv ins(%x, %f : tensor<1x1x8x8x6xi8>, tensor<16x6x3x3xi8>) outs(%e : tensor<1x1x8x8x16xi8>)
      attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64,
                  layout = "nchwc", epilogue_maps = [], input_zero = 7 : i64} {
  ^bb0(%acc: i32):
    %q = arith.trunci %acc : i32 to i8
    sinter.yield %q : i8
  } -> tensor<1x1x8x8x16xi8>
  return %y : tensor<1x1x8x8x16xi8>
}
}

// -----

// CHECK-LABEL: @row_tile
// CHECK: kernel = #sinter.kernel<"dual_conv", {proved
module attributes {sinter.target = "cortex-m4", sinter.fit = "speed"} {
func.func @row_tile(%x: tensor<1x1x?x8x16xi8>, %rows: index, %pad: index) -> tensor<1x1x?x8x16xi8> {
  %f = arith.constant dense<1> : tensor<16x16x3x3xi8>
  %e = tensor.empty(%rows) : tensor<1x1x?x8x16xi8>
  %y = sinter.conv ins(%x, %f : tensor<1x1x?x8x16xi8>, tensor<16x16x3x3xi8>) row_pad(%pad) outs(%e : tensor<1x1x?x8x16xi8>)
      attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 1>, group = 1 : i64,
                  layout = "nchwc", epilogue_maps = [], input_zero = 7 : i64} {
  ^bb0(%acc: i32):
    %q = arith.trunci %acc : i32 to i8
    sinter.yield %q : i8
  } -> tensor<1x1x?x8x16xi8>
  return %y : tensor<1x1x?x8x16xi8>
}
}

// -----

// Where it is known, it is as good as a height.
// CHECK-LABEL: @known
// CHECK: kernel = #sinter.kernel<"dual_winograd", {choice = "Winograd: about
module attributes {sinter.target = "cortex-m4", sinter.fit = "speed"} {
func.func @known(%x: tensor<1x1x?x8x16xi8>, %rows: index, %pad: index) -> tensor<1x1x?x8x16xi8> {
  %f = arith.constant dense<1> : tensor<16x16x3x3xi8>
  %e = tensor.empty(%rows) : tensor<1x1x?x8x16xi8>
  %y = sinter.conv ins(%x, %f : tensor<1x1x?x8x16xi8>, tensor<16x16x3x3xi8>) row_pad(%pad) outs(%e : tensor<1x1x?x8x16xi8>)
      attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, group = 1 : i64, most_rows = 4 : i64,
                  layout = "nchwc", epilogue_maps = [], input_zero = 7 : i64} {
  ^bb0(%acc: i32):
    %q = arith.trunci %acc : i32 to i8
    sinter.yield %q : i8
  } -> tensor<1x1x?x8x16xi8>
  return %y : tensor<1x1x?x8x16xi8>
}
}
