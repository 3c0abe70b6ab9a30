#include "app/health_listener.h"

#include "base/text.h"

namespace deputy::app {

namespace {

net::Response plain(int status, std::string text) {
  return {status, {{"Content-Type", "text/plain; charset=utf-8"}, {"Cache-Control", "no-store"}}, std::move(text)};
}

net::Response answer_to(const net::ServerRequest& request, observe::Metrics& metrics, const observe::Health& health) {
  if (request.method != "GET" && request.method != "HEAD") {
    net::Response refused = plain(405, "only GET is answered here\n");
    refused.headers.push_back({"Allow", "GET, HEAD"});
    return refused;
  }
  const std::string_view path = request.path.size() > 1 && request.path.ends_with('/')
                                    ? std::string_view(request.path).substr(0, request.path.size() - 1)
                                    : std::string_view(request.path);
  if (path == "/healthz") return plain(200, "ok\n");
  if (path == "/readyz") {
    const std::vector<std::string> problems = health.problems();
    return problems.empty() ? plain(200, "ready\n") : plain(503, join(problems, "\n") + "\n");
  }
  if (path == "/metrics") {
    return {200, {{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"}}, metrics.text()};
  }
  return plain(404, "there are /healthz, /readyz and /metrics here\n");
}

Task<net::Answer> handle(net::ServerRequest request, observe::Metrics& metrics, const observe::Health& health) {
  co_return answer_to(request, metrics, health);
}

}  // namespace

Result<std::unique_ptr<net::Server>> listen_for_health(const asio::any_io_executor& loop, const ListenAddress& address,
                                                       observe::Metrics& metrics, const observe::Health& health) {
  constexpr std::size_t kConnections = 64;
  net::ServerOptions options{.host = address.host, .port = address.port};
  options.limits.connections = kConnections;
  options.limits.body_bytes = 1024;
  return net::Server::listen(loop, std::move(options),
                             [&](net::ServerRequest request) { return handle(std::move(request), metrics, health); });
}

}  // namespace deputy::app
