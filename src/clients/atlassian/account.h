// An Atlassian account: one site, one email address and one API token for Jira and Confluence. Both are reached through
// rest::Api with what their refusals mean.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/secret.h"
#include "clients/rest/api.h"
#include "clients/rest/pages.h"
#include "net/url.h"

namespace deputy::clients::atlassian {

struct Settings {
  std::string url;
  std::string email;
  Secret token;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&Settings::url, "url", "The address of the Atlassian site, such as https://example.atlassian.net")
        .from_variable("JIRA_URL")
        .check_with(net::check_base_url);
    f.optional(&Settings::email, "email", "The email address of the account that the token belongs to")
        .from_variable("JIRA_EMAIL");
    f.optional(&Settings::token, "token", "An API token of that account, for Jira and Confluence")
        .from_variable("JIRA_API_TOKEN");
  }
};

/// What to set before Jira can be called; empty: nothing.
std::string missing_for_jira(const Settings& settings);
/// The same for Confluence, whose address may come from that of the site.
std::string missing_for_confluence(const Settings& settings, std::string_view confluence_url);

/// The address of Confluence on the site: `/wiki` under it; for a scoped token, beside Jira's on api.atlassian.com.
std::string confluence_url_of(std::string_view jira_url);

/// The address of people's pages; empty if the API is reached where no pages are, as with a scoped token.
std::string site_of(std::string_view jira_url);

/// Nothing may be missing. Client and clock outlive them.
std::shared_ptr<rest::Api> jira(const Settings& settings, net::HttpClient& http, const Clock& clock);
std::shared_ptr<rest::Api> confluence(const Settings& settings, const std::string& confluence_url,
                                      net::HttpClient& http, const Clock& clock);

/// The next page at a JSON pointer. Confluence writes it relative to the host in one API, to `/wiki` in the other.
rest::NextPage next_in_confluence(std::string pointer);

/// Parses RFC 3339, and the zones without a colon that Jira writes: "2026-11-15T04:10:02.123+0000".
std::optional<Timestamp> parse_time(std::string_view text);

/// Text between the quotes of JQL or CQL.
std::string quoted(std::string_view text);

/// Words as the text searches of both take them: without the signs that are operators there. A text in quotes stays a
/// phrase. Empty if nothing to look for is left.
std::string search_words(std::string_view text);

}  // namespace deputy::clients::atlassian
