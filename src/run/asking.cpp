#include "run/asking.h"

#include "base/fields_codec.h"
#include "toolkit/background.h"

namespace deputy::run {

namespace {

Result<Asking> read_body(std::string_view text) {
  TRY(const json::object body, parse_json_object(text));
  return parse_arguments<Asking>(body);
}

}  // namespace

Result<Asking> read_asking(const store::InteractionRow& row) {
  Result<Asking> asking = read_body(row.body);
  if (!asking) return store::damaged("interaction " + row.id.text(), asking.error());
  return asking;
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
