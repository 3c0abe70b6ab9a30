#include "sim/slack/simulator.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "net/form.h"
#include "sim/slack/api/web_api.h"
#include "sim/slack/control.h"
#include "sim/slack/people/interactions.h"
#include "sim/slack/relay.h"

namespace deputy::sim::slack {

namespace {

constexpr std::size_t kMaxBody = 64UL << 20;

net::Response plain(int status, std::string text, std::string_view type = "text/plain; charset=utf-8") {
  return {status, {{"Content-Type", std::string(type)}}, std::move(text)};
}

/// POST to the address that files.getUploadURLExternal gave: raw bytes, or a multipart form.
net::Response take_upload(World& world, const net::ServerRequest& request) {
  const std::string key = request.path.substr(std::string_view("/upload/v1/").size());
  const auto found = std::ranges::find_if(
      world.workspace.files, [&](const auto& entry) { return !key.empty() && entry.second.upload_key == key; });
  if (request.method != "POST" || found == world.workspace.files.end()) return plain(404, "not found");
  File& file = found->second;
  std::string bytes = multipart_field(request, "").value_or(request.body);
  world.record.add("uploaded", {{"file", file.id}, {"bytes", bytes.size()}, {"expected", file.expected_bytes}});
  if (static_cast<std::int64_t>(bytes.size()) != file.expected_bytes)
    return plain(400, "the length is not the one that was announced");
  const std::string answer = fmt::format("OK - {}", bytes.size());
  file.content = std::move(bytes);
  file.uploaded = true;
  return plain(200, answer);
}

/// GET of url_private: without a token that may read files, Slack shows its login page with status 200.
net::Response give_file(World& world, const net::ServerRequest& request) {
  const auto parts = split(request.path, "/");
  const std::string_view owner = parts.size() > 2 ? parts[2] : "";
  const auto dash = owner.find('-');
  const auto file =
      world.workspace.files.find(std::string(dash == std::string_view::npos ? "" : owner.substr(dash + 1)));
  const std::string_view header = net::find_header(request.headers, "authorization").value_or("");
  const auto token = std::ranges::find_if(
      world.workspace.tokens, [&](const Token& candidate) { return header == "Bearer " + candidate.value; });
  const bool may = token != world.workspace.tokens.end() && !token->revoked && token->scopes.contains("files:read");
  world.record.add("download", {{"path", request.path}, {"allowed", may}});
  if (!may)
    return plain(200,
                 "<!DOCTYPE html><html><head><title>Slack</title></head><body>Sign in to your workspace</body></html>",
                 "text/html; charset=utf-8");
  if (file == world.workspace.files.end() || !file->second.completed) return plain(404, "not found");
  return plain(200, file->second.content, as_text(world.workspace.show(file->second)["mimetype"]));
}

Task<net::Answer> answer(World& world, Relay& relay, net::ServerRequest request) {
  const std::string& path = request.path;
  if (path.starts_with("/api/")) co_return co_await answer_api(world, std::move(request));
  if (path.starts_with("/control/")) co_return co_await answer_control(world, relay, std::move(request));
  if (path == "/link/" || path == "/link") co_return world.deliveries.sockets.take(request);
  if (path.starts_with("/upload/v1/")) co_return take_upload(world, request);
  if (path.starts_with("/files-pri/")) co_return give_file(world, request);
  if (path.starts_with("/actions/") || path.starts_with("/commands/")) co_return answer_response_url(world, request);
  co_return plain(404, "not found");
}

}  // namespace

Simulator::~Simulator() = default;

Result<std::unique_ptr<Simulator>> Simulator::start(const asio::any_io_executor& executor, const Clock& clock,
                                                    SimulatorOptions options) {
  std::unique_ptr<Simulator> simulator(new Simulator());
  simulator->world_ = std::make_unique<World>(executor, clock);
  TRY(simulator->relay_, Relay::listen(executor, options.port));
  World& world = *simulator->world_;
  Relay& relay = *simulator->relay_;
  world.workspace.address = fmt::format("http://127.0.0.1:{}", relay.port());
  net::ServerOptions server;
  server.limits.body_bytes = kMaxBody;
  TRY(simulator->server_,
      net::Server::listen(
          executor, server,
          [&world, &relay](net::ServerRequest request) { return answer(world, relay, std::move(request)); }));
  relay.carry_to(simulator->server_->port());
  return simulator;
}

Task<> Simulator::stop() {
  co_await server_->stop(std::chrono::milliseconds(0));
  co_await relay_->stop();
  co_await world_->stop();
}

}  // namespace deputy::sim::slack
