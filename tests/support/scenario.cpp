#include "support/scenario.h"

namespace deputy::test {

Scenario& Scenario::then() {
  replies_.push_back(json::object{{"content", json::array{}}});
  return *this;
}

Scenario& Scenario::item(std::string_view kind, json::value value) {
  json::object item;
  item[kind] = std::move(value);
  reply().at("content").as_array().push_back(std::move(item));
  return *this;
}

Scenario& Scenario::text(std::string_view piece) { return item("text", json::string(piece)); }

Scenario& Scenario::call(std::string_view tool, json::object arguments) {
  return item("call", {{"name", json::string(tool)}, {"arguments", std::move(arguments)}});
}

Scenario& Scenario::cut_call(std::string_view tool, json::object arguments) {
  return item("call", {{"name", json::string(tool)}, {"arguments", std::move(arguments)}, {"cut", true}});
}

Scenario& Scenario::broken_call(std::string_view tool, std::string_view arguments) {
  return item("call", {{"name", json::string(tool)}, {"raw", json::string(arguments)}});
}

Scenario& Scenario::ping() { return item("ping", true); }
Scenario& Scenario::news() { return item("unknown", true); }
Scenario& Scenario::hold() { return item("hold", true); }
Scenario& Scenario::breaks_off() { return item("break", true); }
Scenario& Scenario::ends_early() { return item("end", true); }
Scenario& Scenario::fails(std::string_view error) { return item("error", json::string(error)); }
Scenario& Scenario::garbage() { return item("garbage", true); }
Scenario& Scenario::corrupt(std::string_view part) { return item("corrupt", json::string(part)); }

Scenario& Scenario::stop(std::string_view why) {
  reply()["stop"] = json::string(why);
  return *this;
}

Scenario& Scenario::uses(const model::Usage& usage) {
  reply()["usage"] = {{"input", usage.input_tokens},
                      {"output", usage.output_tokens},
                      {"cache_read", usage.cache_read_tokens},
                      {"cache_write", usage.cache_write_tokens}};
  return *this;
}

Scenario& Scenario::refuses(std::string_view error) {
  reply()["refuse"] = json::string(error);
  return *this;
}

Scenario& Scenario::retry_after(std::string_view value) {
  reply()["retry_after"] = json::string(value);
  return *this;
}

Scenario& Scenario::saying(std::string_view message) {
  reply()["message"] = json::string(message);
  return *this;
}

Scenario& Scenario::silent() {
  reply()["hold"] = true;
  return *this;
}

Scenario& Scenario::with(std::string_view key, json::value value) {
  options_[key] = std::move(value);
  return *this;
}

std::string Scenario::to_json() const {
  json::object whole = options_;
  whole["replies"] = replies_;
  return json::serialize(whole);
}

}  // namespace deputy::test
