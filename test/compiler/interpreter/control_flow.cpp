// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches, loops, and tensors carried through them in place.
#include "interpreter_test.h"

static Numbers run(llvm::StringRef body, llvm::StringRef type) { return Interpreted(body, type).numbers(); }

TEST_CASE("for carries scalars and tensors") {
  CHECK(run(R"(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %e = tensor.empty() : tensor<5xindex>
    %s0 = arith.constant 0 : index
    %t:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%t = %e, %s = %s0) -> (tensor<5xindex>, index) {
      %n = arith.addi %s, %i : index
      %u = tensor.insert %n into %t[%i] : tensor<5xindex>
      scf.yield %u, %n : tensor<5xindex>, index
    }
    %r = tensor.insert %t#1 into %t#0[%c0] : tensor<5xindex>)",
            "tensor<5xindex>") == Numbers{10, 1, 3, 6, 10});
}

TEST_CASE("a long loop fills a large tensor in place") {
  Interpreted r(R"(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 100000 : index
    %v = arith.constant 1.0 : f32
    %e = tensor.empty() : tensor<100000xf32>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %e) -> tensor<100000xf32> {
      %u = tensor.insert %v into %t[%i] : tensor<100000xf32>
      scf.yield %u : tensor<100000xf32>
    })",
                "tensor<100000xf32>");
  CHECK(r.numbers()[99999] == 1); // 40 GB of copies otherwise
}

TEST_CASE("if runs one branch; a branch not taken may be unknown") {
  const char *text = R"(
    %n = sinter.dim "n" [1, 8]
    %t = arith.constant CONDITION
    %a = arith.constant 1 : index
    %r = scf.if %t -> index { scf.yield %a : index } else { scf.yield %n : index })";
  Interpreted r(std::string(text).replace(std::string(text).find("CONDITION"), 9, "true"), "index");
  llvm::StringMap<int64_t> dims;
  dims["n"] = 3;
  auto main = r.module->lookupSymbol<mlir::func::FuncOp>("main");
  CHECK((*sinter::run(main, {}, dims))[0].at<int64_t>(0) == 1);
  Interpreted other(std::string(text).replace(std::string(text).find("CONDITION"), 9, "false"), "index");
  CHECK((*sinter::run(other.module->lookupSymbol<mlir::func::FuncOp>("main"), {}, dims))[0].at<int64_t>(0) == 3);
}

TEST_CASE("while") {
  CHECK(run(R"(
    %c1 = arith.constant 1 : i64
    %c100 = arith.constant 100 : i64
    %r = scf.while (%a = %c1) : (i64) -> i64 {
      %c = arith.cmpi slt, %a, %c100 : i64
      scf.condition(%c) %a : i64
    } do {
    ^bb0(%b: i64):
      %d = arith.addi %b, %b : i64
      scf.yield %d : i64
    })",
            "i64") == Numbers{128});
}

TEST_CASE("endless loops end with the budget") {
  Interpreted r("%t = arith.constant true\n%r = scf.while (%a = %t) : (i1) -> i1 { scf.condition(%t) %a : i1 } do { "
                "^bb0(%b: i1): scf.yield %b : i1 }",
                "i1");
  sinter::EvaluationBudget budget;
  budget.points = 1000;
  CHECK(!r.evaluate(budget));
}

TEST_CASE("forall inserts tiles") {
  CHECK(run(R"(
    %e = tensor.empty() : tensor<4xi32>
    %r = scf.forall (%i) = (0) to (4) step (2) shared_outs(%o = %e) -> tensor<4xi32> {
      %w = arith.index_cast %i : index to i32
      %s = tensor.splat %w : tensor<2xi32>
      scf.forall.in_parallel { tensor.parallel_insert_slice %s into %o[%i] [2] [1] : tensor<2xi32> into tensor<4xi32> }
    })",
            "tensor<4xi32>") == Numbers{0, 0, 2, 2});
}

TEST_CASE("bodies with control flow run point by point") {
  CHECK(run(R"(
    %x = arith.constant dense<[1, -2, 3]> : tensor<3xi32>
    %e = tensor.empty() : tensor<3xi32>
    %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<3xi32>) outs(%e : tensor<3xi32>) {
    ^bb0(%a: i32, %o: i32):
      %z = arith.constant 0 : i32
      %p = linalg.index 0 : index
      %q = arith.index_cast %p : index to i32
      %c = arith.cmpi sgt, %a, %z : i32
      %v = scf.if %c -> i32 { %n = arith.addi %a, %q : i32
        scf.yield %n : i32 } else { scf.yield %z : i32 }
      linalg.yield %v : i32
    } -> tensor<3xi32>)",
            "tensor<3xi32>") == Numbers{1, 0, 5});
}
