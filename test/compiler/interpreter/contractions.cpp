// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolution and matrix product against linalg's own ops, their epilogues, packing.
#include "interpreter_test.h"

static Numbers run(llvm::StringRef body, llvm::StringRef type) { return Interpreted(body, type).numbers(); }

static const char *iota = R"(
  %e3 = tensor.empty() : tensor<2x4x5x5xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e3 : tensor<2x4x5x5xf32>) {
  ^bb0(%o: f32):
    %n = linalg.index 0 : index
    %c = linalg.index 1 : index
    %h = linalg.index 2 : index
    %w = linalg.index 3 : index
    %v = affine.apply affine_map<(n, c, h, w) -> (n * 7 + c * 5 - h * 3 + (w * 3) mod 4 - 4)>(%n, %c, %h, %w)
    %i = arith.index_cast %v : index to i64
    %f = arith.sitofp %i : i64 to f32
    linalg.yield %f : f32
  } -> tensor<2x4x5x5xf32>
  %f = tensor.extract_slice %x[0, 0, 1, 1] [2, 4, 3, 3] [1, 1, 1, 1] : tensor<2x4x5x5xf32> to tensor<2x4x3x3xf32>
  %zero = arith.constant 0.0 : f32
)";

TEST_CASE("conv is linalg's conv on a padded input") {
  std::string ours = std::string(iota) + R"(
    %e = tensor.empty() : tensor<2x2x3x3xf32>
    %r = sinter.conv ins(%x, %f : tensor<2x4x5x5xf32>, tensor<2x4x3x3xf32>) outs(%e : tensor<2x2x3x3xf32>)
      attributes {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 1 : i64, epilogue_maps = []} {
    ^bb0(%a: f32): sinter.yield %a : f32
    } -> tensor<2x2x3x3xf32>)";
  std::string theirs = std::string(iota) + R"(
    %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] { ^bb0(%i: index, %j: index, %k: index, %l: index): tensor.yield %zero : f32 } : tensor<2x4x5x5xf32> to tensor<2x4x7x7xf32>
    %e = tensor.empty() : tensor<2x2x3x3xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2x3x3xf32>) -> tensor<2x2x3x3xf32>
    %r = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%p, %f : tensor<2x4x7x7xf32>, tensor<2x4x3x3xf32>)
         outs(%z : tensor<2x2x3x3xf32>) -> tensor<2x2x3x3xf32>)";
  CHECK(run(ours, "tensor<2x2x3x3xf32>") == run(theirs, "tensor<2x2x3x3xf32>"));
}

TEST_CASE("conv in blocked and channels-last layouts, with groups") {
  auto conv = [&](llvm::StringRef layout) {
    bool last = layout == "nhwc";
    std::string in = last ? "tensor<2x5x5x4xf32>" : "tensor<2x2x5x5x2xf32>",
                out = last ? "tensor<2x5x5x4xf32>" : "tensor<2x1x5x5x4xf32>";
    std::string prepare =
        last ? "%te = tensor.empty() : " + in +
                   "\n%xt = linalg.transpose ins(%x : tensor<2x4x5x5xf32>) outs(%te : " + in +
                   ") permutation = [0, 2, 3, 1]\n"
             : "%te = tensor.empty() : " + in +
                   "\n%xt = tensor.pack %x inner_dims_pos = [1] inner_tiles = [2] into %te : tensor<2x4x5x5xf32> -> " +
                   in + "\n";
    std::string back =
        last ? "%r = linalg.transpose ins(%y : " + out + ") outs(%e3 : tensor<2x4x5x5xf32>) permutation = [0, 3, 1, 2]"
             : "%r = tensor.unpack %y inner_dims_pos = [1] inner_tiles = [4] into %e3 : " + out +
                   " -> tensor<2x4x5x5xf32>";
    return std::string(iota) +
           "%g = tensor.collapse_shape %f [[0, 1], [2], [3]] : tensor<2x4x3x3xf32> into tensor<8x3x3xf32>\n"
           "%g2 = tensor.expand_shape %g [[0, 1], [2], [3]] output_shape [4, 2, 3, 3] : tensor<8x3x3xf32> into "
           "tensor<4x2x3x3xf32>\n" +
           prepare + "%ye = tensor.empty() : " + out + "\n%y = sinter.conv ins(%xt, %g2 : " + in +
           ", tensor<4x2x3x3xf32>) outs(%ye : " + out +
           ") attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 2 "
           ": i64, layout = \"" +
           layout.str() + "\", epilogue_maps = []} { ^bb0(%a: f32): sinter.yield %a : f32 } -> " + out + "\n" + back;
  };
  std::string plain =
      std::string(iota) +
      "%g = tensor.collapse_shape %f [[0, 1], [2], [3]] : tensor<2x4x3x3xf32> into tensor<8x3x3xf32>\n"
      "%g2 = tensor.expand_shape %g [[0, 1], [2], [3]] output_shape [4, 2, 3, 3] : tensor<8x3x3xf32> into "
      "tensor<4x2x3x3xf32>\n"
      "%r = sinter.conv ins(%x, %g2 : tensor<2x4x5x5xf32>, tensor<4x2x3x3xf32>) outs(%e3 : tensor<2x4x5x5xf32>) "
      "attributes {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, group = 2 : i64, "
      "epilogue_maps = []} { ^bb0(%a: f32): sinter.yield %a : f32 } -> tensor<2x4x5x5xf32>";
  Numbers expected = run(plain, "tensor<2x4x5x5xf32>");
  CHECK(run(conv("nhwc"), "tensor<2x4x5x5xf32>") == expected);
  CHECK(run(conv("nchwc"), "tensor<2x4x5x5xf32>") == expected);
}

TEST_CASE("matmul with broadcast batch, transposed operand and an epilogue") {
  CHECK(run(R"(
    %a = arith.constant dense<[[[1.0, 2.0]], [[3.0, 4.0]]]> : tensor<2x1x2xf32>
    %b = arith.constant dense<[[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]]> : tensor<3x2xf32>
    %bias = arith.constant dense<[0.5, 0.25, 0.125]> : tensor<3xf32>
    %e = tensor.empty() : tensor<2x1x3xf32>
    %r = sinter.matmul ins(%a, %b, %bias : tensor<2x1x2xf32>, tensor<3x2xf32>, tensor<3xf32>) outs(%e : tensor<2x1x3xf32>)
      attributes {transpose_rhs, epilogue_maps = [affine_map<(n, i, j) -> (j)>]} {
    ^bb0(%acc: f32, %c: f32):
      %s = arith.addf %acc, %c : f32
      sinter.yield %s : f32
    } -> tensor<2x1x3xf32>)",
            "tensor<2x1x3xf32>") == Numbers{21.5, 42.25, 63.125, 43.5, 86.25, 129.125});
}

TEST_CASE("integer products accumulate in the epilogue's type") {
  CHECK(run(R"(
    %a = arith.constant dense<[[100, 100]]> : tensor<1x2xi8>
    %b = arith.constant dense<[[100], [-128]]> : tensor<2x1xi8>
    %e = tensor.empty() : tensor<1x1xi32>
    %r = sinter.matmul ins(%a, %b : tensor<1x2xi8>, tensor<2x1xi8>) outs(%e : tensor<1x1xi32>) attributes {epilogue_maps = []} {
    ^bb0(%acc: i32): sinter.yield %acc : i32
    } -> tensor<1x1xi32>)",
            "tensor<1x1xi32>") == Numbers{-2800});
}

TEST_CASE("a convolution of bytes reads what its kernel says where the input ends") {
  // [1, 1, 2, 1] pixels 10, 20; taps 1, 2, 3 with pads of 1: outside is -5.
  CHECK(run(R"(
    %x = arith.constant dense<[[[[10], [20]]]]> : tensor<1x1x2x1xi8>
    %w = arith.constant dense<[[[1], [2], [3]]]> : tensor<1x3x1xi8>
    %e = tensor.empty() : tensor<1x1x2x1xi32>
    %r = sinter.conv ins(%x, %w : tensor<1x1x2x1xi8>, tensor<1x3x1xi8>) outs(%e : tensor<1x1x2x1xi32>)
      attributes {strides = array<i64: 1>, dilations = array<i64: 1>, pads = array<i64: 1>, group = 1 : i64, layout = "nchwc", epilogue_maps = [],
        kernel = #sinter.kernel<"tile_conv", {dims = [array<i64: 0>, array<i64: 2>, array<i64: 1>], outside = -5 : i64}>} {
    ^bb0(%acc: i32): sinter.yield %acc : i32
    } -> tensor<1x1x2x1xi32>)",
            "tensor<1x1x2x1xi32>") == Numbers{75, 35});
}

TEST_CASE("pack pads to whole tiles, unpack cuts") {
  std::string pack = R"(
    %x = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
    %z = arith.constant 9 : i32
    %e = tensor.empty() : tensor<2x2x2xi32>
    %p = tensor.pack %x padding_value(%z : i32) outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [2] into %e : tensor<2x3xi32> -> tensor<2x2x2xi32>
  )";
  CHECK(run(pack + "%r = tensor.cast %p : tensor<2x2x2xi32> to tensor<2x2x2xi32>", "tensor<2x2x2xi32>") ==
        Numbers{1, 2, 4, 5, 3, 9, 6, 9});
  CHECK(run(pack + "%u = tensor.empty() : tensor<2x3xi32>\n%r = tensor.unpack %p outer_dims_perm = [1, 0] "
                   "inner_dims_pos = [1] inner_tiles = [2] into %u : tensor<2x2x2xi32> -> tensor<2x3xi32>",
            "tensor<2x3xi32>") == Numbers{1, 2, 3, 4, 5, 6});
}
