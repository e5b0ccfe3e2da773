// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "past_buffers.h"

#include "size_relation.h"
#include "tensor_math.h"

using namespace mlir;

namespace sinter {

SmallVector<Tensor> PastBuffers::empty() const {
  SmallVector<Tensor> buffers;
  for (const Form &form : forms) {
    Value zero = narrow(op.b, op.loc, form.element, Scalars{op.b, op.loc, form.element}.constant(0));
    buffers.push_back(op.filled(form.sizes, form.element, zero));
  }
  return buffers;
}

void PastBuffers::addPasts(ArrayRef<Tensor> buffers, Size seen, SmallVector<Tensor> &arguments) const {
  for (auto [form, buffer] : llvm::zip(forms, buffers))
    arguments.push_back(sharing ? buffer : partOf(op, buffer, form.lengthAxis, sizeOf(op.b, 0), seen));
}

void PastBuffers::addSharing(Size seen, SmallVector<Tensor> &arguments) const {
  if (!sharing)
    return;
  arguments.push_back(numberOf(op, seen));
  if (sharing == 1)
    return;
  arguments.push_back(numberOf(op, sizeOf(op.b, search.beams)));
  // Rows of the past move along with their beams, so that each beam finds its past in its own rows.
  arguments.push_back(op.generate(
      {search.batch, sizeOf(op.b, search.beams), search.most}, ElementType::Int32,
      [&](OpBuilder &b, ValueRange i) -> Value { return b.create<arith::IndexCastOp>(op.loc, b.getI32Type(), i[1]); }));
}

FailureOr<SmallVector<Tensor>> PastBuffers::updated(ArrayRef<Tensor> buffers, ArrayRef<Tensor> presents, Size count,
                                                    Tensor origins, StringRef name, bool isWhole) const {
  SmallVector<Tensor> result;
  for (auto [i, form] : llvm::enumerate(forms)) {
    Tensor present = presents[i];
    std::string what = ("output " + Twine(i + 1) + " of '" + name + "'").str();
    if (present.rank() != int64_t(form.sizes.size()) || present.element != form.element)
      return op.fail(Code::ShapeMismatch, what + " is not like its past");
    for (int64_t d = 0; d < present.rank(); ++d)
      if (failed(
              mustBeEqual(op, op.size(present, d), d == form.lengthAxis && !isWhole ? count : form.sizes[size_t(d)],
                          Twine(what) + " has another size in dim " + Twine(d) + " than its past and the new tokens")))
        return failure();
    if (origins) {
      auto moved = op.call("Gather", 13, {present, origins}, op.param("axis", form.rowAxis));
      if (failed(moved))
        return failure();
      present = moved->front();
    }
    result.push_back(isWhole ? present : inserted(op, buffers[i], present, form.lengthAxis, sizeOf(op.b, 0)));
  }
  return result;
}

} // namespace sinter
