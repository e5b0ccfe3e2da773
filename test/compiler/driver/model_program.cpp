// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A hand-written "model" through the runner: strings, run-time sizes, statuses, timing, traces, crashes.
#include "driver/model_program.h"
#include "driver/staging.h"

#include <cstring>
#include <doctest/doctest.h>

using namespace llvm;
using namespace sinter;

namespace {
// y[n] = x[n] + 1, and the input string back; status 3 when x[0] is negative, a crash when it is 1000.
constexpr char source[] = R"(
#include "types.h"
static const int64_t varying[] = {-1}, one[] = {1};
static const char *const symbols[] = {"n"};
static const sinter_tensor_info inputs[] = {{"x", 1, 1, 1, varying, symbols, 0, 0, nullptr, nullptr, 0, 0, -1}, {"text", 4, 8, 1, one, nullptr, 0, 0, nullptr, nullptr, 0, 0, -1}};
static const sinter_tensor_info outputs[] = {{"y\"", 2, 1, 1, varying, symbols, 0, 0, nullptr, nullptr, 0, 0, -1}, {"echo", 4, 8, 1, one, nullptr, 0, 0, nullptr, nullptr, 0, 0, -1}};
static const sinter_dim_info dims[] = {{"n", 1, 4}};
static const sinter_kernel_info kernels[] = {{"add", "/add"}};
static const sinter_model_info info = {sizeof info, "m", "", "", "", 2, 2, 1, 1, inputs, outputs, dims, kernels, 64, 64, 0};
struct in { const float *x; const sinter_string *text; int64_t n; };
struct out { float *y; sinter_string *echo; int64_t y_dims[1]; };
extern "C" const sinter_model_info *m_info(void) { return &info; }
extern "C" int m_run_with(const void *inputs, void *outputs, const sinter_env *env) {
  const in *i = static_cast<const in *>(inputs);
  out *o = static_cast<out *>(outputs);
  if (i->x[0] < 0) return 3;
  if (i->x[0] == 1000) __builtin_trap();
  const void *results[] = {o->y};
  for (int64_t k = 0; k < i->n; ++k) o->y[k] = i->x[k] + 1;
  if (env->trace) env->trace->kernel(env->trace->ctx, 0, results, 1);
  o->echo[0] = i->text[0];
  o->y_dims[0] = i->n;
  return 0;
}
)";

std::vector<HostArray> inputsOf(std::initializer_list<float> x) {
  std::vector<HostArray> inputs = {HostArray::zeros(ElementType::Float, {static_cast<int64_t>(x.size())}),
                                   HostArray::zeros(ElementType::String, {1})};
  std::memcpy(inputs[0].bytes.data(), x.begin(), x.size() * sizeof(float));
  inputs[1].strings[0] = "hello";
  return inputs;
}
std::string messageOf(Error error) { return toString(std::move(error)); }
} // namespace

TEST_CASE("a model's program") {
  Target target = hostTarget();
  Expected<Cxx> cxx = findCxx(target, "", "1");
  REQUIRE(static_cast<bool>(cxx));
  Expected<std::unique_ptr<Staging>> staging = Staging::temporary();
  REQUIRE(static_cast<bool>(staging));
  StringRef folder = (*staging)->folder();
  REQUIRE(!(*staging)->write("m.cpp", source));
  Expected<std::string> runner = compileRunner(*cxx, folder, "m");
  REQUIRE(static_cast<bool>(runner));
  Expected<std::vector<std::string>> objects = cxx->compile(folder, {"m.cpp"}, {"-I", (folder + "/runner").str()});
  REQUIRE(static_cast<bool>(objects));
  Expected<std::unique_ptr<ModelProgram>> program = ModelProgram::link(target, *cxx, folder, *objects, *runner);
  REQUIRE(static_cast<bool>(program));

  CHECK((*program)->info().outputs[0].name == "y\"");
  CHECK((*program)->info().dims[0].max == 4);
  CHECK((*program)->info().kernels[0].nodes == "/add");

  RunOptions options;
  options.runs = 3;
  options.trace = true;
  Expected<RunResult> result = (*program)->run(inputsOf({1, 2, 3}), options);
  REQUIRE(static_cast<bool>(result));
  CHECK(result->status == 0);
  REQUIRE(result->outputs.size() == 2);
  CHECK(result->outputs[0].dims == std::vector<int64_t>{3});
  CHECK(numberAt(result->outputs[0], 2) == 4.0);
  CHECK(result->outputs[1].strings[0] == "hello");
  CHECK(result->seconds.size() == 3);
  REQUIRE(result->kernelSeconds.size() == 1);
  REQUIRE(result->events.size() == 1);
  CHECK(result->events[0].kernel == 0);
  CHECK(result->events[0].start >= 0);
  CHECK(result->events[0].seconds >= result->kernelSeconds[0]);

  result = (*program)->run(inputsOf({-1}));
  REQUIRE(static_cast<bool>(result));
  CHECK(result->status == 3);
  CHECK(statusText(3) == "dim out of bounds");

  result = (*program)->run(inputsOf({1000}));
  REQUIRE(!result);
  CHECK(StringRef(messageOf(result.takeError())).starts_with("the model's program "));

  // It checks nothing before it reads, so a call that must not touch its memory ends it.
  CHECK(StringRef(messageOf((*program)->refuse(inputsOf({1}), 60))).starts_with("the model's program "));

  result = (*program)->run(inputsOf({1, 2, 3, 4, 5}));
  REQUIRE(!result);
  CHECK(messageOf(result.takeError()) == "input 'x': dim 'n' is 5, outside 1..4");
}

TEST_CASE("calls that a model refuses, and those that it does not") {
  // The second of two sizes is not checked; nothing is read.
  constexpr char model[] = R"(
#include "types.h"
static const int64_t varying[] = {-1, -1};
static const char *const symbols[] = {"n", "m"};
static const sinter_tensor_info inputs[] = {{"x", 1, 1, 2, varying, symbols, 0, 0, nullptr, nullptr, 0, 0, -1}};
static const sinter_dim_info dims[] = {{"n", 1, 4}, {"m", 2, 8}};
static const sinter_model_info info = {sizeof info, "m", "", "", "", 1, 0, 2, 0, inputs, nullptr, dims, nullptr, 0, 64, 0};
struct in { const float *x; int64_t n, m; };
extern "C" const sinter_model_info *m_info(void) { return &info; }
extern "C" int m_run_with(const void *inputs, void *outputs, const sinter_env *env) {
  const in *i = static_cast<const in *>(inputs);
  if (!inputs || !outputs || !env) return 1;
  if (i->n < 1 || i->n > 4 CHECKED) return 3;
  if (!i->x) return 1;
  return reinterpret_cast<uintptr_t>(i->x) % 4 ? 2 : 0;
}
)";
  Target target = hostTarget();
  Expected<Cxx> cxx = findCxx(target, "", "1");
  REQUIRE(static_cast<bool>(cxx));
  for (bool isChecked : {true, false}) {
    Expected<std::unique_ptr<Staging>> staging = Staging::temporary();
    REQUIRE(static_cast<bool>(staging));
    StringRef folder = (*staging)->folder();
    REQUIRE(!(*staging)->write("m.cpp", model));
    Expected<std::string> runner = compileRunner(*cxx, folder, "m");
    REQUIRE(static_cast<bool>(runner));
    Expected<std::vector<std::string>> objects = cxx->compile(
        folder, {"m.cpp"},
        {"-I", (folder + "/runner").str(), isChecked ? "-DCHECKED=|| i->m < 2 || i->m > 8" : "-DCHECKED="});
    REQUIRE(static_cast<bool>(objects));
    Expected<std::unique_ptr<ModelProgram>> program = ModelProgram::link(target, *cxx, folder, *objects, *runner);
    REQUIRE(static_cast<bool>(program));
    std::string message = messageOf((*program)->refuse({HostArray::zeros(ElementType::Float, {1, 2})}, 60));
    CHECK(message.empty() == isChecked);
    CHECK(StringRef(message).contains("m: status 0 instead of 3") == !isChecked);
  }
}

TEST_CASE("a compiler that is not there, and code that does not compile") {
  Expected<Cxx> none = findCxx(hostTarget(), "no-such-compiler", "1");
  REQUIRE(!none);
  CHECK(StringRef(messageOf(none.takeError())).ends_with("looked for no-such-compiler"));

  Expected<Cxx> cxx = findCxx(hostTarget(), "", "1");
  Expected<std::unique_ptr<Staging>> staging = Staging::temporary();
  REQUIRE(!(*staging)->write("bad.cpp", "int x = ;"));
  Expected<std::vector<std::string>> objects = cxx->compile((*staging)->folder(), {"bad.cpp"});
  REQUIRE(!objects);
  CHECK(StringRef(messageOf(objects.takeError())).contains("bad.cpp:1"));
}
