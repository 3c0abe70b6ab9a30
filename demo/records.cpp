#include "records.h"

#include <fmt/format.h>

#include <fstream>
#include <tuple>

#include "base/json.h"
#include "base/text.h"

namespace deputy::demo {

namespace {

using namespace std::chrono_literals;
using std::chrono::minutes;

const std::vector<std::string> kPeople{"ana.lopez", "bo.lindgren", "cy.okafor", "dee.marsh"};

json::array tickets(const World& world, Chance& chance) {
  json::array list{
      json::object{
          {"key", "NL-481"},
          {"type", "Bug"},
          {"status", "Open"},
          {"priority", "High"},
          {"summary", "Streams do not start while payments time out"},
          {"service", "cast-core"},
          {"description", "Viewers wait for the payment gateway; on timeouts let the stream start and capture later."},
          {"assignee", "ana.lopez"},
          {"updated", format_timestamp(world.now - 90min)}},
      json::object{{"key", "NL-477"},
                   {"type", "Bug"},
                   {"status", "In Progress"},
                   {"priority", "High"},
                   {"summary", "4.7.0 takes two connections an invoice"},
                   {"service", "tide-billing"},
                   {"description", "The new invoice writer opens its own connection, so the pool of 20 runs out."},
                   {"assignee", "bo.lindgren"},
                   {"updated", format_timestamp(world.now - 25h)}},
      json::object{{"key", "NL-470"},
                   {"type", "Task"},
                   {"status", "Open"},
                   {"priority", "Medium"},
                   {"summary", "Bound the memory of 4K renditions"},
                   {"service", "lens-transcoder"},
                   {"description", "lensd was killed three times in an hour; the rendition cache has no bound."},
                   {"assignee", "cy.okafor"},
                   {"updated", format_timestamp(world.now - 70h)}},
      json::object{{"key", "NL-466"},
                   {"type", "Vulnerability"},
                   {"status", "Open"},
                   {"priority", "High"},
                   {"summary", "CVE-2026-20113 in the image library of reel-catalog"},
                   {"service", "reel-catalog"},
                   {"description", "Update the image library to 11.3 or later."},
                   {"assignee", "dee.marsh"},
                   {"updated", format_timestamp(world.now - 100h)}}};
  list.push_back(json::object{{"key", "NL-472"},
                              {"type", "Task"},
                              {"status", "In Progress"},
                              {"priority", "Medium"},
                              {"summary", "Page on timeouts of the payment gateway before viewers notice"},
                              {"service", "cast-core"},
                              {"description", "The alarm fires minutes after the first error."},
                              {"assignee", "ana.lopez"},
                              {"updated", format_timestamp(world.now - 50h)}});
  list.push_back(json::object{{"key", "NL-468"},
                              {"type", "Bug"},
                              {"status", "Done"},
                              {"priority", "Medium"},
                              {"summary", "Timeouts of searches while segments merge"},
                              {"service", "hive-search"},
                              {"description", "Merges run at night now."},
                              {"assignee", "dee.marsh"},
                              {"updated", format_timestamp(world.now - 80h)}});
  for (int number = 465; number > 440; --number) {
    const DemoService& service = chance.one_of(services());
    list.push_back(
        json::object{{"key", fmt::format("NL-{}", number)},
                     {"type", "Task"},
                     {"status", chance.below(3) == 0 ? "Open" : "Done"},
                     {"priority", "Low"},
                     {"summary", chance.fill(chance.one_of(service.troubles))},
                     {"service", service.key},
                     {"description", "Seen in the logs."},
                     {"assignee", chance.one_of(kPeople)},
                     {"updated", format_timestamp(world.now - std::chrono::hours(100 + 6 * (466 - number)))}});
  }
  return list;
}

std::string page_of(const std::string& repo, std::string_view part, int id) {
  return fmt::format("https://git.example/{}/{}/{}", repo, part, id);
}

/// A run with its jobs; the log of the one that failed ends with its error.
json::object pipeline_run(const std::string& repo, int id, json::object facts, const std::string& error) {
  const bool failed = !error.empty();
  json::array steps{json::object{{"name", "compile"}, {"state", "succeeded"}},
                    json::object{{"name", "test"}, {"state", failed ? "failed" : "succeeded"}}};
  json::object build{{"name", "build"}, {"state", failed ? "failed" : "succeeded"}, {"steps", std::move(steps)}};
  if (failed) build["log"] = fmt::format("compile: done\ntest: 412 tests\n{}\ntest: 1 of 412 tests failed\n", error);
  facts["repo"] = repo;
  facts["id"] = id;
  facts["state"] = failed ? "failed" : "succeeded";
  facts["link"] = page_of(repo, "pipelines", id);
  facts["jobs"] = json::array{std::move(build)};
  return facts;
}

json::array pipeline_runs(const World& world, Chance& chance) {
  json::array list;
  int number = 900;
  for (const DemoService& service : services()) {
    for (int run = 0; run < 6; ++run) {
      const bool failed = chance.below(6) == 0;
      json::object facts{{"pipeline", run % 3 == 0 ? "deploy" : "build"},
                         {"ref", "main"},
                         {"commit", chance.hex(12)},
                         {"environment", run % 3 == 0 ? "prod" : "staging"},
                         {"started", format_timestamp(world.now - std::chrono::hours(30 + 41 * run))},
                         {"seconds", 120 + static_cast<int>(chance.below(400))},
                         {"by", chance.one_of(kPeople)}};
      const std::string error = failed ? "error: " + chance.fill(chance.one_of(service.troubles)) : "";
      list.push_back(pipeline_run("northlight/" + service.key, ++number, std::move(facts), error));
    }
  }
  for (const auto& [service, version, title, ago, by] :
       {std::tuple("tide-billing", "4.7.0", "New invoice writer", minutes(27h), "bo.lindgren"),
        std::tuple("tide-billing", "4.6.2", "Roll back to 4.6.2", minutes(26h), "bo.lindgren"),
        std::tuple("cast-core", "3.12.0", "Wait at most two seconds for the payment gateway", minutes(152min),
                   "ana.lopez")}) {
    json::object facts{{"pipeline", "deploy"},     {"ref", std::string("v") + version},
                       {"commit", chance.hex(12)}, {"title", title},
                       {"environment", "prod"},    {"started", format_timestamp(world.now - ago)},
                       {"seconds", 214},           {"by", by}};
    list.push_back(pipeline_run(fmt::format("northlight/{}", service), ++number, std::move(facts), ""));
  }
  json::object facts{{"pipeline", "build"},
                     {"ref", "capture-later"},
                     {"commit", chance.hex(12)},
                     {"title", "Let streams start before the capture"},
                     {"started", format_timestamp(world.now - 70min)},
                     {"seconds", 187},
                     {"by", "ana.lopez"}};
  list.push_back(pipeline_run("northlight/cast-core", ++number, std::move(facts),
                              "error: CaptureTest.RefundsWhatWasNeverCaptured: expected 0, was 1"));
  return list;
}

json::array pull_requests(const World& world) {
  const auto pull = [&](int id, const std::string& service, std::string title, std::string source,
                        std::chrono::minutes ago, json::object more) {
    const std::string repo = "northlight/" + service;
    json::object made{{"repo", repo},
                      {"id", id},
                      {"title", std::move(title)},
                      {"state", "open"},
                      {"source", std::move(source)},
                      {"target", "main"},
                      {"created", format_timestamp(world.now - ago - 3h)},
                      {"updated", format_timestamp(world.now - ago)},
                      {"link", page_of(repo, "pulls", id)}};
    for (const auto& [key, value] : more) made[key] = value;
    return made;
  };
  const json::object capture{
      {"author", "ana.lopez"},
      {"description", "NL-481: the stream starts at once and the payment is captured when the gateway answers."},
      {"reviewers",
       {json::object{{"name", "bo.lindgren"}, {"state", "changes requested"}},
        json::object{{"name", "cy.okafor"}, {"state", "waiting"}}}},
      {"files",
       {json::object{{"path", "src/capture.cpp"}, {"status", "modified"}, {"added", 58}, {"removed", 12}},
        json::object{{"path", "tests/capture_test.cpp"}, {"status", "added"}, {"added", 91}, {"removed", 0}}}},
      {"comments",
       {json::object{{"author", "bo.lindgren"},
                     {"at", format_timestamp(world.now - 60min)},
                     {"text", "What refunds a capture that never came? The test says we do."}}}},
      {"checks", {json::object{{"name", "build"}, {"state", "failed"}}}}};
  const json::object pool{
      {"author", "bo.lindgren"},
      {"description", "NL-477: the invoice writer takes its connection from the pool."},
      {"reviewers", {json::object{{"name", "dee.marsh"}, {"state", "approved"}}}},
      {"files", {json::object{{"path", "billing/invoices.js"}, {"status", "modified"}, {"added", 9}, {"removed", 14}}}},
      {"checks", {json::object{{"name", "build"}, {"state", "succeeded"}}}}};
  return {pull(118, "cast-core", "Let streams start before the capture", "capture-later", 60min, capture),
          pull(204, "tide-billing", "Write invoices over the pool", "one-connection", 9h, pool)};
}

json::array repositories(const World& world) {
  json::array list;
  for (const DemoService& service : services()) {
    const std::string repo = "northlight/" + service.key;
    list.push_back(json::object{{"repo", repo},
                                {"description", service.description},
                                {"default_branch", "main"},
                                {"private", true},
                                {"updated", format_timestamp(world.now - 30h)},
                                {"link", "https://git.example/" + repo}});
  }
  return list;
}

/// The document of the backend `files` of the pipeline tools, an entry a line.
void write_pipelines(const World& world, Chance& chance, const std::filesystem::path& file) {
  std::ofstream out(file);
  const auto write_list = [&](std::string_view name, const json::array& list, std::string_view behind) {
    out << "\"" << name << "\": [\n";
    for (std::size_t at = 0; at < list.size(); ++at)
      out << "  " << json::serialize(list[at]) << (at + 1 < list.size() ? ",\n" : "\n");
    out << "]" << behind << "\n";
  };
  out << "{";
  write_list("repositories", repositories(world), ",");
  write_list("pipelines", pipeline_runs(world, chance), ",");
  write_list("pull_requests", pull_requests(world), "}");
}

void write(const std::filesystem::path& file, const json::array& list) {
  std::ofstream out(file);
  out << "[\n";
  for (std::size_t at = 0; at < list.size(); ++at) {
    out << "  " << json::serialize(list[at]) << (at + 1 < list.size() ? ",\n" : "\n");
  }
  out << "]\n";
}

}  // namespace

void write_records(const World& world, const std::filesystem::path& folder) {
  Chance chance(world.seed + 1);
  write(folder / "tickets.json", tickets(world, chance));
  write_pipelines(world, chance, folder / "pipelines.json");
}

void write_services(const std::filesystem::path& file) {
  std::ofstream out(file);
  for (const DemoService& service : services()) {
    out << fmt::format(
        "{}:\n  full_name: {}\n  type: {}\n  aliases: [{}]\n  tech_stack: [{}]\n  description: {}\n"
        "  repo: northlight/{}\n",
        service.key, service.full_name, service.type, join(service.aliases, ", "), service.tech_stack,
        service.description, service.key);
  }
}

void write_runbooks(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "payment-gateway.md") << R"(# The payment gateway does not answer

1. Look at the errors of cast-core in prod: timeouts to the gateway come in bursts.
2. Raise `gateway_timeout_ms` in limits.conf only while the provider says that it is slow.
3. When it lasts longer than 30 minutes, page payments and let streams start without a capture.
)";
  std::ofstream(folder / "deploys.md") << R"(# A deploy went wrong

1. Compare the errors of the service before and after it.
2. Roll back with the pipeline `rollback`; it needs an approval in prod.
3. Write down what the pool, the memory and the queue looked like.
)";
  std::ofstream(folder / "limits.conf") << "gateway_timeout_ms = 3000\npool_size = 20\nrendition_cache_mb = 512\n";
}

}  // namespace deputy::demo
