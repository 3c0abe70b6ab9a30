// How settings write people, roles, accounts and groups. The spellings do not overlap, so what an entry means can be
// told from the entry alone, and a name can never collide with an id:
//
//   ana                  a name of a person or role: lower case
//   ana@example.com      an e-mail
//   T1/U1, S1            an id as its platform writes it: capitals and at least one digit
//   <channel>:42         an id with its channel kind; needed for ids of digits alone, which two platforms might share
//
// Whatever else is written ("Ana Lee", "@ana") is a display name. Anyone can take any display name: they are refused.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace deputy::policy {

enum class Spelling { name, email, id, id_with_channel, bare_number, display_name };

Spelling spelling_of(std::string_view entry);

}  // namespace deputy::policy
