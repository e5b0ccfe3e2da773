// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each function of the driver fails at each of its calls, in turn: a status comes back, nothing is left behind, and the
// instance goes on, unless the error is one that the context does not survive.
#include "user.h"

#include <map>

using namespace sinter;

namespace {
constexpr int kCodes[] = {1, 2, 100, 200, 209, 218, 221, 222, 304, 700, 702, 716, 719, 999};

std::map<std::string, int> countCalls() {
  std::map<std::string, int> counts;
  for (const std::string &name : fakeDriver().calledFunctions())
    if (name != "cuGetErrorName")
      counts[name] = fakeDriver().calls(name);
  return counts;
}
} // namespace

TEST_CASE("create") {
  const FakeDevice device{90, false}; // has all that a graph may need
  resetDriver(device);
  std::map<std::string, int> counts;
  {
    TestModel model;
    model.images[0] = {90, false, true, "cubin sm_90"};
    REQUIRE(model.create() == 0);
    counts = countCalls();
  }
  CHECK(counts.size() >= 20);
  for (const auto &[function, count] : counts) {
    for (int nth = 1; nth <= count; ++nth) {
      for (int code : kCodes) {
        const std::string what = function + " " + std::to_string(nth) + " " + std::to_string(code);
        CAPTURE(what);
        resetDriver(device);
        fakeDriver().failAt(function, nth, code);
        TestModel model;
        model.images[0] = {90, false, true, "cubin sm_90"};
        CHECK(model.create() == DriverErrors::statusOf(code));
        CHECK(model.error().find("(" + std::to_string(code) + ")") != std::string::npos);
        CHECK(function.find(model.error().substr(0, model.error().find(':'))) == 0);
        // A pop that did nothing leaves the context on this thread; that is the driver's doing.
        if (function != "cuCtxPopCurrent_v2")
          checkClean();
        CHECK(fakeDriver().live().sum() == 0);
        HostData data;
        CHECK(model.run(data.x, data.y) == 7);
      }
    }
  }
  resetDriver();
}

namespace {
/// A call of each kind: a graph that is set to a new size; plain launches; a caller's stream.
int callOf(TestModel &model, DriverUser &user, int kind, HostData &data, CuPointer x) {
  switch (kind) {
  case 0:
    return model.run(data.x, data.y, 40);
  case 1:
    return model.run(user.pointer(x), data.y, 40);
  default:
    return model.run(data.x, data.y, 40, user.stream);
  }
}
} // namespace

TEST_CASE("run") {
  for (int kind = 0; kind < 3; ++kind) {
    std::map<std::string, int> counts;
    for (int round = 0; round == 0 || round < static_cast<int>(counts.size()); ++round) {
      // The first round counts the calls; then one function a round.
      auto function = counts.begin();
      std::advance(function, round);
      for (int nth = 1; nth <= (counts.empty() ? 1 : function->second); ++nth) {
        for (int code : kCodes) {
          resetDriver();
          DriverUser user;
          HostData input;
          const CuPointer x = user.upload(input.x);
          TestModel model;
          REQUIRE(model.create() == 0);
          fakeDriver().clearCalls();
          HostData data;
          if (counts.empty()) {
            CHECK(callOf(model, user, kind, data, x) == 0);
            counts = countCalls();
            function = counts.begin();
            fakeDriver().clearCalls();
          }
          const std::string what = function->first + " " + std::to_string(nth) + " " + std::to_string(code);
          CAPTURE(what);
          HostData again;
          if (kind == 0)
            CHECK(model.run(again.x, again.y, 3) == 0); // so that the graph has something to change
          fakeDriver().clearCalls();
          fakeDriver().failAt(function->first, nth, code);
          const int status = callOf(model, user, kind, data, x);
          CHECK(status == DriverErrors::statusOf(code));
          CHECK(model.error().find("(" + std::to_string(code) + ")") != std::string::npos);
          fakeDriver().clearCalls();
          const bool isLasting = DriverErrors::isLasting(code);
          CHECK(model.run(again.x, again.y) == (isLasting ? 7 : 0));
          if (isLasting)
            CHECK(fakeDriver().calledFunctions().empty());
          else
            again.checkOutput();
          for (const std::string &mistake : fakeDriver().mistakes())
            FAIL_CHECK(mistake);
          model.storage.instance.close();
        }
      }
    }
    CHECK(counts.size() >= 5);
  }
  resetDriver();
}

TEST_CASE("destroying an instance whose context died") {
  resetDriver();
  {
    TestModel model;
    REQUIRE(model.create() == 0);
    HostData data;
    fakeDriver().failAt("cuStreamSynchronize", 1, 700);
    CHECK(model.run(data.x, data.y) == 7);
    CHECK(model.error() == "cuStreamSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS (700)");
    CHECK(model.run(data.x, data.y) == 7);
    CHECK(model.error() == "cuStreamSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS (700)");
  }
  checkClean();
}

TEST_CASE("statuses") {
  const std::pair<int, int> known[] = {{0, 0},   {1, 7},   {2, 4},   {100, 7}, {200, 6}, {209, 6},
                                       {218, 6}, {221, 6}, {222, 6}, {700, 7}, {803, 7}};
  for (auto [code, status] : known)
    CHECK(DriverErrors::statusOf(code) == status);
}
