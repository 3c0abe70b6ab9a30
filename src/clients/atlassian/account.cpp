#include "clients/atlassian/account.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/json_pointer.h"
#include "base/text.h"

namespace deputy::clients::atlassian {

namespace {

constexpr std::string_view kSettings = "tools.ticket_tools.jira";
constexpr std::string_view kGateway = "/ex/jira/";  // of api.atlassian.com, before the cloud id
constexpr std::string_view kWiki = "/wiki";

constexpr std::string_view kCheckToken =
    "check JIRA_EMAIL and JIRA_API_TOKEN: the token may have expired or belong to another account; a token with scopes "
    "needs https://api.atlassian.com/ex/jira/<cloud id> as JIRA_URL";

constexpr auto kJiraErrors = std::to_array<rest::Meaning>({
    {.status = 400,
     .kind = ErrorKind::invalid_input,
     .hint = "correct what the message names; a search takes plain words, or JQL with at least one condition"},
    {.status = 401,
     .kind = ErrorKind::authentication,
     .message = "it does not accept the email and the API token",
     .hint = kCheckToken},
    {.status = 403,
     .kind = ErrorKind::permission,
     .message = "Deputy's account may not do this",
     .hint = "ask an administrator of the Jira project to give Deputy's account this permission"},
    {.status = 404,
     .kind = ErrorKind::not_found,
     .message = "it does not exist, or Deputy's account may not see it",
     .hint = "check the key; if it is right, let Deputy's account browse the project"},
    {.status = 410,
     .kind = ErrorKind::not_found,
     .message = "it no longer offers this API",
     .hint = "check tools.ticket_tools.jira.url: Deputy needs Jira Cloud; if it is one, Deputy needs an update"},
});

constexpr auto kConfluenceErrors = std::to_array<rest::Meaning>({
    {.status = 400,
     .kind = ErrorKind::invalid_input,
     .hint = "write plain words; list_confluence_spaces names the keys of spaces"},
    {.status = 401,
     .kind = ErrorKind::authentication,
     .message = "it does not accept the email and the API token",
     .hint = kCheckToken},
    {.status = 403,
     .kind = ErrorKind::permission,
     .message = "Deputy's account may not do this",
     .hint = "let Deputy's account use Confluence and view the space"},
    {.status = 404,
     .kind = ErrorKind::not_found,
     .message = "it does not exist, or Deputy's account may not see it",
     .hint = "take the page's id from search_confluence; if it is right, let Deputy's account view the space"},
    {.status = 410,
     .kind = ErrorKind::not_found,
     .message = "it no longer offers this API",
     .hint =
         "check tools.doc_tools.confluence.url: Deputy needs Confluence Cloud; if it is one, Deputy needs an update"},
});

std::string_view without_slashes(std::string_view url) {
  while (url.ends_with('/')) url.remove_suffix(1);
  return url;
}

void add_credentials(const Settings& settings, std::vector<std::string>& missing) {
  if (settings.email.empty()) missing.push_back(fmt::format("{}.email (JIRA_EMAIL)", kSettings));
  if (settings.token.empty()) missing.push_back(fmt::format("{}.token (JIRA_API_TOKEN)", kSettings));
}

std::shared_ptr<rest::Api> api(rest::VendorName vendor, std::string url, const Settings& settings,
                               net::HttpClient& http, const Clock& clock) {
  return std::make_shared<rest::Api>(rest::Account{.vendor = std::move(vendor),
                                                   .base_url = std::move(url),
                                                   .auth = rest::basic(settings.email, settings.token),
                                                   .headers = {}},
                                     http, clock);
}

}  // namespace

std::string missing_for_jira(const Settings& settings) {
  std::vector<std::string> missing;
  if (settings.url.empty()) missing.push_back(fmt::format("{}.url (JIRA_URL)", kSettings));
  add_credentials(settings, missing);
  return join(missing, ", ");
}

std::string missing_for_confluence(const Settings& settings, std::string_view confluence_url) {
  std::vector<std::string> missing;
  if (settings.url.empty() && confluence_url.empty())
    missing.push_back(fmt::format("{}.url (JIRA_URL) or tools.doc_tools.confluence.url (CONFLUENCE_URL)", kSettings));
  add_credentials(settings, missing);
  return join(missing, ", ");
}

std::string confluence_url_of(std::string_view jira_url) {
  std::string url(without_slashes(jira_url));
  if (const std::size_t at = url.find(kGateway); at != std::string::npos)
    url.replace(at, kGateway.size(), "/ex/confluence/");
  return url + std::string(kWiki);
}

std::string site_of(std::string_view jira_url) {
  if (jira_url.contains(kGateway)) return {};
  return std::string(without_slashes(jira_url));
}

std::shared_ptr<rest::Api> jira(const Settings& settings, net::HttpClient& http, const Clock& clock) {
  return api({.name = "Jira",
              .address_setting = fmt::format("{}.url", kSettings),
              .token_setting = fmt::format("{}.token", kSettings),
              .meanings = kJiraErrors},
             settings.url, settings, http, clock);
}

std::shared_ptr<rest::Api> confluence(const Settings& settings, const std::string& confluence_url,
                                      net::HttpClient& http, const Clock& clock) {
  return api({.name = "Confluence",
              .address_setting = "tools.doc_tools.confluence.url",
              .token_setting = fmt::format("{}.token", kSettings),
              .meanings = kConfluenceErrors},
             confluence_url.empty() ? confluence_url_of(settings.url) : confluence_url, settings, http, clock);
}

rest::NextPage next_in_confluence(std::string pointer) {
  return
      [pointer = std::move(pointer)](const rest::Call& asked, const rest::Reply& reply) -> std::optional<rest::Call> {
        std::string next = text_in(reply.body, pointer);
        if (next.empty()) return std::nullopt;
        // The account's address ends in /wiki.
        if (next.starts_with("/wiki/")) next.erase(0, kWiki.size());
        rest::Call call = asked;
        call.path = std::move(next);
        call.query.clear();
        return call;
      };
}

std::optional<Timestamp> parse_time(std::string_view text) {
  std::string whole(text.substr(0, 64));
  const std::size_t sign = whole.find_last_of("+-");
  const bool bare = sign != std::string::npos && sign > whole.find('T') && whole.size() == sign + 5;
  if (bare) whole.insert(sign + 3, ":");
  const Result<Timestamp> at = parse_timestamp(whole);
  return at ? std::optional(*at) : std::nullopt;
}

std::string quoted(std::string_view text) {
  std::string inside = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') inside += '\\';
    inside += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return inside + '"';
}

std::string search_words(std::string_view text) {
  text = trim(text);
  const bool phrase = text.size() > 2 && text.starts_with('"') && text.ends_with('"');
  std::string plain = to_valid_utf8(std::string(text));
  constexpr std::string_view kSigns = "\"\\+!(){}[]^~*?:/&|<>=,;";
  std::ranges::replace_if(
      plain, [&](char c) { return kSigns.contains(c) || static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, ' ');
  std::vector<std::string> words;
  for (std::string_view word : split(plain, " ")) {
    // A minus in front excludes a word; within one it is part of a name.
    while (word.starts_with('-') || word.starts_with('\'')) word.remove_prefix(1);
    while (word.ends_with('-') || word.ends_with('\'')) word.remove_suffix(1);
    if (word.empty()) continue;
    const bool is_operator = word == "AND" || word == "OR" || word == "NOT";
    words.push_back(is_operator ? to_lower(word) : std::string(word));
  }
  const std::string joined = join(words, " ");
  return phrase && !joined.empty() ? "\"" + joined + "\"" : joined;
}

}  // namespace deputy::clients::atlassian
