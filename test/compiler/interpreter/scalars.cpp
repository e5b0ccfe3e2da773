// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar arithmetic: stated results where C++ has none, rounding of small floats, saturation.
#include "interpreter_test.h"

#include <cmath>

static Numbers run(llvm::StringRef body, llvm::StringRef type) { return Interpreted(body, type).numbers(); }

TEST_CASE("integer arithmetic never traps") {
  CHECK(run("%a = arith.constant dense<[7, -128, -7]> : tensor<3xi8>\n %b = arith.constant dense<[0, -1, 2]> : "
            "tensor<3xi8>\n"
            "%r = arith.divsi %a, %b : tensor<3xi8>",
            "tensor<3xi8>") == Numbers{0, -128, -3});
  CHECK(run("%a = arith.constant dense<[-7, 7, 9]> : tensor<3xi32>\n %b = arith.constant dense<[2, -2, 0]> : "
            "tensor<3xi32>\n"
            "%r = arith.floordivsi %a, %b : tensor<3xi32>",
            "tensor<3xi32>") == Numbers{-4, -4, 0});
  CHECK(run("%a = arith.constant dense<[-7, 7, 9]> : tensor<3xi64>\n %b = arith.constant dense<[2, 2, 0]> : "
            "tensor<3xi64>\n"
            "%r = arith.ceildivsi %a, %b : tensor<3xi64>",
            "tensor<3xi64>") == Numbers{-3, 4, 0});
  CHECK(run("%a = arith.constant dense<[-7, 7, 9]> : tensor<3xi16>\n %b = arith.constant dense<[2, -2, 0]> : "
            "tensor<3xi16>\n"
            "%r = arith.remsi %a, %b : tensor<3xi16>",
            "tensor<3xi16>") == Numbers{-1, 1, 0});
  CHECK(run("%a = arith.constant dense<[1, 1]> : tensor<2xi32>\n %b = arith.constant dense<[31, 32]> : tensor<2xi32>\n"
            "%r = arith.shli %a, %b : tensor<2xi32>",
            "tensor<2xi32>") == Numbers{-2147483648.0, 0});
  CHECK(run("%a = arith.constant dense<200> : tensor<1xi8>\n %b = arith.constant dense<3> : tensor<1xi8>\n"
            "%r = arith.divui %a, %b : tensor<1xi8>",
            "tensor<1xi8>") == Numbers{66});
}

TEST_CASE("i1 is a byte, read as 1 or -1") {
  CHECK(run("%a = arith.constant dense<[true, true, false]> : tensor<3xi1>\n %b = arith.constant dense<[true, false, "
            "false]> : tensor<3xi1>\n"
            "%r = arith.addi %a, %b : tensor<3xi1>",
            "tensor<3xi1>") == Numbers{0, 1, 0});
  CHECK(run("%a = arith.constant dense<[true, false]> : tensor<2xi1>\n%r = arith.extsi %a : tensor<2xi1> to "
            "tensor<2xi32>",
            "tensor<2xi32>") == Numbers{-1, 0});
  CHECK(run("%a = arith.constant dense<[true, false]> : tensor<2xi1>\n%r = arith.uitofp %a : tensor<2xi1> to "
            "tensor<2xf32>",
            "tensor<2xf32>") == Numbers{1, 0});
  CHECK(run("%a = arith.constant dense<[2, 3]> : tensor<2xi8>\n%r = arith.trunci %a : tensor<2xi8> to tensor<2xi1>",
            "tensor<2xi1>") == Numbers{0, 1});
}

TEST_CASE("floats to integers saturate, NaN is 0") {
  CHECK(run("%a = arith.constant dense<[1.0e10, -1.0e10, 0x7FC00000, 2.9, -2.9]> : tensor<5xf32>\n"
            "%r = arith.fptosi %a : tensor<5xf32> to tensor<5xi32>",
            "tensor<5xi32>") == Numbers{2147483647, -2147483648.0, 0, 2, -2});
  CHECK(run("%a = arith.constant dense<[300.0, -1.0, 254.5]> : tensor<3xf64>\n"
            "%b = arith.fptoui %a : tensor<3xf64> to tensor<3xi8>\n%r = arith.extui %b : tensor<3xi8> to tensor<3xi32>",
            "tensor<3xi32>") == Numbers{255, 0, 254});
}

TEST_CASE("small floats round once, to nearest even") {
  CHECK(run("%a = arith.constant dense<[1.0, 2048.0]> : tensor<2xf16>\n %b = arith.constant dense<[0.00048828125, "
            "1.0]> : tensor<2xf16>\n"
            "%r = arith.addf %a, %b : tensor<2xf16>",
            "tensor<2xf16>") == Numbers{1, 2048});
  // halfway of f16, and a little more that f32 cannot hold
  CHECK(run("%a = arith.constant dense<1.00048828125000001> : tensor<1xf64>\n%r = arith.truncf %a : tensor<1xf64> to "
            "tensor<1xf16>",
            "tensor<1xf16>") == Numbers{1});
  CHECK(run("%a = arith.constant dense<1.0004882812500003> : tensor<1xf64>\n%r = arith.truncf %a : tensor<1xf64> to "
            "tensor<1xf16>",
            "tensor<1xf16>") == Numbers{1.0009765625});
  CHECK(run("%a = arith.constant dense<[1.0e-7, 70000.0, 6.0e-8]> : tensor<3xf32>\n%r = arith.truncf %a : "
            "tensor<3xf32> to tensor<3xf16>",
            "tensor<3xf16>") == Numbers{std::ldexp(2, -24), HUGE_VAL, std::ldexp(1, -24)});
  CHECK(run("%a = arith.constant dense<[448.0, 17.0, 0.001953125]> : tensor<3xf32>\n%r = arith.truncf %a : "
            "tensor<3xf32> to tensor<3xf8E4M3FN>",
            "tensor<3xf8E4M3FN>") == Numbers{448, 16, 0.001953125});
  CHECK(run("%a = arith.constant dense<[57344.0, 1.0e6, -3.0]> : tensor<3xf32>\n%r = arith.truncf %a : tensor<3xf32> "
            "to tensor<3xf8E5M2>",
            "tensor<3xf8E5M2>") == Numbers{57344, HUGE_VAL, -3});
  CHECK(run("%a = arith.constant dense<[240.0, -0.0, -1.0]> : tensor<3xf32>\n%r = arith.truncf %a : tensor<3xf32> to "
            "tensor<3xf8E4M3FNUZ>",
            "tensor<3xf8E4M3FNUZ>") == Numbers{240, 0, -1});
}

TEST_CASE("small float formats agree with llvm::APFloat on every bit pattern") {
  mlir::MLIRContext context;
  auto check = [&](mlir::FloatType type) {
    for (unsigned bits = 0, n = 1u << type.getWidth(); bits < n; ++bits) {
      llvm::APFloat exact(type.getFloatSemantics(), llvm::APInt(type.getWidth(), bits));
      uint64_t storage = bits;
      double ours = sinter::HostTensor::scalar(type, storage).numberAt(0);
      if (exact.isNaN()) {
        REQUIRE(std::isnan(ours));
        continue;
      }
      llvm::APFloat wide = exact;
      bool lost;
      wide.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &lost);
      REQUIRE(wide.convertToDouble() == ours);
      char back[2] = {};
      sinter::findConversion(sinter::ElementKind::F64, *sinter::elementKind(type),
                             true)(reinterpret_cast<char *>(&ours), back, 1);
      REQUIRE(std::memcmp(back, &bits, type.getWidth() / 8) == 0);
    }
  };
  check(mlir::Float16Type::get(&context));
  check(mlir::BFloat16Type::get(&context));
  check(mlir::Float8E4M3FNType::get(&context));
  check(mlir::Float8E4M3FNUZType::get(&context));
  check(mlir::Float8E5M2Type::get(&context));
  check(mlir::Float8E5M2FNUZType::get(&context));
}

TEST_CASE("maximum and comparison know NaN and signed zero") {
  Numbers r = run("%a = arith.constant dense<[0x7FC00000, 1.0, -0.0]> : tensor<3xf32>\n %b = arith.constant "
                  "dense<[1.0, 0x7FC00000, 0.0]> : tensor<3xf32>\n"
                  "%r = arith.maximumf %a, %b : tensor<3xf32>",
                  "tensor<3xf32>");
  CHECK(std::isnan(r[0]));
  CHECK(std::isnan(r[1]));
  CHECK(!std::signbit(r[2]));
  CHECK(run("%a = arith.constant dense<[0x7FC00000, 1.0]> : tensor<2xf32>\n %b = arith.constant dense<[1.0, 1.0]> : "
            "tensor<2xf32>\n"
            "%r = arith.cmpf ult, %a, %b : tensor<2xf32>",
            "tensor<2xi1>") == Numbers{1, 0});
}

TEST_CASE("index arithmetic") {
  CHECK(run("%a = arith.constant 17 : index\n%r = affine.apply affine_map<(d0) -> (d0 floordiv 4 + d0 mod 4)>(%a)",
            "index") == Numbers{5});
  CHECK(run("%a = arith.constant 17 : index\n%r = affine.min affine_map<(d0)[s0] -> (d0 - s0, 9)>(%a)[%a]", "index") ==
        Numbers{0});
  CHECK(run("%s = sinter.dim \"n\" [4, 4]\n%c = arith.constant 3 : index\n%r = arith.muli %s, %c : index", "index") ==
        Numbers{12});
}

TEST_CASE("requantization: bias, factor, one rounding to even, limits, zero point") {
  // (5 + 3) * 0.3125 = 2.5 -> 2; (9 + 3) * 0.3125 = 3.75 -> 4; far out: the limits
  CHECK(run("%x = arith.constant dense<[5, 9, 100000, -100000]> : tensor<4xi32>\n"
            "%o = tensor.empty() : tensor<4xi8>\n"
            "%r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = "
            "[\"parallel\"]} ins(%x : tensor<4xi32>) outs(%o : tensor<4xi8>) {\n"
            "^bb0(%a: i32, %out: i8):\n"
            " %b = arith.constant 3 : i32\n %f = arith.constant 0.3125 : f32\n"
            " %q = sinter.requantize %a bias(%b) factor(%f) zero -5 in [-123, 132] : (i32, i32, f32) -> i8\n"
            " linalg.yield %q : i8\n} -> tensor<4xi8>",
            "tensor<4xi8>") == Numbers{-3, -1, 127, -128});
  // 200 * 0.5 - 3 * 0.25 + 0.25 = 99.5 -> 100, as a float and as an unsigned byte from 28 on
  auto sum = [](llvm::StringRef type, int zero) {
    std::string to = type.str(), tensor = "tensor<1x" + to + ">";
    return run(
        "%x = arith.constant dense<200> : tensor<1xi8>\n"
        "%o = tensor.empty() : " +
            tensor +
            "\n"
            "%r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = "
            "[\"parallel\"]} ins(%x : tensor<1xi8>) outs(%o : " +
            tensor +
            ") {\n"
            "^bb0(%a: i8, %out: " +
            to +
            "):\n"
            " %none = arith.constant 0.0 : f32\n %three = arith.constant -3.0 : f32\n"
            " %f = arith.constant 0.5 : f32\n %g = arith.constant 0.25 : f32\n"
            " %q = sinter.requantize %a, %three bias(%none, %none) factor(%f, %g) plus(%g) zero " +
            std::to_string(zero) + " in [0, 227] {signs = \"us\"} : (i8, f32, f32, f32, f32, f32, f32) -> " + to +
            "\n linalg.yield %q : " + to + "\n} -> " + tensor,
        tensor);
  };
  CHECK(sum("f32", 0) == Numbers{100});
  CHECK(sum("i16", 28) == Numbers{128});
  CHECK(sum("i32", 28) == Numbers{128});
}
