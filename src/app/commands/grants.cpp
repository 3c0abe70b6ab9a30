// deputy grants list | revoke
#include "policy/grants.h"

#include <fmt/format.h>

#include "app/command_line.h"
#include "app/commands/listing.h"
#include "app/commands/named.h"
#include "base/text.h"
#include "channel/terminal/styled_text.h"
#include "gateway/inbound/reports.h"

namespace deputy::app {

namespace {

using gateway::bound_to;

constexpr const char* kExamples = R"(Examples:
  deputy grants list            what was approved for a whole conversation and is still valid
  deputy grants revoke GRANT)";

constexpr int kMaxListed = 200;

json::object grant_json(const store::GrantRow& grant) {
  json::object object{{"grant", grant.id.text()},
                      {"tool", grant.tool},
                      {"arguments", bound_to(grant)},
                      {"for", grant.holder},
                      {"by", grant.by},
                      {"conversation", grant.conversation},
                      {"uses", grant.uses},
                      {"ends_at", format_timestamp(grant.ends_at)}};
  if (grant.max_uses) object["most_uses"] = *grant.max_uses;
  return object;
}

std::string grant_line(const store::GrantRow& grant) {
  const std::string uses = grant.max_uses ? fmt::format("{} of {}", grant.uses, count_of(*grant.max_uses, "use"))
                                          : count_of(grant.uses, "use");
  const std::string end =
      grant.ends_at == policy::kWithTheSession ? "its session ends" : format_timestamp(grant.ends_at);
  return channel::one_line(fmt::format("{}  {} {}  for {} by {}  {}  until {}  in {}", channel::short_id(grant.id),
                                       grant.tool, bound_to(grant), grant.holder, grant.by, uses, end,
                                       grant.conversation)) +
         "\n";
}

Task<Result<ExitCode>> print_list(const Context& context, store::Store& store) {
  store::GrantFilter filter;
  filter.most = kMaxListed;
  CO_TRY(const std::vector<store::GrantRow> grants, co_await store.grants(filter));
  co_return print_rows(context, grants, "no active grants\n", grant_json, grant_line);
}

ExitCode list(const Context& context) {
  return with_store(context, [&](Process& process) { return print_list(context, process.store()); });
}

Task<Result<ExitCode>> revoke_grant(const Context& context, Process& process, std::string named) {
  CO_TRY(const GrantId id, co_await grant_named(process.store(), std::move(named)));
  const std::string user = "terminal:" + os_user();
  store::Effects effects;
  const json::object body{{"grant", id.text()}};
  effects.audit = {
      {.at = process.clock().now(), .kind = "grant_revoked", .person = user, .body = json::serialize(body)}};
  CO_TRY(co_await process.store().revoke_grant(id, user, std::move(effects)));
  if (context.json) {
    context.outside.out << json::serialize(json::object{{"grant", id.text()}, {"revoked", true}}) << "\n";
  } else {
    context.outside.out << "revoked " << channel::short_id(id) << "\n";
  }
  co_return ExitCode::done;
}

ExitCode revoke(const Context& context, const std::string& grant) {
  return with_store(context, [&](Process& process) { return revoke_grant(context, process, grant); });
}

}  // namespace

void add_grants(CLI::App& program, Context& context) {
  CLI::App* group = program.add_subcommand("grants", "Approvals for a whole conversation: list, revoke");
  group->require_subcommand(1);
  group->fallthrough();
  group->footer(kExamples);
  add_plain(*group, context, "list", "Active grants", list);
  add_with_word(*group, context, "revoke", "End one now", "GRANT", "Its id", revoke);
}

}  // namespace deputy::app
