// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types in memory, in registers and at the border.
#include "codegen/text/element_text.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("element types in memory, and as values") {
  mlir::MLIRContext context;
  mlir::Builder b(&context);
  struct Row {
    mlir::Type type;
    const char *memory, *unsignedMemory, *value;
    int64_t memoryBytes, valueBytes;
  } rows[] = {{b.getI1Type(), "uint8_t", "", "bool", 1, 1},
              {b.getI8Type(), "int8_t", "uint8_t", "int8_t", 1, 1},
              {b.getIntegerType(16), "int16_t", "uint16_t", "int16_t", 2, 2},
              {b.getI32Type(), "int32_t", "uint32_t", "int32_t", 4, 4},
              {b.getI64Type(), "int64_t", "uint64_t", "int64_t", 8, 8},
              {b.getIndexType(), "int64_t", "int64_t", "int64_t", 8, 8},
              {b.getF16Type(), "f16", "f16", "float", 2, 4},
              {b.getBF16Type(), "bf16", "bf16", "float", 2, 4},
              {b.getF32Type(), "float", "float", "float", 4, 4},
              {b.getF64Type(), "double", "double", "double", 8, 8}};
  CHECK(reportText(b.getI8Type()) == "i8");
  for (const Row &row : rows) {
    CHECK(memoryText(row.type).text() == row.memory);
    if (!row.type.isInteger(1)) // is never extended
      CHECK(unsignedText(row.type).text() == row.unsignedMemory);
    CHECK(valueText(row.type).text() == row.value);
    CHECK(memoryBytes(row.type) == row.memoryBytes);
    CHECK(valueBytes(row.type) == row.valueBytes);
  }
}

TEST_CASE("types of the ABI: packed ones share bytes, complex ones are pairs") {
  CHECK(abiText(ElementType::Float16).text() == "uint16_t");
  CHECK(abiObjects(ElementType::Float, 5) == 5);
  CHECK(abiObjects(ElementType::Int4, 5) == 3);
  CHECK(abiObjects(ElementType::Complex64, 5) == 10);
  CHECK(abiBytes(ElementType::Int64) == 8);
}
