#include "run/prompt/reply.h"

#include <fmt/format.h>

#include "base/text.h"
#include "redact/detect.h"
#include "redact/marker.h"

namespace deputy::run {

namespace {

ReplyStop stop_of(model::Stop stop) {
  switch (stop) {
    case model::Stop::end_turn:
      return ReplyStop::end_turn;
    case model::Stop::calls:
      return ReplyStop::calls;
    case model::Stop::max_tokens:
      return ReplyStop::max_tokens;
    case model::Stop::cut_call:
      return ReplyStop::cut_call;
    case model::Stop::refusal:
      return ReplyStop::refusal;
    case model::Stop::overflow:
      return ReplyStop::overflow;
  }
  return ReplyStop::end_turn;
}

std::string clean(std::string_view text, const redact::Redactor& redactor) {
  return redactor.redact(to_valid_utf8(std::string(text)));
}

// Journals are read back at most 32 levels deep, and what stands here stands some levels down in an entry.
constexpr int kDeepest = 20;

// The mark of a value that is nested deeper: nobody runs a call that holds one.
json::value too_deep() { return json::value(redact::make_marker(redact::kOversized, "", "")); }

// A value may be a secret because of the name it stands beside; then its text, or what is left of it, is returned.
std::optional<std::string> clean_by_name(std::string_view name, const json::value& value,
                                         const redact::Redactor& redactor) {
  if (name.empty()) return std::nullopt;
  const std::string line = json::serialize(json::object{{name, value}});
  const std::string clean_line = redactor.redact(line);
  if (clean_line == line) return std::nullopt;
  if (const auto parsed = parse_json_object(clean_line); parsed && parsed->size() == 1) {
    const json::value& left = parsed->begin()->value();
    if (left == value) return std::nullopt;  // it was the name
    if (left.is_string()) return std::string(as_view(left.get_string()));
  }
  const auto marker = redact::next_marker(clean_line);
  return marker ? std::string(marker->of(clean_line)) : std::string();
}

json::value clean_value(std::string_view name, const json::value& value, const redact::Redactor& redactor, int depth) {
  if (value.is_structured() && depth > kDeepest) return too_deep();
  if (const json::string* text = value.if_string()) {
    const std::string valid = to_valid_utf8(std::string(as_view(*text)));
    return json::value(redactor.redact(clean_by_name(name, json::value(valid), redactor).value_or(valid)));
  }
  if (value.is_number()) {
    const auto mark = clean_by_name(name, json::value(json::serialize(value)), redactor);
    return mark ? json::value(*mark) : value;
  }
  if (const json::array* items = value.if_array()) {
    json::array clean_items;
    clean_items.reserve(items->size());
    for (const json::value& item : *items) clean_items.push_back(clean_value(name, item, redactor, depth + 1));
    return clean_items;
  }
  if (const json::object* members = value.if_object()) {
    json::object clean_members;
    clean_members.reserve(members->size());
    for (const auto& member : *members) {
      const std::string key = to_valid_utf8(std::string(as_view(member.key())));
      clean_members[redactor.redact(key)] = clean_value(key, member.value(), redactor, depth + 1);
    }
    return clean_members;
  }
  return value;
}

}  // namespace

json::value redact_json(const json::value& value, const redact::Redactor& redactor) {
  return clean_value({}, value, redactor, 1);
}

namespace {

constexpr std::size_t kMaxThinking = 512UL * 1024;  // bytes; more than this is not kept

int depth_of(const json::value& value) {
  int deepest = 0;
  if (const json::array* items = value.if_array()) {
    for (const json::value& item : *items) deepest = std::max(deepest, depth_of(item));
  }
  if (const json::object* members = value.if_object()) {
    for (const auto& member : *members) deepest = std::max(deepest, depth_of(member.value()));
  }
  return deepest + 1;
}

/// The reply block by block, or nothing where it has no thinking or does not stand in the journal as it came: thinking
/// goes back unchanged with the rest of its turn, or not at all.
std::optional<ReplyThinking> thinking_of(const model::Reply& reply, const ModelReplied& entry,
                                         const redact::Redactor& redactor) {
  ReplyThinking kept;
  std::size_t bytes = 0;
  auto call = entry.calls.begin();
  for (const model::Block& block : reply.blocks) {
    if (const auto* thinking = std::get_if<model::Thinking>(&block)) {
      bytes += json::serialize(thinking->part).size();
      if (bytes > kMaxThinking || depth_of(thinking->part) > kDeepest) return std::nullopt;
      if (redactor.redact(thinking->summary) != thinking->summary) return std::nullopt;
      kept.origin = thinking->origin;
      kept.prefix = thinking->prefix;
      kept.parts.push_back({.thinking = thinking->part});
    } else if (const auto* text = std::get_if<model::Text>(&block)) {
      kept.parts.push_back({.text = text->text.size()});
    } else if (const auto* wish = std::get_if<model::Call>(&block)) {
      if (call == entry.calls.end() || call->tool != wish->tool || call->arguments != wish->arguments || wish->fault)
        return std::nullopt;
      kept.parts.push_back({.call = call->id});
      ++call;
    }
  }
  const bool is_unchanged = entry.text == model::text_of(reply);
  return kept.origin.empty() || !is_unchanged ? std::nullopt : std::optional(std::move(kept));
}

}  // namespace

ModelReplied replied(const model::Reply& reply, std::size_t calls_before, const redact::Redactor& redactor,
                     std::optional<std::int64_t> cost) {
  ModelReplied entry;
  entry.text = clean(model::text_of(reply), redactor);
  entry.stop = stop_of(reply.stop);
  add_usage(entry, cost, reply.usage);
  if (reply.by) entry.by = reply.by->name;
  if (reply.thinking_was_refused) entry.thinking_refused = true;
  if (reply.stop == model::Stop::cut_call || reply.stop == model::Stop::overflow) return entry;
  std::size_t left_out = 0;
  for (const model::Block& block : reply.blocks) {
    const auto* call = std::get_if<model::Call>(&block);
    if (call == nullptr) continue;
    if (entry.calls.size() == kMaxCallsATurn) {
      ++left_out;
      continue;
    }
    CallRequested& wish = entry.calls.emplace_back();
    wish.id = fmt::format("call_{}", calls_before + entry.calls.size());
    wish.tool = clean(cut_with_mark(call->tool, 100), redactor);
    wish.arguments = redact_json(call->arguments, redactor).as_object();
    if (call->fault) wish.fault = clean(*call->fault, redactor);
    if (!call->id.empty() && call->id != wish.id) wish.provider_id = clean(cut_with_mark(call->id, 100), redactor);
  }
  if (left_out > 0) {
    entry.text += fmt::format("\n({} further calls of this turn were left out: at most {}.)", left_out, kMaxCallsATurn);
  }
  entry.thinking = thinking_of(reply, entry, redactor);
  if (!entry.calls.empty()) entry.stop = ReplyStop::calls;
  if (entry.calls.empty() && entry.stop == ReplyStop::calls) entry.stop = ReplyStop::end_turn;
  return entry;
}

std::size_t bytes_of(const model::Reply& reply) {
  std::size_t bytes = 0;
  for (const model::Block& block : reply.blocks) {
    if (const auto* text = std::get_if<model::Text>(&block)) bytes += text->text.size();
    if (const auto* call = std::get_if<model::Call>(&block)) bytes += json::serialize(call->arguments).size();
    if (const auto* thinking = std::get_if<model::Thinking>(&block)) bytes += thinking->summary.size();
  }
  return bytes;
}

ModelReplied failed(std::string why) {
  ModelReplied entry;
  entry.stop = ReplyStop::failed;
  entry.error = std::move(why);
  return entry;
}

}  // namespace deputy::run
