// The rules of fetch_url: which hosts it may read from without asking, and which addresses it never reads from.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/fields.h"
#include "net/client.h"
#include "net/url.h"

namespace deputy::tools {

/// Says if fetch_url may read from addresses that are reachable only from this machine and its network.
enum class PrivateAddresses { refused, allowed };

/// True if an entry has exactly this host name and, unless it ends in a port (":8080"), the URL has the default port.
bool is_listed(const net::Url& url, const std::vector<std::string>& hosts);

/// Reports every entry that is not a valid host.
void check_fetch_hosts(const std::vector<std::string>& hosts, FieldReader& reader);

/// True if a redirect may be followed: its target is listed, or it stays on the same host.
bool may_follow(const net::Url& from, const net::Url& to, const std::vector<std::string>& hosts);

/// Allows public addresses, and private, shared, unique-local and loopback ones only if `addresses` says so. Never
/// allows the rest: link-local (where clouds keep credentials), multicast and reserved ones.
net::AllowAddress fetch_allows(PrivateAddresses addresses);

/// Refuses what fetch_allows would refuse whatever a name server says: a forbidden address in the URL, and unlisted
/// names of this machine. It is checked before anybody is asked for an approval.
Result<> refuse_at_sight(const net::Url& url, const std::vector<std::string>& hosts, PrivateAddresses addresses);

/// The host as `fetch_hosts` lists it: with the port only if it is not the default one.
std::string host_in_words(const net::Url& url);

/// Behind a proxy we cannot check the address of a name. So only listed names are sent to the proxy, or any name if
/// private addresses are allowed.
net::AllowProxiedName allow_listed_names(std::vector<std::string> hosts, PrivateAddresses addresses);

/// The HTTP client for fetch_url: it has its own pool, in which every connection was checked by fetch_allows.
std::unique_ptr<net::HttpClient> make_fetch_client(asio::any_io_executor executor, net::ClientOptions options,
                                                   PrivateAddresses addresses);

}  // namespace deputy::tools
