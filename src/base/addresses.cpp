#include "base/addresses.h"

#include <algorithm>

#include "base/text.h"

namespace deputy {
namespace {

bool is_scheme(char c) { return is_letter_or_digit(c) || c == '+' || c == '-' || c == '.'; }

// An address ends where prose or Markdown goes on; a closing parenthesis belongs to it when it opened there.
std::size_t address_size(std::string_view text) {
  std::size_t end = 0;
  int open = 0;
  for (; end < text.size(); ++end) {
    const char c = text[end];
    if (static_cast<unsigned char>(c) <= ' ' || c == 0x7F || std::string_view("<>\"`[]|{}\\").contains(c)) break;
    if (c == '(') ++open;
    if (c == ')' && --open < 0) break;
  }
  while (end > 0 && std::string_view(".,;:!?'*_~").contains(text[end - 1])) --end;
  return end;
}

}  // namespace

AddressScan scan_address(std::string_view text) {
  const auto behind = std::ranges::find_if_not(text, is_scheme);
  AddressScan scan{.word = static_cast<std::size_t>(behind - text.begin())};
  const std::string_view word = text.substr(0, scan.word);
  if (text.substr(scan.word).starts_with("://") || to_lower(word.substr(0, 4)) == "www.") {
    scan.address = std::max(address_size(text), scan.word);
  }
  return scan;
}

std::optional<std::string> host_of(std::string_view address) {
  const std::size_t scheme_end = address.find("://");
  if (scheme_end == std::string_view::npos) return std::nullopt;
  const std::string scheme = to_lower(address.substr(0, std::min<std::size_t>(scheme_end, 6)));
  if (scheme != "http" && scheme != "https") return std::nullopt;
  const std::string_view rest = address.substr(scheme_end + 3);
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  const std::string_view host = authority.substr(0, authority.find(':'));
  const std::string_view port = authority.substr(host.size());
  const bool plain =
      std::ranges::all_of(host, [](char c) { return is_letter_or_digit(c) || c == '-' || c == '.' || c == '_'; });
  const bool plain_port = port.empty() || std::ranges::all_of(port.substr(1), is_digit);
  if (host.empty() || !plain || !plain_port || address.contains('\\')) return std::nullopt;
  return to_lower(host);
}

void add_hosts(std::string_view text, Hosts& hosts) {
  while (!text.empty()) {
    if (!is_letter(text.front())) {
      text.remove_prefix(1);
      continue;
    }
    const AddressScan scan = scan_address(text);
    if (scan.address > 0) {
      if (auto host = host_of(text.substr(0, scan.address))) hosts.insert(*std::move(host));
    }
    text.remove_prefix(std::max(scan.word, scan.address));
  }
}

}  // namespace deputy
