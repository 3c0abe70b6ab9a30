#include "run/new_run.h"

#include "base/text.h"
#include "run/entry.h"

namespace deputy::run {

namespace {

constexpr std::size_t kHeadline = 120;  // characters

}  // namespace

store::NewRunRow new_run(RunId run, const Received& received, Timestamp at) {
  store::NewRunRow row{run, received.conversation, received.requester, encode(received, at)};
  row.headline = cut_with_mark(received.text, kHeadline);
  return row;
}

}  // namespace deputy::run
