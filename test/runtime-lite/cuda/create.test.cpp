// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Making an instance: which image a GPU gets, whose memory it uses, what is said where it cannot be made.
#include "user.h"

using namespace sinter;

namespace {
/// The SM of the image that a GPU gets, negative for PTX; 0 for none.
int chosen(std::vector<DeviceImage> images, int sm, bool isIntegrated) {
  const DeviceImage *image = ImageChoice::choose(images.data(), static_cast<int>(images.size()), sm, isIntegrated);
  return !image ? 0 : image->isPtx ? -image->sm : image->sm;
}
DeviceImage cubin(int sm, bool isPortable = true) { return {sm, false, isPortable, nullptr}; }
DeviceImage ptx(int sm) { return {sm, true, false, nullptr}; }
} // namespace

TEST_CASE("images") {
  const std::vector<DeviceImage> all = {cubin(75), cubin(80), cubin(86), cubin(87, false), cubin(90), ptx(75), ptx(90)};
  CHECK(chosen(all, 80, false) == 80);
  CHECK(chosen(all, 89, false) == 86); // the same major version, a smaller minor one; never Tegra's
  CHECK(chosen(all, 87, true) == 87);
  CHECK(chosen({cubin(80), cubin(86)}, 87, true) == 0);
  CHECK(chosen({cubin(80), ptx(80)}, 87, true) == -80);
  CHECK(chosen({cubin(87, false)}, 89, false) == 0);
  CHECK(chosen(all, 100, false) == -90);
  CHECK(chosen(all, 78, false) == 75);
  CHECK(chosen({cubin(86)}, 80, false) == 0);
  CHECK(chosen({ptx(80)}, 75, false) == 0);
  CHECK(chosen(all, 70, false) == 0);
  CHECK(chosen({}, 80, false) == 0);
}

TEST_CASE("the driver takes what was chosen") {
  for (auto [number, isIntegrated, status] :
       {std::tuple(80, false, 0), {89, false, 0}, {87, true, 0}, {120, false, 0}, {75, false, 6}, {72, true, 6}}) {
    const int sm = number;
    CAPTURE(sm);
    resetDriver({sm, isIntegrated});
    TestModel model;
    CHECK(model.create() == status);
    if (status)
      CHECK(model.error() == "the program has no device code for this GPU, which is an sm_" + std::to_string(sm));
    model.storage.instance.close();
    checkClean();
  }
}

TEST_CASE("Tegra and desktop do not run each other's cubins") {
  resetDriver({87, true});
  TestModel desktop;
  desktop.model.imageCount = 1;
  CHECK(desktop.create() == 6);
  TestModel tegra;
  tegra.images[0] = {87, false, false, "cubin sm_87"};
  tegra.model.imageCount = 1;
  CHECK(tegra.create() == 0);
  tegra.storage.instance.close();
  resetDriver({89, false});
  CHECK(tegra.create() == 6);
  checkClean();
}

TEST_CASE("the SM in the header of a cubin") {
  for (const auto &[abi, flags, status] : {std::tuple(7, 0x00500550u, 0), {7, 0x00570557u, 6}, {8, 0x06005002u, 0}}) {
    resetDriver({80});
    unsigned char cubin[64] = {0x7f, 'E', 'L', 'F'};
    cubin[8] = static_cast<unsigned char>(abi);
    memcpy(cubin + 48, &flags, sizeof(flags));
    TestModel model;
    model.images[0].data = cubin;
    CHECK(model.create() == status);
    model.storage.instance.close();
    checkClean();
  }
}

TEST_CASE("what the driver says of PTX is in the text") {
  resetDriver({80});
  TestModel model;
  model.images[0] = {80, true, false, "ptx sm_90"};
  model.model.imageCount = 1;
  CHECK(model.create() == 6);
  CHECK(model.error() == "cuModuleLoadDataEx: (218): ptxas: too new");
  model.images[0].data = "Git LFS pointer";
  CHECK(model.create() == 6);
  CHECK(model.error() == "cuModuleLoadDataEx: (200)");
  checkClean();
}

TEST_CASE("no driver") {
  TestModel model;
  model.options.driver = "/nonexistent/libcuda.so.1";
  CHECK(model.create() == 7);
  CHECK(model.error().find("no CUDA driver: ") == 0);
  CHECK(model.error().find("/nonexistent/libcuda.so.1") != std::string::npos);
  HostData data;
  CHECK(model.run(data.x, data.y) == 7);
  CHECK(model.error().find("no CUDA driver: ") == 0);
}

TEST_CASE("no GPU") {
  resetDevices({});
  TestModel model;
  CHECK(model.create() == 7);
  CHECK(model.error() == "cuInit: CUDA_ERROR_NO_DEVICE (100)");
  resetDriver();
  for (int device : {1, -1}) {
    model.options.device = device;
    CHECK(model.create() == 7);
    CHECK(model.error() == "there is no GPU of that number");
  }
  checkClean();
}

TEST_CASE("the device of the current context") {
  resetDevices({{80}, {80}});
  TestModel model;
  model.options.device = 1;
  model.options.current_device = 1;
  REQUIRE(model.create() == 0);
  CHECK(model.storage.instance.device == 1); // there is no current one
  model.storage.instance.close();
  {
    DriverUser user;
    REQUIRE(model.create() == 0);
    CHECK(model.storage.instance.device == 0);
    model.storage.instance.close();
  }
  checkClean();
}

TEST_CASE("a kernel that is missing") {
  resetDriver();
  TestModel model;
  model.kernels[1].name = "k2";
  CHECK(model.create() == 7);
  CHECK(model.error() == "cuModuleGetFunction: (500)");
  checkClean();
}

TEST_CASE("out of memory") {
  resetDriver({80, false, 2 * kMost * 4});
  TestModel model;
  CHECK(model.create() == 4);
  CHECK(model.error() == "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (2)");
  checkClean();
}

TEST_CASE("the caller's arena and weights") {
  resetDriver();
  {
    DriverUser user;
    const CuPointer arena = user.allocate(kMost * 4 + 256), weights = user.allocate(kMost * 4);
    TestModel model;
    model.options.arena = user.pointer(arena);
    model.options.weights = user.pointer(weights);
    REQUIRE(model.create() == 0);
    CHECK(fakeDriver().live().allocations == 3);
    HostData data;
    CHECK(model.run(data.x, data.y) == 0);
    data.checkOutput();
    model.storage.instance.close();
    model.options.arena = user.pointer(arena) + 1;
    CHECK(model.create() == 2);
    CHECK(model.error() == "device memory is not aligned to 256 bytes");
    alignas(256) static char ofHost[kMost * 4];
    model.options.arena = ofHost;
    CHECK(model.create() == 7);
    CHECK(model.error() == "what is given as device memory is memory of the host");
    model.options.arena = user.pointer(arena);
    fakeDriver().failAt("cuPointerGetAttributes", 1, 999);
    CHECK(model.create() == 7);
    CHECK(model.error() == "cuPointerGetAttributes: (999)");
    model.options.arena = nullptr;
    model.model.weights = nullptr;
    CHECK(model.create() == 1);
    CHECK(model.error() == "the weights are missing");
    model.options.host_weights = hostWeights();
    CHECK(model.create() == 0);
  }
  checkClean();
}

TEST_CASE("texts have a limited length") {
  ErrorText text = {};
  for (int i = 0; i < 100; ++i)
    text.append("abcdefg");
  CHECK(strlen(text.text) == sizeof(text.text) - 1);
  text.clear();
  text.append(-2147483647 - 1);
  text.append(" ");
  text.append(0);
  CHECK(std::string(text.text) == "-2147483648 0");
}
