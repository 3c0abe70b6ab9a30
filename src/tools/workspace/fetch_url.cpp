// fetch_url = [ show, AWAIT APPROVAL, fetch ]: policy opens the gate for hosts that are listed
#include "tools/workspace/fetch_url.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "net/address.h"
#include "net/redirects.h"
#include "tools/workspace/html_text.h"
#include "tools/workspace/workspace.h"

namespace deputy::tools {

namespace {

using toolkit::Output;
using toolkit::Step;

constexpr std::size_t kMaxPage = 5UL * 1024 * 1024;  // bytes that are fetched
constexpr int kMaxRedirects = 5;
constexpr std::size_t kMaxAsked = 1500;  // characters of a URL that an approval card can show whole

struct FetchUrlParams {
  std::string url;
  int max_length = 50'000;

  template <class Fields>
  static void fields(Fields& f) {
    using P = FetchUrlParams;
    f.required(&P::url, "url", "The full URL, beginning with http:// or https://")
        .characters(1, kMaxAsked)
        .kind(toolkit::Kind::url);
    f.optional(&P::max_length, "max_length", "Maximum number of characters to return").in_range(100, 500'000);
  }
};

std::optional<net::Url> url_in(const json::object& arguments) {
  const json::value* text = arguments.if_contains("url");
  if (text == nullptr || !text->is_string()) return std::nullopt;
  const Result<net::Url> url = net::parse_url(as_view(text->get_string()));
  return url ? std::optional(*url) : std::nullopt;
}

// The URL itself tells something to the host, so a request to an unlisted host counts as a write.
std::optional<toolkit::Effect> effect_of_url(const std::vector<std::string>& hosts, const json::object& arguments) {
  const std::optional<net::Url> url = url_in(arguments);
  if (!url || !is_listed(*url, hosts)) return std::nullopt;
  return toolkit::Effect::read;
}

toolkit::CallDescription message_for_url(const std::vector<std::string>& hosts, const json::object& arguments) {
  const std::optional<net::Url> url = url_in(arguments);
  if (!url) return {};
  const std::string host = host_in_words(*url);
  toolkit::CallDescription words{.target = "GET " + host, .why_write = {}};
  if (!is_listed(*url, hosts)) words.why_write = host + " is not in tools.workspace_tools.fetch_hosts";
  return words;
}

// The text of the approval card that says what the call changes.
Task<Step> show(net::Url url) {
  co_return Output{fmt::format("Nothing is changed: it sends GET to {} and reads the response.", host_in_words(url)),
                   {}};
}

net::Request request_for(const WorkspaceSetup& setup, const FetchUrlParams& params,
                         const toolkit::CallContext& context) {
  net::Request request{.url = params.url,
                       .headers = {{"Accept", "text/html, text/plain, application/json, */*;q=0.5"}},
                       .max_body = kMaxPage,
                       .allow_proxied_name = allow_listed_names(setup.fetch_hosts, setup.fetch_private)};
  request.timeouts.total = std::min(request.timeouts.total, context.time_left());
  return request;
}

Output point_elsewhere(const net::Url& from, const net::Url& to) {
  return {fmt::format("{} redirects to {}, which needs a ruling of its own. The redirect was not followed: call "
                      "fetch_url with that URL if you need it.",
                      from.text, to.text),
          {{"redirects_to", to.text}}};
}

// On a worker, because a page of some megabytes takes a while.
Task<Result<std::string>> read_page(Workers& workers, net::Response response, std::size_t most,
                                    std::chrono::milliseconds limit) {
  auto job = [response = std::move(response), most](const std::stop_token&) -> Result<std::string> {
    TRY(const std::string text,
        web_text(net::find_header(response.headers, "content-type").value_or(""), response.body));
    return cut_with_mark(text, most);
  };
  return on_worker<std::string>(workers, limit, std::move(job));
}

Task<Step> fetch(WorkspaceSetup setup, FetchUrlParams params, const toolkit::CallContext& context) {
  const net::RedirectRules rules{
      .most = kMaxRedirects,
      .may_follow = [hosts = setup.fetch_hosts, &context](const net::Url& from, const net::Url& to) {
        return may_follow(from, to, hosts) && (!context.allows || context.allows("url", to.text));
      }};
  auto sent = co_await net::send_following(*setup.http, request_for(setup, params, context), rules);
  if (!sent) co_return std::move(sent).error();
  if (const auto& elsewhere = sent->points_to) co_return point_elsewhere(sent->url, *elsewhere);
  const int status = sent->response.status;
  auto text = co_await read_page(*setup.workers, std::move(sent->response), static_cast<std::size_t>(params.max_length),
                                 context.time_left());
  const bool success = status >= 200 && status <= 299;
  if (!text) {
    Error error = std::move(text).error();
    if (!success) error.message = fmt::format("the server answered with status {}, and {}", status, error.message);
    co_return error;
  }
  std::string shown = text->empty() ? "(the page is empty)" : *std::move(text);
  if (!success) shown = fmt::format("[status {}]\n{}", status, shown);
  co_return Output{std::move(shown), {{"status", status}, {"url", sent->url.text}}};
}

}  // namespace

std::shared_ptr<const toolkit::Tool> fetch_url_tool(const WorkspaceSetup& setup) {
  toolkit::ToolSpec spec =
      workspace_spec(setup, "fetch_url", 2,
                     "Fetches an http or https URL and returns it as plain text, HTML reduced to its text. Use it for "
                     "a page that someone linked or that a result names. Up to 5 MB and 5 redirects; a host that "
                     "settings do not list needs a person's approval.",
                     toolkit::Effect::write);
  spec.effect = [hosts = setup.fetch_hosts](const json::object& arguments) { return effect_of_url(hosts, arguments); };
  spec.words = [hosts = setup.fetch_hosts](const json::object& arguments) { return message_for_url(hosts, arguments); };
  spec.primary_param = "url";
  spec.pins = {"url"};
  spec.timeout = std::chrono::seconds(60);
  spec.target = {{"hosts", join(setup.fetch_hosts, ",")},
                 {"private", setup.fetch_private == PrivateAddresses::allowed}};
  spec.missing = setup.http == nullptr ? "fetch_url needs an HTTP client, which this process was not given" : "";
  spec.topics = {.words = {"page", "url", "link"},
                 .verbs = {"fetch", "read", "open", "get", "show", "load", "summarize"},
                 .examples = {"fetch {url}"},
                 .working = "Fetching {url}"};
  return toolkit::make_tool<FetchUrlParams>(
      std::move(spec), [setup](const FetchUrlParams& params) -> Result<toolkit::Pipeline> {
        TRY(const net::Url url, net::parse_url(params.url));
        TRY(refuse_at_sight(url, setup.fetch_hosts, setup.fetch_private));
        toolkit::Pipeline pipeline;
        pipeline.then({.name = "show", .repeatable = true, .call = [url](toolkit::CallContext&) { return show(url); }})
            .await_approval()
            .then({.name = "fetch", .repeatable = true, .call = [setup, params](toolkit::CallContext& context) {
                     return fetch(setup, params, context);
                   }});
        return pipeline;
      });
}

namespace {

bool has_usual_port(const net::Url& url) { return url.port == (url.scheme == "https" ? 443 : 80); }

// As a URL writes it: an IPv6 address in brackets.
std::string name_in_url(const net::Url& url) {
  const std::string place = url.place();
  return place.substr(0, place.rfind(':'));
}

bool is_private(net::AddressKind kind) {
  using Kind = net::AddressKind;
  return kind == Kind::private_use || kind == Kind::unique_local || kind == Kind::loopback || kind == Kind::shared;
}

}  // namespace

bool is_listed(const net::Url& url, const std::vector<std::string>& hosts) {
  return std::ranges::any_of(hosts, [&](const std::string& entry) {
    const std::string host = to_lower(trim(entry));
    return host == url.place() || (has_usual_port(url) && host == name_in_url(url));
  });
}

void check_fetch_hosts(const std::vector<std::string>& hosts, FieldReader& reader) {
  for (const std::string& entry : hosts) {
    const std::string host = to_lower(trim(entry));
    const Result<net::Url> url = net::parse_url(fmt::format("https://{}/", host));
    if (url && (host == url->place() || host == name_in_url(*url))) continue;
    reader.problem(fmt::format("`{}` is not a host", cut_with_mark(entry, 100)),
                   "write a name, and a port if it is not the default one: status.example.com, api.example.com:8443");
  }
}

bool may_follow(const net::Url& from, const net::Url& to, const std::vector<std::string>& hosts) {
  if (is_listed(to, hosts)) return true;
  return from.host == to.host && (from.port == to.port || (has_usual_port(from) && has_usual_port(to)));
}

net::AllowAddress fetch_allows(PrivateAddresses addresses) {
  return [addresses](const asio::ip::address& address) -> Result<> {
    const net::AddressKind kind = net::kind_of(address);
    if (kind == net::AddressKind::global) return {};
    if (is_private(kind) && addresses == PrivateAddresses::allowed) return {};
    return fail(ErrorKind::permission,
                fmt::format("the host has {}, which fetch_url does not read from", net::describe(kind)),
                is_private(kind) ? "to allow it set tools.workspace_tools.fetch_private" : "");
  };
}

Result<> refuse_at_sight(const net::Url& url, const std::vector<std::string>& hosts, PrivateAddresses addresses) {
  const net::AllowAddress allows = fetch_allows(addresses);
  if (const auto address = url.address()) return allows(*address);
  // A proxy may know a listed name of this machine, so it is not refused here.
  const bool is_own_name = url.host == "localhost" || url.host.ends_with(".localhost");
  if (is_own_name && !is_listed(url, hosts)) return allows(asio::ip::address_v4::loopback());
  return {};
}

std::string host_in_words(const net::Url& url) { return has_usual_port(url) ? name_in_url(url) : url.place(); }

net::AllowProxiedName allow_listed_names(std::vector<std::string> hosts, PrivateAddresses addresses) {
  return [hosts = std::move(hosts), addresses](const net::Url& url) -> Result<> {
    if (addresses == PrivateAddresses::allowed || is_listed(url, hosts)) return {};
    return fail(ErrorKind::permission, fmt::format("behind a proxy the address of `{}` cannot be checked", url.place()),
                "list the host in tools.workspace_tools.fetch_hosts");
  };
}

std::unique_ptr<net::HttpClient> make_fetch_client(asio::any_io_executor executor, net::ClientOptions options,
                                                   PrivateAddresses addresses) {
  options.allow_address = fetch_allows(addresses);
  return std::make_unique<net::Client>(std::move(executor), std::move(options));
}

}  // namespace deputy::tools
