// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// triton_calls REPOSITORY OTHER: what clients do to the models of triton.test, of which OTHER has some with other
// weights. Nothing is left at the end but an empty server.
#include "triton_host.h"

#include <thread>
#include <utility>

namespace {
enum { int64 = 9, fp32 = 11 };
using Floats = std::vector<float>;
using Integers = std::vector<int64_t>;
std::string repository, others;

std::string libraryOf(const std::string &model, const std::string &version = "1") {
  return repository + "/" + model + "/" + version + "/libtriton_" + model + ".so";
}

/// y[b, t, 2] = x[b, t, 3] w, s[b] = k[b] + the sum of x.
TRITONBACKEND_Request rowsRequest(int64_t b, int64_t t, float first, size_t parts = 1) {
  Floats x(static_cast<size_t>(b * t * 3));
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = first + static_cast<float>(i);
  TRITONBACKEND_Request request;
  request.with("x", fp32, {b, t, 3}, x, parts).with("k", int64, {b}, Integers(static_cast<size_t>(b), 5)).wanted = {
      "s", "y"};
  return request;
}
void checkRows(const TRITONBACKEND_Request &request, int64_t b, int64_t t, float first) {
  CHECK(request.error.empty());
  CHECK((request.outputs.at("y").shape == std::vector<int64_t>{b, t, 2}));
  CHECK((request.outputs.at("s").shape == std::vector<int64_t>{b}));
  Floats y = request.output<float>("y"), s = request.output<float>("s");
  for (int64_t i = 0; i < b * t; ++i) {
    float x = first + static_cast<float>(3 * i);
    CHECK(y[static_cast<size_t>(2 * i)] == x + 0.5f * (x + 2) &&
          y[static_cast<size_t>(2 * i + 1)] == x + 1 + 2 * (x + 2));
  }
  float n = static_cast<float>(t * 3);
  for (int64_t i = 0; i < b; ++i)
    CHECK(s[static_cast<size_t>(i)] == n * (first + static_cast<float>(i) * n) + n * (n - 1) / 2 + 5);
}

void batches() {
  Served model(libraryOf("rows"));
  // 2 + 3 + 3 rows fit a call of 8; the next has another length, and then one row too many.
  std::vector<TRITONBACKEND_Request> requests{rowsRequest(2, 4, 0), rowsRequest(3, 4, 9, 3), rowsRequest(3, 4, 1),
                                              rowsRequest(1, 5, 2), rowsRequest(8, 4, 3),    rowsRequest(1, 4, 4)};
  model.run(requests);
  CHECK((model.batches() == std::vector<uint64_t>{8, 1, 8, 1}));
  checkRows(requests[0], 2, 4, 0), checkRows(requests[1], 3, 4, 9), checkRows(requests[2], 3, 4, 1);
  checkRows(requests[3], 1, 5, 2), checkRows(requests[4], 8, 4, 3), checkRows(requests[5], 1, 4, 4);
  TRITONBACKEND_Request some = rowsRequest(1, 1, 0);
  some.wanted = {"s"};
  CHECK(model.run(some).outputs.size() == 1);
}

void wrongShapes() {
  Served model(libraryOf("rows"));
  auto says = [&](const char *text, auto change) {
    std::vector<TRITONBACKEND_Request> requests{rowsRequest(1, 2, 0), rowsRequest(1, 2, 0), rowsRequest(2, 2, 3)};
    change(requests[1].inputs.at("x"));
    model.run(requests);
    if (requests[1].error.find(text) == std::string::npos)
      std::printf("%s: %s\n", text, requests[1].error.c_str());
    CHECK(requests[1].error.find(text) != std::string::npos);
    checkRows(requests[0], 1, 2, 0), checkRows(requests[2], 2, 2, 3);
  };
  using Input = TRITONBACKEND_Input;
  says("its type is 9, not 11", [](Input &x) { x.type = int64; });
  says("its rank is 2, not 3", [](Input &x) { x.shape = {2, 3}; });
  says("a dim is 4, not 3", [](Input &x) { x.shape = {1, 2, 4}; });
  says("above its bound, is 6, not 5", [](Input &x) { x.shape = {1, 6, 3}; });
  says("above its bound, is -1, not 5", [](Input &x) { x.shape = {1, -1, 3}; });
  says("above its bound, is 9223372036854775807", [](Input &x) { x.shape = {INT64_MAX, 2, 3}; });
  says("another input has, too, is 1, not 2", [](Input &x) { x.shape = {2, 1, 3}; });
  says("its number of bytes is 20, not 24", [](Input &x) { x.parts[0].resize(20); });
  says("its number of bytes is 28, not 24", [](Input &x) { x.parts[0].resize(28); });
  says("lies on a GPU", [](Input &x) { x.memory = triton_memory_gpu; });
  TRITONBACKEND_Request request = rowsRequest(1, 2, 0);
  request.inputs.erase("k");
  CHECK(model.run(request).error == "no such input");
  request = rowsRequest(1, 2, 0);
  request.wanted = {"z"};
  CHECK(!model.run(request).error.empty());
}

/// An index out of range fails the request that has it.
void badData() {
  Served model(libraryOf("gather"));
  std::vector<TRITONBACKEND_Request> requests(5);
  for (size_t i = 0; i < 5; ++i)
    requests[i].with("i", int64, {1}, Integers{i == 2 ? 7 : static_cast<int64_t>(i % 3)}).wanted = {"y"};
  model.run(requests);
  for (size_t i = 0; i < 5; ++i)
    if (i == 2)
      CHECK(requests[i].error.find("index out of range") != std::string::npos);
    else
      CHECK(requests[i].output<float>("y")[0] == static_cast<float>(1 + 2 * (i % 3)));
}

float gathered(Served &model) {
  TRITONBACKEND_Request request;
  request.with("i", int64, {1}, Integers{0}).wanted = {"y"};
  return model.run(request).output<float>("y")[0];
}

/// A library that is put in another's place answers for what is loaded from then on, and goes with it.
void replaced() {
  const std::string place = libraryOf("gather");
  auto put = [&](const std::string &made) { CHECK(!std::rename((others + "/" + made).c_str(), place.c_str())); };
  {
    Served first(place), version(libraryOf("gather", "2"));
    put("gather/1/libtriton_gather.so");
    Served second(place), again(place);
    put("gather/3/libtriton_gather.so");
    Served third(place);
    CHECK(gathered(first) == 1 && gathered(version) == 2 && gathered(second) == 10 && gathered(again) == 10 &&
          gathered(third) == 100);
  }
  Served last(place);
  CHECK(gathered(last) == 100);
  put("none.so");
  Served none(place);
  CHECK(none.refusal.find("libtriton_gather.so' is not taken: /proc/self/fd/") != std::string::npos);
  put("strange.so");
  CHECK(Served(place).refusal.find("is of another kind") != std::string::npos && gathered(last) == 100);
}

void scalars() {
  Served model(libraryOf("fixed"));
  TRITONBACKEND_Request request;
  request.with("x", fp32, {2, 3}, Floats{1, 2, 3, 4, 5, 6}).with("c", fp32, {1}, Floats{10}).wanted = {"m", "y"};
  TRITONBACKEND_Request done = model.run(request);
  CHECK(done.output<float>("m")[0] == 16 && (done.outputs.at("m").shape == std::vector<int64_t>{1}));
  request.with("c", fp32, {2}, Floats{10, 1});
  CHECK(!model.run(request).error.empty());
}

void sequences() {
  Served one(libraryOf("cache")), other(libraryOf("cache"));
  auto step = [](Served &model, int64_t rows, float value, bool isStart) {
    TRITONBACKEND_Request request;
    request.with("x", fp32, {1, rows, 2}, Floats(static_cast<size_t>(2 * rows), value)).wanted = {"y"};
    request.flags = isStart ? triton_sequence_start : 0;
    return model.run(request);
  };
  for (int round = 0; round < 2; ++round) {
    CHECK(step(one, 2, 1, true).output<float>("y")[0] == 2);
    CHECK(step(other, 1, 7, true).output<float>("y")[0] == 7);
    CHECK(step(one, 1, 2, false).output<float>("y")[0] == 4);
    CHECK(step(one, 3, 3, false).output<float>("y")[1] == 13);
    CHECK(step(one, 1, 1, false).error == "the model: dim out of bounds"); // seven rows of six
    CHECK(step(one, 1, 1, false).error.find("has failed before") != std::string::npos);
    CHECK(step(other, 1, 1, false).output<float>("y")[0] == 8);
  }
}

void sideBySide() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([i] {
      for (int load = 0; load < 3; ++load) {
        Served model(libraryOf("rows"));
        for (int k = 0; k < 200; ++k) {
          int64_t b = 1 + (k + i) % 8, t = 1 + k % 5;
          checkRows(model.run(rowsRequest(b, t, static_cast<float>(k))), b, t, static_cast<float>(k));
        }
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}
} // namespace

int main(int, char **argv) {
  repository = argv[1], others = argv[2];
  batches();
  wrongShapes();
  badData();
  replaced();
  scalars();
  sequences();
  sideBySide();
  CHECK(live_errors == 0 && live_responses == 0);
  std::puts("all answered");
}
