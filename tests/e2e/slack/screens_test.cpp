// The pictures of docs/screens: scenes in Slack as the simulator draws them. With DEPUTY_SCREENS=FOLDER their pages are
// written there, and `scripts/screens` takes the pictures; without it the scenes are only played.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

#include "base/fields_codec.h"
#include "base/plot.h"
#include "e2e/slack/log_tool.h"
#include "e2e/slack/workspace.h"

namespace deputy::test {
namespace {

constexpr const char* kAnswer = R"(**checkout** fails in prod since 14:02 UTC: its database refuses connections.

| since | message | errors |
|---|---|---|
| 14:02 | connection refused (db-3:5432) | 1,204 |
| 14:05 | timeout after 30 s | 87 |

- All of them come from pods of release `2024.11.3`, rolled out at 14:01.
- `db-3` has used all of its 200 connections since then.

```
14:02:11 ERROR pool: connection refused db-3:5432
14:02:11 ERROR GET /cart 503 (attempt 3 of 3)
```

I would roll back to `2024.11.2`. Shall I prepare that?
)";

class SlackScreens : public SlackService {
 protected:
  void SetUp() override {
    SlackService::SetUp();
    const std::string result =
        "1,291 errors in checkout, prod, 93 % of them “connection refused”\n14:02:11 ERROR pool: connection refused\n";
    more_tools_ = {search_logs(gate_, result)};
  }

  std::string page(const std::string& what) {
    const Result<net::Response> response =
        await(http_->send(net::Request{.url = simulator_->address() + "/control/" + what}));
    EXPECT_OK(response);
    return response ? response->body : "";
  }
  /// Keeps the page in both themes under this name.
  void keep(const std::string& name, const std::string& what) {
    const char* const folder = std::getenv("DEPUTY_SCREENS");
    for (const std::string theme : {"light", "dark"}) {
      const std::string html = page(what + "&theme=" + theme);
      EXPECT_THAT(html, testing::HasSubstr("</html>"));
      if (folder != nullptr) std::ofstream(fmt::format("{}/{}-{}.html", folder, name, theme)) << html;
    }
  }
  void keep_thread(const std::string& name, const std::string& ts) {
    keep(name, fmt::format("thread.html?channel={}&ts={}", kOps, ts));
  }
  void keep_view(const std::string& name) {
    ASSERT_TRUE(until([&] { return !newest_view().empty(); }));
    keep(name, "view.html?view_id=" + text_at(newest_view(), "id"));
  }

  Gate gate_ = make_gate(true);
};

TEST_F(SlackScreens, AnAnswerAndItsDetails) {
  script(ModelScript()
             .calls({{"search_logs", {{"service", "checkout"}, {"environment", "prod"}, {"query", "error"}}},
                     {"search_notes", {{"query", "checkout"}}}})
             .says(kAnswer)
             .costs(8'400));
  serve();
  const std::string ts = mention(kAna, "why is checkout failing in prod?");
  const std::string answer = until_found("Details", ts);
  keep_thread("answer", ts);
  click(kAna, answer, "control0");
  keep_view("details");
}

/// A tool of the tests whose result has a plot, as query_metrics has one.
std::shared_ptr<const toolkit::Tool> plotting() {
  Plot plot{.title = R"(sum by (code) (rate(http_requests_total{service="checkout"}[5m])))",
            .from = *parse_timestamp("2026-11-18T10:00:00Z"),
            .to = *parse_timestamp("2026-11-18T16:00:00Z"),
            .gap = 150};
  plot.series = {{R"({code="200"})", {}}, {R"({code="503"})", {}}};
  for (int minute = 0; minute <= 360; ++minute) {
    const bool fails = minute >= 242;
    const double wave = std::sin(minute / 23.0) + 0.3 * std::sin(minute * 1.3);
    plot.series[0].points.push_back({minute * 60.0, fails ? 21 + 4 * wave : 120 + 9 * wave});
    plot.series[1].points.push_back({minute * 60.0, fails ? 98 + 6 * wave : 1 + 0.5 * wave});
  }
  toolkit::ToolSpec spec{.name = "query_metrics",
                         .version = 1,
                         .description = "Reads metrics",
                         .category = "alarm_tools",
                         .effect = toolkit::Effect::read};
  return toolkit::make_tool<SearchLogsParams>(std::move(spec), [plot](const SearchLogsParams&) {
    toolkit::Pipeline pipeline;
    pipeline.then({.name = "query", .repeatable = true, .call = [plot](toolkit::CallContext&) {
                     return [](Plot plot) -> Task<toolkit::Step> {
                       co_return toolkit::Output{"2 series", {{kPlot, to_json(plot)}}};
                     }(plot);
                   }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

TEST_F(SlackScreens, AnAnswerWithAPlot) {
  more_tools_.push_back(plotting());
  script(ModelScript()
             .calls("query_metrics", {{"service", "checkout"}})
             .says("**checkout** answers most requests with 503 since 14:02 UTC; before that it was one a second.")
             .costs(5'200));
  serve();
  const std::string ts = mention(kAna, "plot the requests of checkout by code");
  until_found("Details", ts);
  ASSERT_TRUE(until([&] { return page(fmt::format("thread.html?channel={}&ts={}", kOps, ts)).contains("image/png"); }));
  keep_thread("plot", ts);
}

TEST_F(SlackScreens, ARunningStream) {
  *gate_ = false;
  script(ModelScript()
             .calls("search_notes", {{"query", "checkout"}})
             .saying("I look at what is known about checkout first.\n")
             .calls("search_logs", {{"service", "checkout"}, {"environment", "prod"}})
             .says(kAnswer));
  serve();
  const std::string ts = mention(kAna, "why is checkout failing in prod?");
  until_shown(ts, "[in_progress] Searching logs of checkout…");
  keep_thread("stream", ts);
  *gate_ = true;
  until_found("Details", ts);
  keep_thread("stream-ended", ts);
}

TEST_F(SlackScreens, AnApproval) {
  const json::object arguments{{"service", "checkout"}, {"environment", "prod"}};
  script(ModelScript()
             .calls("restart_service", arguments)
             .says("checkout in prod was restarted and is healthy again.")
             .calls("restart_service", arguments)
             .says("Bo does not want that now, so I left checkout alone."));
  serve();
  const std::string first = mention(kAna, "restart checkout in prod");
  const std::string card = until_found("approve_once", first);
  keep_thread("approval", first);
  click(kBo, card, "approve_once");
  until_found("Details", first);
  until_shown(first, "Approved");
  keep_thread("approved", first);

  const std::string second = mention(kAna, "restart checkout in prod once more");
  click(kBo, until_found("approve_once", second), "deny_with_reason");
  keep_view("deny");
  control("submit", {{"user", kBo},
                     {"view_id", text_at(newest_view(), "id")},
                     {"values", {{"reason", {{"reason", "not during the sale"}}}}}});
  until_found("Details", second);
  until_shown(second, "Denied");
  keep_thread("denied", second);
}

TEST_F(SlackScreens, SeveralApprovalsOnOneCard) {
  script(ModelScript()
             .calls({{"restart_service", {{"service", "checkout"}, {"environment", "prod"}}},
                     {"restart_service", {{"service", "search"}, {"environment", "prod"}, {"force", true}}}})
             .says("Both were restarted."));
  serve();
  const std::string ts = mention(kAna, "restart checkout and search in prod");
  until_found("approve_all", ts);
  keep_thread("approvals", ts);
}

TEST_F(SlackScreens, AFormAndHome) {
  const auto options = [](std::initializer_list<std::pair<const char*, const char*>> labels) {
    json::array list;
    for (const auto& [label, description] : labels)
      list.push_back(json::object{{"label", label}, {"description", description}});
    return list;
  };
  script(
      ModelScript()
          .calls("ask_user",
                 {{"questions",
                   json::array{json::object{{"label", "Environment"},
                                            {"question", "Which environment do you mean?"},
                                            {"options", options({{"prod", "eu-west-1"}, {"staging", ""}})},
                                            {"allow_custom", false}},
                               json::object{{"label", "Services"},
                                            {"question", "Which services should I look at?"},
                                            {"options", options({{"checkout", ""}, {"search", ""}, {"cast-core", ""}})},
                                            {"multi_select", true}}}}})
          .calls("restart_service", {{"service", "checkout"}, {"environment", "prod"}}));
  serve();
  const std::string ts = mention(kBo, "look into the errors");
  until_found("Which environment do you mean?", ts);
  keep_thread("form", ts);
  until_found("approve_once", mention(kAna, "restart checkout in prod"));
  control("open_home", {{"user", kBo}, {"tab", "home"}});
  auto& workspace = simulator_->world().workspace;
  ASSERT_TRUE(until([&] { return workspace.home_views.contains(kBo); }));
  keep("home", "view.html?view_id=" + workspace.home_views.at(kBo));
}

}  // namespace
}  // namespace deputy::test
