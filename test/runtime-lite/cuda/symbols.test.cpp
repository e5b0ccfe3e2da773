// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Drivers that lack a function: copies of the fake driver in whose table of names one is spelt wrong.
#include "model.h"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <unistd.h>

using namespace sinter;

namespace {
/// A driver without these symbols.
struct OtherDriver {
  std::string path;

  explicit OtherDriver(const std::vector<std::string> &missing) {
    static int count = 0;
    std::ifstream file(fakeDriverPath(), std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    for (const std::string &symbol : missing) {
      const std::string name('\0' + symbol + '\0');
      size_t found = bytes.find(name);
      REQUIRE(found != std::string::npos);
      for (; found != std::string::npos; found = bytes.find(name, found + 1))
        bytes[found + 1] = 'x';
    }
    path = std::string(fakeDriverPath()) + "." + std::to_string(getpid()) + "." + std::to_string(count++) + ".so";
    std::ofstream(path, std::ios::binary) << bytes;
  }
  ~OtherDriver() { std::remove(path.c_str()); }
  OtherDriver(const OtherDriver &) = delete;
  OtherDriver &operator=(const OtherDriver &) = delete;
};

struct Symbol {
  bool isRequired;
  const char *name, *older;
};
constexpr bool required = true, optional = false;
constexpr Symbol kSymbols[] = {
#define SINTER_SYMBOL(kind, member, symbol, older, parameters) {kind, symbol, older},
    SINTER_CUDA_DRIVER(SINTER_SYMBOL)
#undef SINTER_SYMBOL
};
} // namespace

TEST_CASE("each required function is missed, by its name") {
  for (const Symbol &symbol : kSymbols) {
    CAPTURE(symbol.name);
    std::vector<std::string> missing = {symbol.name};
    if (symbol.older)
      missing.push_back(symbol.older);
    OtherDriver other(missing);
    CuDriver driver = {};
    ErrorText text = {};
    const Status status = DriverLoader{driver, text}.open(other.path.c_str());
    CHECK(status == (symbol.isRequired ? kDevice : kDone));
    CHECK(std::string(text.text) == (symbol.isRequired ? std::string("the CUDA driver lacks ") + symbol.name : ""));
    if (driver.library)
      dlclose(driver.library);
    if (!symbol.isRequired)
      continue;
    TestModel model;
    model.options.driver = other.path.c_str();
    CHECK(model.create() == 7);
  }
}

TEST_CASE("older drivers have functions under older names, and some not at all") {
  std::vector<std::string> missing;
  for (const Symbol &symbol : kSymbols)
    if (symbol.older || !symbol.isRequired)
      missing.push_back(symbol.name);
  CHECK(missing.size() == 5);
  OtherDriver other(missing);
  void *library = dlopen(other.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  REQUIRE(library);
  auto *its = reinterpret_cast<FakeDriver *(*)()>(dlsym(library, "sinterFakeDriver"))();
  its->addKernel({"k0", {8, 8, 8, 8}, [](const FakeLaunch &) {}});
  its->addKernel({"k1", {8, 8, sizeof(Line)}, [](const FakeLaunch &) {}});
  TestModel model;
  model.options.driver = other.path.c_str();
  CHECK(model.create() == 0);
  HostData data;
  CHECK(model.run(data.x, data.y) == 0);
  model.storage.instance.close();
  CHECK(its->live().sum() == 0);
}
