// Addresses of APIs as settings name them: with or without a slash at the end; plain http only on this machine.
#pragma once

#include <string>
#include <string_view>

#include "base/fields.h"
#include "net/url.h"

namespace deputy::net {

/// Whether a URL names a loopback address or `localhost`.
bool is_this_machine(const Url& url);

/// https, or plain http to this machine; without a query.
Result<> allow_base_url(std::string_view url);

/// The same for FieldBuilder::check_with; nothing is as good as an address.
void check_base_url(const std::string& url, FieldReader& reader);

}  // namespace deputy::net
