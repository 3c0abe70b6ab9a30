// Recognises requests that a careful colleague would question first, by what they ask for: a verb that asks for
// something ("show", "export") near a sensitive object in one sentence. A word alone is not enough ("why did the
// password reset fail"), and urgency or authority do not count ("the CEO wants to know NOW").
//
// It decides nothing: policy makes every write of such a run ask for approval. It does not protect against people who
// disguise what they ask for; approvals, grants and the tools' own checks do.
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
  std::string_view reason;  // for the card: "it asks for credentials"; never contains text of the request

  bool operator==(const Suspicion&) const = default;
};

/// Takes any bytes; linear time. Nothing past the first 40,000 characters is read.
std::optional<Suspicion> suspicious(std::string_view request);

}  // namespace deputy::intent
