// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is compiled once, and what makes it another object.
#include "driver/object_cache.h"

#include "codegen/codegen.h"
#include "driver/staging.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <doctest/doctest.h>

using namespace llvm;
using namespace sinter;

namespace {
std::string contentsOf(const Twine &path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(path);
  return file ? (*file)->getBuffer().str() : "(absent)";
}

/// A compiler that says in a log that it was called, and makes an object of its arguments' number and the source's
/// text.
struct CountingCxx {
  std::unique_ptr<Staging> own = cantFail(Staging::temporary());
  Cxx cxx{own->file("c++"), {"-O1"}, {}};

  CountingCxx() {
    cantFail(own->write("c++", "#!/bin/sh\n"
                               "echo called >> '" +
                                   own->file("log") +
                                   "'\n"
                                   "while [ $# -gt 0 ]; do\n"
                                   "  [ \"$1\" = -c ] && source=$2; [ \"$1\" = -o ] && object=$2; shift\n"
                                   "done\n"
                                   "[ -s \"$source\" ] && cp \"$source\" \"$object\"\n"));
    REQUIRE(!sys::fs::setPermissions(own->file("c++"), sys::fs::perms::all_all));
    setenv("SINTER_CACHE", own->file("cache").c_str(), 1);
  }
  ~CountingCxx() { unsetenv("SINTER_CACHE"); }

  size_t calls() const { return StringRef(contentsOf(own->file("log"))).count("called"); }

  /// The object that is made of a source, in a folder of its own.
  std::string made(StringRef source, ArrayRef<std::string> flags = {}, StringRef header = "") const {
    std::unique_ptr<Staging> folder = cantFail(Staging::temporary());
    cantFail(folder->write("a.cpp", source));
    cantFail(folder->write("a.h", header));
    std::vector<std::string> all = {"-I", folder->file("include")};
    all.insert(all.end(), flags.begin(), flags.end());
    Expected<std::vector<std::string>> objects = compileCached(cxx, folder->folder(), {"a.cpp"}, all);
    if (!objects)
      return "error: " + toString(objects.takeError());
    REQUIRE(objects->size() == 1);
    CHECK(objects->front() == folder->file("a.o"));
    return contentsOf(objects->front());
  }
};
} // namespace

TEST_CASE("an object is made once for a compiler, its flags and the sources, in whatever folder") {
  CountingCxx compiler;
  CHECK(compiler.made("one") == "one");
  CHECK(compiler.made("one") == "one");
  CHECK(compiler.calls() == 1);
  CHECK(compiler.made("two") == "two");
  CHECK(compiler.made("one", {}, "another header") == "one");
  CHECK(compiler.made("one", {"-g"}) == "one");
  CHECK(compiler.calls() == 4);
  compiler.cxx.flags.push_back("-DONE");
  CHECK(compiler.made("one") == "one");
  CHECK(compiler.calls() == 5);
}

TEST_CASE("an object lies beside its source, in whatever folder that is; what is no source is left alone") {
  CountingCxx compiler;
  for (int i = 0; i < 2; ++i) {
    std::unique_ptr<Staging> folder = cantFail(Staging::temporary());
    cantFail(folder->write("a.cpp", "one"));
    cantFail(folder->write("below/a.cpp", "two"));
    std::vector<std::string> objects =
        cantFail(compileCached(compiler.cxx, folder->folder(), {"a.cpp", "below/a.cpp", "a.h"}));
    REQUIRE(objects == std::vector<std::string>{folder->file("a.o"), folder->file("below/a.o")});
    CHECK(contentsOf(objects[0]) == "one");
    CHECK(contentsOf(objects[1]) == "two");
    CHECK(compiler.calls() == 2);
  }
}

TEST_CASE("of models: not with headers of a user's own, nor of images, which tell more than objects have") {
  CountingCxx compiler;
  std::unique_ptr<Staging> folder = cantFail(Staging::temporary());
  cantFail(folder->write("a.cpp", "one"));
  CodegenOptions options;
  const auto callsFor = [&] {
    size_t before = compiler.calls();
    for (int i = 0; i < 2; ++i)
      cantFail(compileModelSources(compiler.cxx, folder->folder(), {"a.cpp"}, options));
    return compiler.calls() - before;
  };
  CHECK(callsFor() == 1);
  options.userHeaders["own.h"] = {};
  CHECK(callsFor() == 2);
  options.userHeaders.clear();
  compiler.cxx.isFreestanding = true;
  CHECK(callsFor() == 2);
}

TEST_CASE("what is large is not kept") {
  CountingCxx compiler;
  std::string large(size_t(33) << 20, ' ');
  for (int i = 0; i < 2; ++i)
    CHECK(compiler.made("one", {}, large) == "one");
  CHECK(compiler.calls() == 2);
}

TEST_CASE("no cache: named nowhere, or not to be written") {
  CountingCxx compiler;
  cantFail(compiler.own->write("file", ""));
  setenv("SINTER_CACHE", compiler.own->file("file").c_str(), 1);
  CHECK(compiler.made("one") == "one");
  CHECK(compiler.made("one") == "one");
  CHECK(compiler.calls() == 2);
  unsetenv("SINTER_CACHE");
  CHECK(compiler.made("one") == "one");
  CHECK(compiler.calls() == 3);
}

TEST_CASE("what does not compile is not kept") {
  CountingCxx compiler;
  for (int i = 0; i < 2; ++i)
    CHECK(StringRef(compiler.made("")).starts_with("error: "));
  CHECK(compiler.calls() == 2);
}
