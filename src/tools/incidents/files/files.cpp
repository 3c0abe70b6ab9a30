#include "tools/incidents/files/files.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_pointer.h"
#include "base/text.h"
#include "tools/incidents/pagerduty/pagerduty.h"
#include "tools/json_file.h"

namespace deputy::tools {

namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMaxIncidents = 200;
constexpr std::string_view kIncidentsSetting = "tools.incident_tools.files.incidents";
constexpr std::string_view kOncallsSetting = "tools.incident_tools.files.oncalls";

/// The objects of the list of this name.
Result<json::array> read_list(const std::filesystem::path& file, std::string_view name, std::string_view setting) {
  if (file.empty())
    return fail(ErrorKind::not_configured, fmt::format("no file of {} is set up", name),
                fmt::format("set {}", setting));
  TRY(const json::value document, read_json_file(file, setting));
  const json::object* object = document.if_object();
  const json::value* list = object == nullptr ? nullptr : object->if_contains(name);
  if (list == nullptr || !list->is_array()) return holds_no(fmt::format("list of `{}`", name), file, setting);
  json::array items = list->get_array();
  return items;
}

Result<json::array> read_incidents(const std::filesystem::path& file) {
  return read_list(file, "incidents", kIncidentsSetting);
}

template <class Keep>
Result<FoundIncidents> list(const std::filesystem::path& file, Keep keep) {
  TRY(const json::array items, read_incidents(file));
  FoundIncidents found;
  for (const json::value& item : items) {
    Incident incident = pagerduty::incident_from(item);
    if (!incident.id.empty() && keep(incident)) found.incidents.push_back(std::move(incident));
  }
  std::ranges::sort(found.incidents, [](const Incident& a, const Incident& b) {
    return a.created != b.created ? a.created > b.created : a.id > b.id;
  });
  found.has_more = found.incidents.size() > kMaxIncidents;
  if (found.has_more) found.incidents.resize(kMaxIncidents);
  return found;
}

/// `id` is an id or a number.
Result<IncidentDetails> read_details(const std::filesystem::path& file, const std::string& id) {
  TRY(const json::array items, read_incidents(file));
  for (const json::value& item : items) {
    Incident incident = pagerduty::incident_from(item);
    if (incident.id == id || incident.number == id)
      return pagerduty::details_from(std::move(incident), {items_in(item, "/alerts")}, {items_in(item, "/notes")},
                                     {items_in(item, "/log_entries")});
  }
  return fail(ErrorKind::not_found, fmt::format("there is no incident {}", id),
              "use an id or a number, as pagerduty_active_incidents lists them");
}

class FileIncidents final : public IncidentBackend {
 public:
  FileIncidents(FileIncidentsSettings settings, Workers& workers) : settings_(std::move(settings)), workers_(workers) {}

  std::string_view name() const override { return "files"; }
  json::object target() const override {
    return {{"incidents", settings_.incidents.string()}, {"oncalls", settings_.oncalls.string()}};
  }

  Task<Result<FoundIncidents>> active(milliseconds limit) override {
    auto job = [file = settings_.incidents](const std::stop_token&) {
      return list(file, [](const Incident& one) { return one.status != "resolved"; });
    };
    co_return co_await on_worker<FoundIncidents>(workers_, limit, std::move(job));
  }
  Task<Result<FoundIncidents>> since(Timestamp from, Timestamp now, milliseconds limit) override {
    auto job = [file = settings_.incidents, from, now](const std::stop_token&) {
      return list(file,
                  [&](const Incident& one) { return one.created && from <= *one.created && *one.created <= now; });
    };
    co_return co_await on_worker<FoundIncidents>(workers_, limit, std::move(job));
  }
  Task<Result<Incident>> find(std::string id, milliseconds limit) override {
    CO_TRY(IncidentDetails found, co_await details(std::move(id), limit));
    co_return std::move(found.incident);
  }
  Task<Result<IncidentDetails>> details(std::string id, milliseconds limit) override {
    auto job = [file = settings_.incidents, id](const std::stop_token&) { return read_details(file, id); };
    co_return co_await on_worker<IncidentDetails>(workers_, limit, std::move(job));
  }
  Task<Result<FoundOnCalls>> on_call(milliseconds limit) override {
    auto job = [file = settings_.oncalls](const std::stop_token&) -> Result<FoundOnCalls> {
      TRY(const json::array items, read_list(file, "oncalls", kOncallsSetting));
      FoundOnCalls found;
      for (const json::value& item : items) found.on_call.push_back(pagerduty::on_call_from(item));
      return found;
    };
    co_return co_await on_worker<FoundOnCalls>(workers_, limit, std::move(job));
  }
  /// The services of the incidents, each with the policy that one of its incidents names.
  Task<Result<FoundPolicies>> services(milliseconds limit) override {
    auto job = [file = settings_.incidents](const std::stop_token&) -> Result<FoundPolicies> {
      FoundPolicies found;
      if (file.empty()) return found;
      TRY(const json::array items, read_incidents(file));
      for (const json::value& item : items) {
        NamedPolicy one{text_in(item, "/service/summary"), text_in(item, "/escalation_policy/id")};
        if (!one.name.empty() && !one.policy_id.empty() && !contains(found.policies, one.name, &NamedPolicy::name))
          found.policies.push_back(std::move(one));
      }
      return found;
    };
    co_return co_await on_worker<FoundPolicies>(workers_, limit, std::move(job));
  }
  bool writes() const override { return false; }
  Task<Result<Incident>> acknowledge(std::string, std::string, milliseconds) override {
    co_return fail(ErrorKind::not_configured, "the incidents are in files, which are only read");
  }
  Task<Result<std::string>> diagnose(milliseconds limit) override {
    auto job = [settings = settings_](const std::stop_token&) -> Result<std::string> {
      std::vector<std::string> found;
      if (!settings.incidents.empty()) {
        TRY(const json::array items, read_incidents(settings.incidents));
        found.push_back(count_of(static_cast<std::int64_t>(items.size()), "incident") + " in " +
                        settings.incidents.string());
      }
      if (!settings.oncalls.empty()) {
        TRY(const json::array items, read_list(settings.oncalls, "oncalls", kOncallsSetting));
        found.push_back(fmt::format("{} on call in {}", items.size(), settings.oncalls.string()));
      }
      return join(found, ", ");
    };
    co_return co_await on_worker<std::string>(workers_, limit, std::move(job));
  }

 private:
  FileIncidentsSettings settings_;
  Workers& workers_;
};

}  // namespace

std::shared_ptr<IncidentBackend> make_file_incidents(const FileIncidentsSettings& settings, Workers& workers) {
  if (settings.incidents.empty() && settings.oncalls.empty()) return nullptr;
  return std::make_shared<FileIncidents>(settings, workers);
}

}  // namespace deputy::tools
