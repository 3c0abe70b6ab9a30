#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "run/journal/interaction_body.h"

namespace deputy::run {
namespace {

using interaction::Control;
using testing::ElementsAre;

InteractionBody approval(bool may_grant) {
  InteractionBody asking;
  asking.approval = interaction::Approval{};
  asking.approval->may_grant = may_grant;
  return asking;
}

InteractionBody form() {
  InteractionBody asking;
  interaction::Question question{.label = "env", .question = "Where?", .options = {}};
  question.options.push_back({.value = std::nullopt, .label = "prod"});
  question.options.push_back({.value = std::nullopt, .label = "staging"});
  asking.questions = interaction::Form{{question}};
  return asking;
}

std::vector<Control> controls(const std::vector<ControlToken>& list) {
  std::vector<Control> found;
  found.reserve(list.size());
  for (const ControlToken& one : list) found.push_back(one.action.control);
  return found;
}

TEST(TokensOf, AnApprovalHasAGrantControlOnlyWhereOneIsOffered) {
  const InteractionId id = InteractionId::make(from_millis(1));
  for (const bool may_grant : {false, true}) {
    InteractionBody asking = approval(may_grant);
    make_tokens(id, asking, "d1", asking.tokens);
    EXPECT_EQ(token_of(asking, Control::approve_for_thread).empty(), !may_grant);
    EXPECT_FALSE(token_of(asking, Control::approve_once).empty());
    EXPECT_FALSE(token_of(asking, Control::ask_again).empty());
    EXPECT_TRUE(token_of(asking, Control::approve_all).empty());
  }
}

TEST(TokensOf, EveryRowIsReadBackAsTheControlItStandsFor) {
  const InteractionId id = InteractionId::make(from_millis(1));
  InteractionBody asking = form();
  const std::vector<store::TokenRow> rows = make_tokens(id, asking, "", asking.tokens);
  const std::vector<ControlToken> read = controls_of(id, asking, "");
  ASSERT_EQ(read.size(), rows.size());
  std::set<std::string> tokens;
  for (std::size_t at = 0; at < rows.size(); ++at) {
    EXPECT_EQ(read[at].token, rows[at].token);
    EXPECT_EQ(interaction::write_action(read[at].action), rows[at].body);
    EXPECT_TRUE(interaction::is_token(rows[at].token));
    tokens.insert(rows[at].token);
  }
  EXPECT_EQ(tokens.size(), rows.size());
  EXPECT_THAT(controls(read), ElementsAre(Control::option, Control::option, Control::done, Control::own_words,
                                          Control::own_words, Control::submit, Control::skip, Control::open_form));
}

TEST(TokensOf, ApproveAllHoldsForWhatItLists) {
  json::object tokens;
  const store::TokenRow row = make_approve_all({{"i1", "d1"}, {"i2", "d2"}}, tokens);
  EXPECT_EQ(tokens.at("approve_all").as_string(), json::string(row.token));
  const auto action = interaction::read_action(row.body);
  ASSERT_TRUE(action.has_value());
  EXPECT_EQ(action->on, (std::vector<interaction::Acted>{{"i1", "d1"}, {"i2", "d2"}}));
}

}  // namespace
}  // namespace deputy::run
