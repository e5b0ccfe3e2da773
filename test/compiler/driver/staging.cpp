// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Output is whole or absent; what else lies there stays.
#include "driver/staging.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <doctest/doctest.h>

using namespace llvm;
using sinter::Staging;

namespace {
std::string contentsOf(const Twine &path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(path);
  return file ? (*file)->getBuffer().str() : "(absent)";
}
size_t entriesOf(const Twine &path) {
  std::error_code code;
  size_t count = 0;
  for (sys::fs::directory_iterator entry(path, code), end; entry != end && !code; entry.increment(code))
    ++count;
  return count;
}
} // namespace

TEST_CASE("staging") {
  SmallString<128> root;
  REQUIRE(!sys::fs::createUniqueDirectory("sinter-test", root));
  std::string out = (root + "/a/b").str();

  SUBCASE("dropped: nothing is left, not even folders") {
    {
      Expected<std::unique_ptr<Staging>> staging = Staging::beside(out);
      REQUIRE(static_cast<bool>(staging));
      CHECK(!(*staging)->write("x.h", "x"));
    }
    CHECK(entriesOf(root) == 0);
  }
  SUBCASE("a % in the name of a folder is one") {
    std::string percents = (root + "/100% %%").str();
    Expected<std::unique_ptr<Staging>> staging = Staging::beside(percents);
    REQUIRE(static_cast<bool>(staging));
    CHECK(!(*staging)->write("x.h", "x"));
    CHECK(!(*staging)->publish({"x.h"}));
    CHECK(contentsOf(percents + "/x.h") == "x");
  }
  SUBCASE("published: paths keep their folders, which may be there") {
    REQUIRE(!sys::fs::create_directories(out + "/src"));
    Expected<std::unique_ptr<Staging>> staging = Staging::beside(out);
    REQUIRE(static_cast<bool>(staging));
    CHECK(!(*staging)->write("src/x.h", "x"));
    CHECK(!(*staging)->write("examples/run/x.c", "c"));
    CHECK(!(*staging)->publish({"src/x.h", "examples/run/x.c"}));
    CHECK(contentsOf(out + "/src/x.h") == "x");
    CHECK(contentsOf(out + "/examples/run/x.c") == "c");
  }
  SUBCASE("published: named files move, others stay") {
    REQUIRE(!sys::fs::create_directories(out));
    {
      Expected<std::unique_ptr<Staging>> before = Staging::beside(out);
      REQUIRE(static_cast<bool>(before));
      CHECK(!(*before)->write("mine.txt", "mine"));
      CHECK(!(*before)->write("x.h", "old"));
      CHECK(!(*before)->publish({"mine.txt", "x.h"}));
    }
    {
      Expected<std::unique_ptr<Staging>> staging = Staging::beside(out + "/");
      REQUIRE(static_cast<bool>(staging));
      CHECK(!(*staging)->write("x.h", "new"));
      CHECK(!(*staging)->write("x.o", "object"));
      CHECK((*staging)->files() == std::vector<std::string>{"x.h", "x.o"});
      CHECK(!(*staging)->publish({"x.h"}));
    }
    CHECK(contentsOf(out + "/x.h") == "new");
    CHECK(contentsOf(out + "/mine.txt") == "mine");
    CHECK(entriesOf(out) == 2);
  }
  SUBCASE("not published: what cannot be put in its place, or was not made, keeps all others from it") {
    REQUIRE(!sys::fs::create_directories(out + "/x.h"));
    {
      Expected<std::unique_ptr<Staging>> before = Staging::beside(out);
      CHECK(!(*before)->write("src", "a file"));
      CHECK(!(*before)->publish({"src"}));
    }
    Expected<std::unique_ptr<Staging>> staging = Staging::beside(out);
    REQUIRE(static_cast<bool>(staging));
    for (StringRef name : {"a.h", "x.h", "src/y.h"})
      CHECK(!(*staging)->write(name, ""));
    CHECK(toString((*staging)->publish({"a.h", "x.h"})) == out + "/x.h is a folder");
    CHECK(toString((*staging)->publish({"a.h", "src/y.h"})) == out + "/src is no folder");
    CHECK(toString((*staging)->publish({"a.h", "b/z.h"})) == "b/z.h was to be made, and is not there");
    CHECK(contentsOf(out + "/a.h") == "(absent)");
    CHECK(!sys::fs::exists(out + "/b"));
  }
  SUBCASE("what a run that was killed has left goes with the next one, what others use stays") {
    for (StringRef name : {".sinter-0123456789ab/src", ".sinter-0123456789a", ".sinter-notes", "sinter-0123456789ab"})
      REQUIRE(!sys::fs::create_directories(out + "/" + name));
    Expected<std::unique_ptr<Staging>> first = Staging::beside(out);
    REQUIRE(static_cast<bool>(first));
    CHECK(!sys::fs::exists(out + "/.sinter-0123456789ab"));
    CHECK(entriesOf(out) == 4);
    Expected<std::unique_ptr<Staging>> second = Staging::beside(out);
    REQUIRE(static_cast<bool>(second));
    CHECK(!(*first)->write("x.h", "x"));
    CHECK(!(*first)->publish({"x.h"}));
    CHECK(contentsOf(out + "/x.h") == "x");
    CHECK(entriesOf(out) == 6);
  }
  SUBCASE("a file in the way") {
    {
      Expected<std::unique_ptr<Staging>> staging = Staging::beside(root);
      CHECK(!(*staging)->write("file", ""));
      CHECK(!(*staging)->publish({"file"}));
    }
    Expected<std::unique_ptr<Staging>> staging = Staging::beside((root + "/file").str());
    CHECK(!staging);
    consumeError(staging.takeError());
  }
  sys::fs::remove_directories(root);
}
