#include "run/asking.h"

#include "base/fields_codec.h"
#include "toolkit/background.h"

namespace deputy::run {

Result<Asking> read_asking(const store::InteractionRow& row) {
  TRY(const json::object body, parse_json_object(row.body));
  return parse_arguments<Asking>(body);
}

std::string write_asking(const Asking& asking) { return json::serialize(to_json(asking)); }

CallRequested wish_of(const std::string& call, const interaction::Approval& approval) {
  CallRequested wish{call, approval.tool, approval.arguments};
  if (approval.background) wish.arguments[toolkit::kBackground] = true;
  return wish;
}

std::vector<store::DueKey> dues_of(const std::string& interaction) {
  std::vector<store::DueKey> dues;
  for (const std::string_view kind : {kExpiryDue, kReminderDue, kShowFormDue}) {
    dues.push_back({std::string(kind), interaction});
  }
  return dues;
}

}  // namespace deputy::run
