#include "tools/workspace/fetch_hosts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "net/address.h"

namespace deputy::tools {

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
    reader.problem(fmt::format("`{}` is no host", cut_with_mark(entry, 100)),
                   "write a name, and a port where it is not the usual one: status.example.com, api.example.com:8443");
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
    return fail(ErrorKind::permission, fmt::format("the host leads to {}, which is not read from", net::describe(kind)),
                is_private(kind) ? "tools.workspace_tools.fetch_private allows it" : "");
  };
}

Result<> refuse_at_sight(const net::Url& url, const std::vector<std::string>& hosts, PrivateAddresses addresses) {
  const net::AllowAddress allows = fetch_allows(addresses);
  if (const auto address = url.address()) return allows(*address);
  // A listed one may be known to a proxy, which is asked then.
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
