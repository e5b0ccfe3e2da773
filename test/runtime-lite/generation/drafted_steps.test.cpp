// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// drafted_steps.h: whatever is drafted, the text is that of single steps; what stands is counted, what does not leaves
// the caches, and neither the context nor the wanted number of tokens is exceeded.
#include "runtime-lite/generation/drafted_steps.h"

#include "fake_decoder.h"

#include <doctest/doctest.h>

#include <vector>

using namespace sinter;

namespace {

using Net = FakeDecoder<23, 4, 5>;

std::vector<int32_t> singleSteps(int32_t count) {
  std::vector<int64_t> text = {1, 2};
  while (text.size() < size_t(count))
    text.push_back(Net::likeliest(text, text.size()));
  return {text.begin(), text.end()};
}

struct Run {
  std::vector<int32_t> text;
  int64_t calls;
  FakeSession session;
  int status = 0;
};

/// `count` tokens in all, two of which are the prompt.
template <class Draft>
Run run(int32_t count, Draft draft) {
  Run made;
  const int64_t prompt[] = {1, 2};
  Net::prefill(made.session, prompt, 2);
  DraftedSteps<Net> steps(made.session);
  steps.begin();
  std::vector<int32_t> text(size_t(count) + Net::rows);
  text[0] = 1, text[1] = 2;
  int32_t length = 2;
  while (length < count) {
    CHECK(steps.length() == length);
    text[size_t(length++)] = likeliestOf(steps.logits(), Net::vocabulary);
    if (length == count)
      break;
    made.status = steps.take(text.data(), length, count - length, draft);
    if (made.status)
      break;
  }
  CHECK(steps.dropRejected() == 0);
  text.resize(size_t(length));
  made.text = text;
  made.calls = steps.calls;
  return made;
}

int32_t nothing(int32_t *, int32_t, int32_t) { return 0; }

/// The first `right` of as many as there is room for are what comes.
struct Knowing {
  int32_t right;
  int32_t operator()(int32_t *text, int32_t count, int32_t room) const {
    const std::vector<int32_t> all = singleSteps(count + room);
    for (int32_t i = 0; i < room; ++i)
      text[count + i] = i < right ? all[size_t(count + i)] : (all[size_t(count + i)] + 1) % Net::vocabulary;
    return room;
  }
};

} // namespace

TEST_CASE("drafted_steps: the text is that of single steps, in fewer calls") {
  const std::vector<int32_t> expected = singleSteps(30);
  CHECK(run(30, nothing).text == expected);
  CHECK(run(30, nothing).calls == 27);
  for (const int32_t right : {0, 1, 2, 3}) {
    const Run made = run(30, Knowing{right});
    CHECK(made.text == expected);
    CHECK(made.calls == (27 + right) / (right + 1));
    CHECK(made.session.length == 29); // the last one is not appended
  }
}
TEST_CASE("drafted_steps: no more is drafted than may come") {
  int32_t most = 0;
  const Run made = run(6, [&](int32_t *text, int32_t count, int32_t room) {
    CHECK(room <= 6 - count - 1);
    most = room > most ? room : most;
    return Knowing{3}(text, count, room);
  });
  CHECK(made.text == singleSteps(6));
  CHECK(most == 2);
}
TEST_CASE("drafted_steps: the context is filled, and no further") {
  const Run made = run(int32_t(Net::context) + 1, Knowing{3});
  CHECK(made.text == singleSteps(int32_t(Net::context) + 1));
  CHECK(made.session.length == Net::context);
  CHECK(run(int32_t(Net::context) + 2, Knowing{3}).status == 4);
}
TEST_CASE("drafted_steps: ids that are no tokens end a draft, and a status comes back") {
  const Run made = run(12, [](int32_t *text, int32_t count, int32_t room) {
    Knowing{3}(text, count, room);
    text[count + room / 2] = room % 2 ? -1 : Net::vocabulary;
    return room;
  });
  CHECK(made.text == singleSteps(12));
  for (int64_t id : made.session.held)
    CHECK((id >= 0 && id < Net::vocabulary));
  CHECK(run(12, [](int32_t *, int32_t, int32_t) { return -7; }).status == 7);
}
