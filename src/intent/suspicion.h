// Requests that a careful colleague would not just carry out, recognised by what they ask for: a verb that wants, an
// object that is wanted, near each other in one sentence. Words alone mean nothing ("why did the password reset fail"),
// neither do urgency nor authority ("the CEO wants to know NOW").
//
// It decides nothing: policy makes every write of such a run ask. It is no wall against someone who hides what they ask
// for; approvals, grants and the tools' own refusals are.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace deputy::intent {

enum class SuspicionKind { credentials, personal_data, bulk_export, direct_database, bypass_control, legal_request };

constexpr auto choices_of(SuspicionKind) {
  return std::array<std::pair<SuspicionKind, std::string_view>, 6>{{{SuspicionKind::credentials, "credentials"},
                                                                    {SuspicionKind::personal_data, "personal_data"},
                                                                    {SuspicionKind::bulk_export, "bulk_export"},
                                                                    {SuspicionKind::direct_database, "direct_database"},
                                                                    {SuspicionKind::bypass_control, "bypass_control"},
                                                                    {SuspicionKind::legal_request, "legal_request"}}};
}

struct Suspicion {
  SuspicionKind kind{};
  std::string_view reason;  // for the card: "it asks for credentials"; never holds text of the request

  bool operator==(const Suspicion&) const = default;
};

/// Any bytes; linear time. What lies past the first 40,000 characters is not read.
std::optional<Suspicion> suspicious(std::string_view request);

}  // namespace deputy::intent
