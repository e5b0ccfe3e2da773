// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adam, Adagrad, Momentum: one step of an optimizer, for any number of tensors at once.
#include "ops/math.h"
#include "ops/size_relation.h"

using namespace mlir;

namespace sinter {

namespace {
constexpr const char *domain = "ai.onnx.preview.training";

/// Operand `kind` of tensor i among n: X1 X2 ... G1 G2 ... after R and T.
Tensor operand(Op &op, unsigned kind, unsigned i, unsigned n) { return op.input(2 + kind * n + i); }

/// A scalar operand as a value of s's type.
Value as(const Scalars &s, Tensor from, Value value) { return Scalars{s.b, s.loc, from.element}.castTo(s.type, value); }

/// The gradient with that of the regularization term.
Value regularized(const Scalars &s, double coefficient, Value x, Value gradient) {
  return s.add(s.mul(s.constant(coefficient), x), gradient);
}

/// The node has `kinds` tensors for each that it optimizes, of one type and shape.
LogicalResult checkTensors(Op &op, unsigned kinds) {
  if (op.inputCount() < 2 + kinds || (op.inputCount() - 2) % kinds)
    return op.fail(Code::WrongOperandCount, "the node does not have " + Twine(kinds) + " inputs for each tensor");
  unsigned n = (op.inputCount() - 2) / kinds;
  for (unsigned i = 0; i < n; ++i)
    for (unsigned kind = 0; kind < kinds; ++kind) {
      if (!op.has(2 + kind * n + i))
        return op.fail(Code::WrongOperandCount, "input " + Twine(2 + kind * n + i) + " is left out");
      Tensor x = operand(op, 0, i, n), other = operand(op, kind, i, n);
      if (x.element != other.element)
        return op.fail(Code::WrongOperandType, "the inputs for tensor " + Twine(i) +
                                                   " differ in type: " + elementTypeName(x.element) + " and " +
                                                   elementTypeName(other.element));
      std::string problem = "the inputs for tensor " + std::to_string(i) + " differ in shape";
      if (x.rank() != other.rank())
        return op.fail(Code::ShapeMismatch, problem);
      for (int64_t d = 0; d < x.rank(); ++d)
        if (failed(mustBeEqual(op, op.size(x, d), op.size(other, d), problem)))
          return failure();
    }
  return success();
}

/// Rate and count as scalars of rank 0.
std::pair<Tensor, Tensor> rateAndCount(Op &op) { return {op.reshape(op.input(0), {}), op.reshape(op.input(1), {})}; }

/// The results for each tensor, all of one kind before those of the next.
LogicalResult inOrder(Op &op, ArrayRef<SmallVector<Tensor>> each) {
  SmallVector<Tensor> results;
  for (size_t kind = 0; !each.empty() && kind < each.front().size(); ++kind)
    for (const SmallVector<Tensor> &one : each)
      results.push_back(one[kind]);
  return op.results(results);
}

LogicalResult adagrad(Op &op) {
  if (failed(checkTensors(op, 3)))
    return failure();
  auto [rate, count] = rateAndCount(op);
  double decay = op.real("decay_factor"), epsilon = op.real("epsilon"), norm = op.real("norm_coefficient");
  SmallVector<SmallVector<Tensor>> each;
  for (unsigned i = 0, n = (op.inputCount() - 2) / 3; i < n; ++i) {
    Tensor x = operand(op, 0, i, n), g = operand(op, 1, i, n), h = operand(op, 2, i, n);
    Tensor squares = op.elementwise({h, x, g}, h.element, [&](const Scalars &s, ValueRange v) {
      Value gradient = regularized(s, norm, v[1], v[2]);
      return s.add(v[0], s.mul(gradient, gradient));
    });
    Tensor next = op.elementwise(
        {x, g, squares, rate, count}, x.element, [&, rate = rate, count = count](const Scalars &s, ValueRange v) {
          Value r = s.div(as(s, rate, v[3]), s.add(s.constant(1), s.mul(as(s, count, v[4]), s.constant(decay))));
          Value step = s.div(s.mul(r, regularized(s, norm, v[0], v[1])), s.add(sqrt(s, v[2]), s.constant(epsilon)));
          return s.sub(v[0], step);
        });
    each.push_back({next, squares});
  }
  return inOrder(op, each);
}

/// The rate corrected for the bias that averages have at their beginning.
Tensor correctedRate(Op &op, Tensor rate, Tensor count, ElementType type, double alpha, double beta) {
  return op.elementwise({rate, count}, type, [&](const Scalars &outer, ValueRange v) {
    Scalars s{outer.b, outer.loc, type};
    Value r = outer.castTo(type, v[0]), t = as(s, count, v[1]), one = s.constant(1);
    auto left = [&](double base) { return s.sub(one, s.b.create<math::PowFOp>(s.loc, s.constant(base), t)); };
    Value corrected = s.div(s.mul(r, sqrt(s, left(beta))), left(alpha));
    return s.select(s.compare(Compare::Greater, t, s.constant(0)), corrected, r);
  });
}

LogicalResult adam(Op &op) {
  if (failed(checkTensors(op, 4)))
    return failure();
  auto [rate, count] = rateAndCount(op);
  double alpha = op.real("alpha"), beta = op.real("beta"), epsilon = op.real("epsilon");
  double norm = op.real("norm_coefficient"), post = op.real("norm_coefficient_post");
  auto average = [](const Scalars &s, double keep, Value old, Value now) {
    return s.add(s.mul(s.constant(keep), old), s.mul(s.constant(1 - keep), now));
  };
  SmallVector<SmallVector<Tensor>> each;
  for (unsigned i = 0, n = (op.inputCount() - 2) / 4; i < n; ++i) {
    Tensor x = operand(op, 0, i, n), g = operand(op, 1, i, n), v1 = operand(op, 2, i, n), v2 = operand(op, 3, i, n);
    Tensor first = op.elementwise({v1, x, g}, v1.element, [&](const Scalars &s, ValueRange v) {
      return average(s, alpha, v[0], regularized(s, norm, v[1], v[2]));
    });
    Tensor second = op.elementwise({v2, x, g}, v2.element, [&](const Scalars &s, ValueRange v) {
      Value gradient = regularized(s, norm, v[1], v[2]);
      return average(s, beta, v[0], s.mul(gradient, gradient));
    });
    Tensor r = correctedRate(op, rate, count, x.element, alpha, beta);
    Tensor next = op.elementwise({x, first, second, r}, x.element, [&](const Scalars &s, ValueRange v) {
      Value step = s.mul(v[3], s.div(v[1], s.add(sqrt(s, v[2]), s.constant(epsilon))));
      return s.mul(s.constant(1 - post), s.sub(v[0], step));
    });
    each.push_back({next, first, second});
  }
  return inOrder(op, each);
}

LogicalResult momentum(Op &op) {
  if (failed(checkTensors(op, 3)))
    return failure();
  auto [rate, count] = rateAndCount(op);
  double alpha = op.real("alpha"), beta = op.real("beta"), norm = op.real("norm_coefficient");
  bool nesterov = op.string("mode") == "nesterov";
  SmallVector<SmallVector<Tensor>> each;
  for (unsigned i = 0, n = (op.inputCount() - 2) / 3; i < n; ++i) {
    Tensor x = operand(op, 0, i, n), g = operand(op, 1, i, n), v = operand(op, 2, i, n);
    Tensor velocity = op.elementwise({v, x, g, count}, v.element, [&, count = count](const Scalars &s, ValueRange u) {
      Value started = s.compare(Compare::Greater, as(s, count, u[3]), s.constant(0));
      Value share = s.select(started, s.constant(beta), s.constant(1));
      return s.add(s.mul(s.constant(alpha), u[0]), s.mul(share, regularized(s, norm, u[1], u[2])));
    });
    Tensor next = op.elementwise({x, g, velocity, rate}, x.element, [&, rate = rate](const Scalars &s, ValueRange u) {
      Value direction = nesterov ? s.add(regularized(s, norm, u[0], u[1]), s.mul(s.constant(alpha), u[2])) : u[2];
      return s.sub(u[0], s.mul(as(s, rate, u[3]), direction));
    });
    each.push_back({next, velocity});
  }
  return inOrder(op, each);
}
} // namespace

void register_training(Registry &registry) {
  registry.onOp("Adagrad", {1}, "R[]|[1] T[]|[1] inputs[_*]", adagrad, domain);
  registry.onOp("Adam", {1}, "R[]|[1] T[]|[1] inputs[_*]", adam, domain);
  registry.onOp("Momentum", {1}, "R[]|[1] T[]|[1] inputs[_*]", momentum, domain);
}

} // namespace sinter
