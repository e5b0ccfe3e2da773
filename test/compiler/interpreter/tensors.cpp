// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole tensors: loop nests, data movement, weights, what is constant and what is not, budgets.
#include "interpreter_test.h"

static Numbers run(llvm::StringRef body, llvm::StringRef type) { return Interpreted(body, type).numbers(); }

static const char *iota23 =
    "%x = sinter.weight dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32> : tensor<2x3xf32>\n";

TEST_CASE("a generic with broadcast and positions") {
  std::string body = std::string(iota23) + R"(
    %b = arith.constant dense<[10.0, 20.0, 30.0]> : tensor<3xf32>
    %e = tensor.empty() : tensor<2x3xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                         iterator_types = ["parallel", "parallel"]} ins(%x, %b : tensor<2x3xf32>, tensor<3xf32>) outs(%e : tensor<2x3xf32>) {
    ^bb0(%a: f32, %c: f32, %o: f32):
      %i = linalg.index 0 : index
      %w = arith.index_cast %i : index to i64
      %f = arith.sitofp %w : i64 to f32
      %s = arith.addf %a, %c : f32
      %t = arith.addf %s, %f : f32
      linalg.yield %t : f32
    } -> tensor<2x3xf32>)";
  CHECK(run(body, "tensor<2x3xf32>") == Numbers{10, 21, 32, 14, 25, 36});
}

TEST_CASE("reductions over either dim, and of nothing") {
  for (auto [map, size, expected] :
       {std::tuple{"(i, j) -> (i)", "2", Numbers{4, 13}}, std::tuple{"(i, j) -> (j)", "3", Numbers{4, 6, 8}}}) {
    std::string type = std::string("tensor<") + size + "xf32>";
    std::string types =
        std::string(map) == "(i, j) -> (i)" ? "\"parallel\", \"reduction\"" : "\"reduction\", \"parallel\"";
    std::string body = std::string(iota23) + "%z = arith.constant dense<1.0> : " + type +
                       "\n%r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<" + map +
                       ">], iterator_types = [" + types + "]} ins(%x : tensor<2x3xf32>) outs(%z : " + type +
                       ") { ^bb0(%a: f32, %o: f32): %s = arith.addf %a, %o : f32 linalg.yield %s : f32 } -> " + type;
    CHECK(run(body, type) == expected);
  }
  CHECK(run("%x = arith.constant dense<> : tensor<0xf32>\n%z = arith.constant dense<7.0> : tensor<f32>\n"
            "%r = linalg.reduce ins(%x : tensor<0xf32>) outs(%z : tensor<f32>) dimensions = [0] (%a: f32, %o: f32) { "
            "%s = arith.addf %a, %o : f32 linalg.yield %s : f32 }",
            "tensor<f32>") == Numbers{7});
}

TEST_CASE("sums of many floats lose nothing on their way") {
  const char *values = "%x = arith.constant dense<[[16777216.0, 1.0, 1.0, 1.0, 1.0]]> : tensor<1x5xf32>\n"
                       "%zero = arith.constant dense<0.0> : tensor<1xf32>\n"
                       "%zeros = arith.constant dense<0.0> : tensor<1x1xf32>\n";
  CHECK(run(std::string(values) + "%r = linalg.reduce { arith.addf } ins(%x : tensor<1x5xf32>) outs(%zero : "
                                  "tensor<1xf32>) dimensions = [1]",
            "tensor<1xf32>") == Numbers{16777220});
  CHECK(run(std::string(values) + R"(
    %ones = arith.constant dense<1.0> : tensor<5x1xf32>
    %r = sinter.matmul ins(%x, %ones : tensor<1x5xf32>, tensor<5x1xf32>) outs(%zeros : tensor<1x1xf32>) attributes {epilogue_maps = []} {
    ^bb0(%a: f32): sinter.yield %a : f32
    } -> tensor<1x1xf32>)",
            "tensor<1x1xf32>") == Numbers{16777220});
}

TEST_CASE("named ops have bodies of their own") {
  CHECK(run(std::string(iota23) +
                "%c = arith.constant 1.0 : f32\n%e = tensor.empty() : tensor<2x2xf32>\n"
                "%z = linalg.fill ins(%c : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>\n%te = tensor.empty() : "
                "tensor<3x2xf32>\n"
                "%t = linalg.transpose ins(%x : tensor<2x3xf32>) outs(%te : tensor<3x2xf32>) permutation = [1, 0]\n"
                "%r = linalg.matmul ins(%x, %t : tensor<2x3xf32>, tensor<3x2xf32>) outs(%z : tensor<2x2xf32>) -> "
                "tensor<2x2xf32>",
            "tensor<2x2xf32>") == Numbers{6, 15, 15, 51});
  CHECK(run(std::string(iota23) +
                "%e = tensor.empty() : tensor<2x2x3xf32>\n"
                "%r = linalg.broadcast ins(%x : tensor<2x3xf32>) outs(%e : tensor<2x2x3xf32>) dimensions = [1]",
            "tensor<2x2x3xf32>") == Numbers{0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5});
}

TEST_CASE("maps that are not linear, and reads of captured tensors") {
  CHECK(run("%x = arith.constant dense<[1, 2, 3]> : tensor<3xi32>\n%e = tensor.empty() : tensor<6xi32>\n"
            "%r = linalg.generic {indexing_maps = [affine_map<(i) -> (i floordiv 2)>, affine_map<(i) -> (i)>], "
            "iterator_types = [\"parallel\"]}\n"
            "ins(%x : tensor<3xi32>) outs(%e : tensor<6xi32>) { ^bb0(%a: i32, %o: i32): linalg.yield %a : i32 } -> "
            "tensor<6xi32>",
            "tensor<6xi32>") == Numbers{1, 1, 2, 2, 3, 3});
  const char *gather = "%x = arith.constant dense<[1, 2, 3]> : tensor<3xi32>\n%n = arith.constant INDICES : "
                       "tensor<4xi64>\n%c3 = arith.constant 3 : index\n"
                       "%e = tensor.empty() : tensor<4xi32>\n"
                       "%r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], "
                       "iterator_types = [\"parallel\"]}\n"
                       "ins(%n : tensor<4xi64>) outs(%e : tensor<4xi32>) { ^bb0(%a: i64, %o: i32):\n %i = "
                       "sinter.check_index %a, %c3 : i64\n"
                       "%v = tensor.extract %x[%i] : tensor<3xi32>\n linalg.yield %v : i32 } -> tensor<4xi32>";
  std::string good = gather, bad = gather;
  good.replace(good.find("INDICES"), 7, "dense<[2, -1, 0, -3]>");
  bad.replace(bad.find("INDICES"), 7, "dense<[2, -1, 0, 3]>");
  CHECK(run(good, "tensor<4xi32>") == Numbers{3, 3, 1, 1});
  CHECK(!Interpreted(bad, "tensor<4xi32>").evaluate());
}

TEST_CASE("slices, insertion, padding, concatenation, new shapes") {
  CHECK(
      run(std::string(iota23) + "%r = tensor.extract_slice %x[0, 0] [2, 2] [1, 2] : tensor<2x3xf32> to tensor<2x2xf32>",
          "tensor<2x2xf32>") == Numbers{0, 2, 3, 5});
  CHECK(run(std::string(iota23) + "%r = tensor.extract_slice %x[1, 0] [1, 3] [1, 1] : tensor<2x3xf32> to tensor<3xf32>",
            "tensor<3xf32>") == Numbers{3, 4, 5});
  CHECK(run(std::string(iota23) + "%s = arith.constant dense<9.0> : tensor<2xf32>\n%r = tensor.insert_slice %s into "
                                  "%x[0, 1] [2, 1] [1, 1] : tensor<2xf32> into tensor<2x3xf32>",
            "tensor<2x3xf32>") == Numbers{0, 9, 2, 3, 9, 5});
  CHECK(run(std::string(iota23) + "%c = arith.constant 7.0 : f32\n%r = tensor.pad %x low[1, 0] high[0, 1] { ^bb0(%i: "
                                  "index, %j: index): tensor.yield %c : f32 } : tensor<2x3xf32> to tensor<3x4xf32>",
            "tensor<3x4xf32>") == Numbers{7, 7, 7, 7, 0, 1, 2, 7, 3, 4, 5, 7});
  CHECK(run(std::string(iota23) +
                "%r = tensor.concat dim(1) %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>",
            "tensor<2x6xf32>") == Numbers{0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5});
  CHECK(run(std::string(iota23) +
                "%f = tensor.collapse_shape %x [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>\n"
                "%r = tensor.expand_shape %f [[0, 1]] output_shape [3, 2] : tensor<6xf32> into tensor<3x2xf32>",
            "tensor<3x2xf32>") == Numbers{0, 1, 2, 3, 4, 5});
}

TEST_CASE("sizes follow from stated dims, without contents") {
  Interpreted known("%c = arith.constant 5 : index\n%e = tensor.empty(%c) : tensor<?x4xf32>\n%z = arith.constant 0 : "
                    "index\n%r = tensor.dim %e, %z : tensor<?x4xf32>",
                    "index");
  CHECK(known.numbers() == Numbers{5});
  Interpreted unknown("%s = sinter.dim \"n\" [1, 8]\n%e = tensor.empty(%s) : tensor<?x4xf32>\n%z = arith.constant 0 : "
                      "index\n%r = tensor.dim %e, %z : tensor<?x4xf32>",
                      "index");
  CHECK(!unknown.evaluate());
  Interpreted other("%s = sinter.dim \"n\" [1, 8]\n%e = tensor.empty(%s) : tensor<?x4xf32>\n%z = arith.constant 1 : "
                    "index\n%r = tensor.dim %e, %z : tensor<?x4xf32>",
                    "index");
  CHECK(other.numbers() == Numbers{4});
}

TEST_CASE("weights: packed nibbles, views at any alignment, strings") {
  const char *resources =
      "{-# dialect_resources: { builtin: { w: \"0x01000000F1728E\", f: \"0x01000000000000803F00000040\" } } #-}";
  Interpreted packed("%w = sinter.weight dense_resource<w> : tensor<5xsi4> : tensor<5xi8>\n%r = arith.extsi %w : "
                     "tensor<5xi8> to tensor<5xi32>",
                     "tensor<5xi32>", resources);
  CHECK(packed.numbers() == Numbers{1, -1, 2, 7, -2});
  Interpreted unsignedPacked("%w = sinter.weight dense_resource<w> : tensor<5xui4> : tensor<5xi8>\n%r = arith.extui %w "
                             ": tensor<5xi8> to tensor<5xi32>",
                             "tensor<5xi32>", resources);
  CHECK(unsignedPacked.numbers() == Numbers{1, 15, 2, 7, 14});
  Interpreted twoBits("%r = sinter.weight dense_resource<w> : tensor<6xsi2> : tensor<6xi8>", "tensor<6xi8>", resources);
  CHECK(twoBits.numbers() == Numbers{1, 0, -1, -1, -2, 0});
  Interpreted strings("%r = sinter.weight dense<[\"a\", \"bc\"]> : tensor<2x!sinter.string> : tensor<2x!sinter.string>",
                      "tensor<2x!sinter.string>");
  CHECK(strings.evaluate()->strings()[1] == "bc");
}

TEST_CASE("run-time data has no value, and constancy is known without evaluating") {
  Interpreted r("%s = sinter.dim \"n\" [1, 8]\n%c = arith.constant 2 : index\n%r = arith.muli %s, %c : index", "index");
  CHECK(!sinter::isConstant(r.value, r.cache));
  CHECK(!r.evaluate());
  Interpreted c("%s = sinter.dim \"n\" [8, 8]\n%c = arith.constant 2 : index\n%r = arith.muli %s, %c : index", "index");
  CHECK(sinter::isConstant(c.value, c.cache));
  CHECK(sinter::evaluateIndex(c.value, c.cache) == 16);
}

TEST_CASE("budgets stop before memory is asked for") {
  std::string body =
      "%c = arith.constant 1.0 : f32\n%e = tensor.empty() : tensor<1000000x1000000xf32>\n"
      "%g = linalg.fill ins(%c : f32) outs(%e : tensor<1000000x1000000xf32>) -> tensor<1000000x1000000xf32>\n"
      "%z = arith.constant 0 : index\n%r = tensor.extract %g[%z, %z] : tensor<1000000x1000000xf32>";
  CHECK(!Interpreted(body, "f32").evaluate());
  Interpreted small("%a = arith.constant dense<1.0> : tensor<512xf32>\n%r = arith.addf %a, %a : tensor<512xf32>",
                    "tensor<512xf32>");
  sinter::EvaluationBudget budget;
  budget.tensorBytes = 1024;
  CHECK(!small.evaluate(budget));
  CHECK(small.evaluate()); // a failure for want of budget is not remembered
}

TEST_CASE("attributes and back") {
  Interpreted r("%r = arith.constant dense<[1, 2, 3]> : tensor<3xi16>", "tensor<3xi16>");
  auto type = mlir::cast<mlir::RankedTensorType>(r.value.getType());
  mlir::Attribute attribute = sinter::toAttribute(*r.evaluate(), type);
  CHECK(attribute == mlir::cast<mlir::arith::ConstantOp>(r.value.getDefiningOp()).getValue());
  Interpreted bits("%r = arith.constant dense<[true, false, true]> : tensor<3xi1>", "tensor<3xi1>");
  CHECK(sinter::toAttribute(*bits.evaluate(), mlir::cast<mlir::RankedTensorType>(bits.value.getType())) ==
        mlir::cast<mlir::arith::ConstantOp>(bits.value.getDefiningOp()).getValue());
  auto bigType = mlir::RankedTensorType::get({1000}, mlir::Float32Type::get(&r.context));
  std::vector<float> values(1000);
  values[999] = 3;
  mlir::Attribute big =
      sinter::toAttribute(sinter::HostTensor::fromBytes(bigType.getElementType(), {1000}, values.data()), bigType);
  CHECK(mlir::isa<mlir::DenseResourceElementsAttr>(big));
  CHECK(sinter::fromAttribute(big, bigType.getElementType())->at<float>(999) == 3);
}
