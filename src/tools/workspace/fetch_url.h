// Where fetch_url may go: which hosts without asking, which addresses never. Pure.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/fields.h"
#include "net/client.h"
#include "net/url.h"

namespace deputy::tools {

/// Whether addresses that only this machine and its neighbours reach may be read from.
enum class PrivateAddresses { refused, allowed };

/// Listed means: this very name, and the usual port of http or https unless the entry ends in another (":8080").
bool is_listed(const net::Url& url, const std::vector<std::string>& hosts);

/// Whether every entry is one that could match.
void check_fetch_hosts(const std::vector<std::string>& hosts, FieldReader& reader);

/// A redirect is followed when a call with that URL would not have asked, or when it stays on the host of this one.
bool may_follow(const net::Url& from, const net::Url& to, const std::vector<std::string>& hosts);

/// Public addresses are allowed; private, shared, unique-local and loopback ones only when `addresses` says so; others
/// (link-local, where clouds keep credentials; multicast; reserved ones) never.
net::AllowAddress fetch_allows(PrivateAddresses addresses);

/// What fetch_allows would refuse whatever a name server said: an address in its place, and names of this machine that
/// nobody listed. Told before anybody is asked.
Result<> refuse_at_sight(const net::Url& url, const std::vector<std::string>& hosts, PrivateAddresses addresses);

/// As `fetch_hosts` lists it: with the port only where it is not the usual one.
std::string host_in_words(const net::Url& url);

/// Behind a proxy nobody here sees where a name leads: then only names that are listed are given to it, or any when
/// private addresses are allowed.
net::AllowProxiedName allow_listed_names(std::vector<std::string> hosts, PrivateAddresses addresses);

/// The client that fetch_url is given: a pool of its own, in which every connection was checked by fetch_allows.
std::unique_ptr<net::HttpClient> make_fetch_client(asio::any_io_executor executor, net::ClientOptions options,
                                                   PrivateAddresses addresses);

}  // namespace deputy::tools
