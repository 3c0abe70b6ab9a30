// The demo in Slack: what operations people ask, with the real tools on generated data and a scripted model. One
// service answers all of it, each request in a thread of its own.
#include "demo/asked.h"
#include "e2e/slack/workspace.h"

namespace deputy::test {
namespace {

using testing::HasSubstr;

class SlackDemo : public SlackService {
 protected:
  SlackDemo() {
    DemoFacts::generate(folder_.path(), 7);
    settings_ = read_file(facts_.settings()) + "serve: {health: '127.0.0.1:0', listen: '127.0.0.1:0'}\n";
    own_tools_ = false;
  }

  DemoFacts facts_{folder_.path()};
};

TEST_F(SlackDemo, AnswersWhatOperationsPeopleAskAndNamesTheTools) {
  const std::vector<Asked> all = asked_of(facts_);
  ModelScript replies;
  for (const Asked& one : all) {
    for (const AskedCall& call : one.calls) replies.calls(call.tool, call.arguments);
    replies.then_says(one.answer);
  }
  script(replies);
  serve();
  for (const Asked& one : all) {
    const std::string ts = mention(kAna, one.request);
    until_found("Details", ts);
    const std::string seen = thread(ts);
    EXPECT_THAT(seen, HasSubstr(one.answer)) << one.request;
    // The footer.
    for (const AskedCall& call : one.calls) EXPECT_THAT(seen, HasSubstr(call.tool)) << one.request;
  }
  stop();
  std::size_t request = 0;
  for (const Asked& one : all) {
    request += one.calls.size();
    const std::string told = asked(request++);
    for (const std::string& fact : one.told) EXPECT_THAT(told, HasSubstr(fact)) << one.request;
  }
}

}  // namespace
}  // namespace deputy::test
