#include "records.h"

#include <fmt/format.h>

#include <fstream>

#include "base/json.h"
#include "base/text.h"

namespace deputy::demo {

namespace {

using namespace std::chrono_literals;

const std::vector<std::string> kPeople{"ana.lopez", "bo.lindgren", "cy.okafor", "dee.marsh"};

json::array tickets(const World& world, Chance& chance) {
  json::array list{
      json::object{{"key", "NL-481"},
                   {"type", "Bug"},
                   {"status", "Open"},
                   {"priority", "High"},
                   {"summary", "Streams do not start while payments time out"},
                   {"service", "cast-core"},
                   {"description", "Viewers wait for the payment gateway; let the stream start and capture later."},
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

json::array incidents(const World& world) {
  const auto incident = [&](std::string id, std::string service, std::string title, std::string status,
                            std::chrono::minutes began, std::chrono::minutes lasted) {
    json::object made{{"id", id},         {"service", service}, {"title", title},
                      {"status", status}, {"urgency", "high"},  {"created", format_timestamp(world.now - began)}};
    if (status == "resolved") made["resolved"] = format_timestamp(world.now - began + lasted);
    return made;
  };
  return {incident("PNL0031", "cast-core", "Payments fail in prod", "acknowledged", 121min, 0min),
          incident("PNL0030", "tide-billing", "No free connections in prod", "resolved", 27h - 10min, 55min),
          incident("PNL0028", "lens-transcoder", "Transcoder restarts in prod", "resolved", 72h, 75min)};
}

json::array pipelines(const World& world, Chance& chance) {
  json::array list;
  int number = 900;
  for (const DemoService& service : services()) {
    for (int run = 0; run < 6; ++run) {
      const bool failed = chance.below(6) == 0;
      list.push_back(json::object{{"repo", "northlight/" + service.key},
                                  {"id", ++number},
                                  {"ref", "main"},
                                  {"commit", chance.hex(12)},
                                  {"state", failed ? "failed" : "successful"},
                                  {"environment", run % 3 == 0 ? "prod" : "staging"},
                                  {"started", format_timestamp(world.now - std::chrono::hours(30 + 41 * run))},
                                  {"seconds", 120 + static_cast<int>(chance.below(400))},
                                  {"by", chance.one_of(kPeople)}});
    }
  }
  for (const auto& [version, ago] : {std::pair("4.7.0", 27h), std::pair("4.6.2", 26h)}) {
    list.push_back(json::object{{"repo", "northlight/tide-billing"},
                                {"id", ++number},
                                {"ref", std::string("v") + version},
                                {"commit", chance.hex(12)},
                                {"state", "successful"},
                                {"environment", "prod"},
                                {"started", format_timestamp(world.now - ago)},
                                {"seconds", 214},
                                {"by", "bo.lindgren"}});
  }
  return list;
}

json::array alarms(const World& world) {
  const auto alarm = [&](std::string name, std::string service, std::string state, std::chrono::minutes since) {
    return json::object{{"name", name},
                        {"service", service},
                        {"environment", "prod"},
                        {"state", state},
                        {"since", format_timestamp(world.now - since)}};
  };
  return {alarm("cast-core-payment-errors", "cast-core", "ALARM", 118min),
          alarm("tide-billing-free-connections", "tide-billing", "OK", 26h),
          alarm("lens-transcoder-memory", "lens-transcoder", "OK", 70h),
          alarm("harbor-web-5xx", "harbor-web", "OK", 300h)};
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
  write(folder / "incidents.json", incidents(world));
  write(folder / "pipelines.json", pipelines(world, chance));
  write(folder / "alarms.json", alarms(world));
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
