#include "gateway/run_controls.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <utility>

#include "base/text.h"

namespace deputy::gateway {

namespace {

using What = RunPress::What;
using channel::MessageControl;

constexpr std::string_view kPrefix = "run";
constexpr auto kNames = std::to_array<std::pair<What, std::string_view>>(
    {{What::helpful, "helpful"}, {What::wrong, "wrong"}, {What::details, "details"}});

std::string_view name_of(What what) {
  for (const auto& [one, name] : kNames) {
    if (one == what) return name;
  }
  return "";
}

}  // namespace

std::string token_of(const RunPress& press) {
  return fmt::format("{}:{}:{}:{}", kPrefix, name_of(press.what), press.run.text(), press.page);
}

std::optional<RunPress> read_run_press(std::string_view token) {
  const std::vector<std::string_view> parts = split(token, ":");
  if (parts.size() != 4 || parts[0] != kPrefix) return std::nullopt;
  const Result<RunId> run = RunId::parse(parts[2]);
  std::size_t page = 0;
  const auto [end, failed] = std::from_chars(parts[3].data(), parts[3].data() + parts[3].size(), page);
  if (!run || failed != std::errc() || end != parts[3].data() + parts[3].size()) return std::nullopt;
  for (const auto& [what, name] : kNames) {
    if (parts[1] == name) return RunPress{what, *run, page};
  }
  return std::nullopt;
}

std::vector<MessageControl> controls_of(const RunId& run) {
  return {{"Helpful", token_of({What::helpful, run}), MessageControl::Kind::helpful},
          {"Wrong", token_of({What::wrong, run}), MessageControl::Kind::wrong},
          {"Details", token_of({What::details, run})}};
}

}  // namespace deputy::gateway
