// What the chat offers to try leads to the tool it is offered for, by the real planner over the real tools.
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

#include "app/chat/chat.h"
#include "app/tools.h"
#include "intent/context_section.h"
#include "model/offline/offline.h"

namespace deputy::app {
namespace {

/// The first tool that is called for the words; its words of an answer when none is.
std::string called_for(std::string_view words) {
  const SystemClock clock;
  asio::io_context loop;
  Accounts accounts(Settings{}, {}, clock, loop.get_executor());
  const Tools tools(Settings{}, {}, accounts, clock, loop.get_executor());
  const toolkit::Registry& registry = tools.registry();
  model::Request request;
  intent::Vocabulary vocabulary;
  vocabulary.environments = Settings{}.environments;
  vocabulary.tools = registry.known_tools({});
  std::vector<model::ToolDescription> offered;
  for (const auto& tool : registry.tools()) {
    const toolkit::ToolSpec& spec = tool->spec();
    offered.push_back({spec.name, spec.description, spec.params});
  }
  request.tools = std::move(offered);
  const std::string text = std::string(words) + "\n\n" + intent::context_section(intent::extract(words, vocabulary));
  request.turns = {{model::Role::user, {model::Text{text}}}};
  const model::Reply reply = model::offline::answer(request, registry);
  for (const model::Block& block : reply.blocks) {
    if (const auto* call = std::get_if<model::Call>(&block)) return call->tool;
    if (const auto* said = std::get_if<model::Text>(&block)) return said->text;
  }
  return {};
}

TEST(Tries, LeadToTheToolTheyAreFor) {
  ASSERT_FALSE(tries().empty());
  for (const Try& one : tries()) EXPECT_EQ(called_for(one.words), one.tool) << one.words;
}

}  // namespace
}  // namespace deputy::app
