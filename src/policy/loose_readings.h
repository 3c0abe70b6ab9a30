// Every text in which a denied command might stand in a command line, however it is quoted, nested or wrapped (`sudo`,
// `env X=1`, `sh -c '…'`, `$(…)`), also in a line that does not parse: a deny pattern must not be dodged by adding
// `$(`.
//
// Readings know no structure, so a denied command that is only quoted (`echo "rm -rf /"`) is found too: refused once
// too often rather than once too little. They know no values of variables and decode no escapes such as $'\x72'; lines
// with those do not parse, and rulings.cpp lets nothing that does not parse through unasked where there are deny
// patterns.
//
// Known limit: what another program makes of its arguments is not read (`python -c …`, `base64 -d | sh`, a glob that a
// wrapper is given as a command). A deny pattern is a fence, not a sandbox: under mode allow_all such a line runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace deputy::policy {

/// Lines of possible commands. Quotes and backslashes are gone, operators are line ends, space is single. The further
/// ones also have braces replaced by space, and variables by space or by nothing. Linear in the line, at most six.
std::vector<std::string> loose_readings(std::string_view line);

/// Where in a reading a command might begin: at each word, and after each `/` or `=` in one.
std::vector<std::size_t> possible_starts(std::string_view reading);

}  // namespace deputy::policy
