#include "run/place.h"

#include "base/fields_codec.h"

namespace deputy::policy {

constexpr auto choices_of(PlaceKind) {
  using K = PlaceKind;
  return std::to_array<std::pair<K, std::string_view>>({{K::terminal, "terminal"},
                                                        {K::own, "own"},
                                                        {K::direct, "direct"},
                                                        {K::private_channel, "private_channel"},
                                                        {K::public_channel, "public_channel"}});
}

constexpr auto choices_of(OpenTo) {
  return std::to_array<std::pair<OpenTo, std::string_view>>({{OpenTo::nobody, "nobody"}, {OpenTo::members, "members"}});
}

}  // namespace deputy::policy

namespace deputy::run {

namespace {

struct StoredPlace : policy::Place {
  template <class Fields>
  static void fields(Fields& f) {
    using P = StoredPlace;
    f.required(static_cast<std::string P::*>(&P::channel), "channel", "The kind of channel");
    f.optional(static_cast<std::string P::*>(&P::id), "id", "The platform's channel");
    f.required(static_cast<policy::PlaceKind P::*>(&P::kind), "kind", "Who can see it");
    f.optional(static_cast<bool P::*>(&P::external), "external", "Shared with another team");
    f.optional(static_cast<policy::OpenTo P::*>(&P::open_to), "open_to", "Who may speak where settings do not say");
  }
};

}  // namespace

json::object write_place(const policy::Place& place) { return to_json(StoredPlace{place}); }

Result<policy::Place> read_place(const json::object& stored) {
  TRY(StoredPlace place, parse_arguments<StoredPlace>(stored));
  return policy::Place(std::move(place));
}

policy::Account account_of(std::string_view key) {
  const std::size_t colon = key.find(':');
  if (colon == std::string_view::npos) return {std::string(key), {}};
  return {std::string(key.substr(0, colon)), std::string(key.substr(colon + 1))};
}

}  // namespace deputy::run
