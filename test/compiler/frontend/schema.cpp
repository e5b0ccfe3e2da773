// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schema table: versions by opset, parameters, defaults, and what a misspelt operator is told.
#include "frontend/schema.h"

#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("the newest version that an opset has") {
  CHECK(findSchema("", "Softmax", 1)->since == 1);
  CHECK(findSchema("", "Softmax", 10)->since == 1);
  CHECK(findSchema("", "Softmax", 11)->since == 11);
  CHECK(findSchema("", "Softmax", 12)->since == 11);
  CHECK(findSchema("ai.onnx", "Softmax", INT64_MAX)->since == 13);
  CHECK(findSchema("", "Softmax", 0) == nullptr);
  CHECK(findSchema("", "Softma", 13) == nullptr);
  CHECK(findSchema("ai.onnx.ml", "Softmax", 13) == nullptr);
  CHECK(schemaVersions("", "Softmax") == llvm::SmallVector<int64_t>{1, 11, 13});
  CHECK(newestOpset("") >= 28);
  CHECK(newestOpset("ai.onnx.ml") >= 5);
  CHECK(newestOpset("com.example") == 0);
}

TEST_CASE("parameters, constraints, attributes") {
  const OperatorSchema *conv = findSchema("", "Conv", 11);
  REQUIRE(conv);
  CHECK(conv->minInputs == 2);
  CHECK(conv->maxInputs == 3);
  CHECK(conv->input(2)->option == SchemaParameter::Optional);
  CHECK(conv->input(3) == nullptr);
  CHECK(conv->constraint("T")->allows("tensor(float)"));
  CHECK(!conv->constraint("T")->allows("tensor(flo"));
  CHECK(!conv->constraint("T")->allows("tensor(int8)"));
  CHECK(conv->attribute("group")->kind == AttributeKind::Int);
  CHECK(!conv->attribute("group")->defaultValue.empty());
  CHECK(conv->attribute("kernel_shape")->defaultValue.empty());
  CHECK(conv->attribute("stride") == nullptr);

  const OperatorSchema *concat = findSchema("", "Concat", 13);
  CHECK(concat->input(7)->option == SchemaParameter::Variadic);
  CHECK(concat->input(7)->homogeneous);
  CHECK(concat->attribute("axis")->required);
  CHECK(!findSchema("", "Loop", 13)->input(5)->homogeneous);
  CHECK(findSchema("", "Upsample", 10)->deprecated);
}

TEST_CASE("types have one spelling") {
  CHECK(findSchema("ai.onnx.ml", "ZipMap", 1)->constraint("T")->allows("seq(map(string,tensor(float)))"));
  CHECK(findSchema("", "SequenceAt", 11)->constraint("S")->allows("seq(tensor(float))"));
}

TEST_CASE("operators outside the package") {
  const OperatorSchema *add = findSchema("com.microsoft", "QLinearAdd", 1);
  REQUIRE(add);
  CHECK(add->minInputs == 7);
  CHECK(add->maxInputs == 8);
  CHECK(findSchema("com.microsoft", "QLinearConcat", 1)->input(9)->option == SchemaParameter::Variadic);
  CHECK(findSchema("com.microsoft", "Attention", 1)->attribute("num_heads")->required);
}

TEST_CASE("a misspelt operator") {
  CHECK(closestOperator("", "Convolution").empty());
  CHECK(closestOperator("", "conv") == "Conv");
  CHECK(closestOperator("", "LayerNormalisation") == "LayerNormalization");
  CHECK(closestOperator("com.example", "Conv").empty());
}
