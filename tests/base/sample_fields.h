// Two lists of fields, small enough to write out what is expected of them, for the tests of fields. Every kind of field
// is in support/rich_fields.h.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "support/rich_fields.h"

namespace deputy {

inline void PrintTo(const Problem& problem, std::ostream* out) {
  *out << problem.path << ": " << problem.message << " (" << problem.hint << ")";
}

namespace test {

struct SearchParams {
  std::string query;
  std::optional<int> limit;
  int page = 1;

  bool operator==(const SearchParams&) const = default;
  void check(FieldReader& reader) const {
    if (query == "everything" && page > 1) reader.problem("there is one page of everything", "leave `page` out");
  }

  template <class Fields>
  static void fields(Fields& f) {
    using P = SearchParams;
    f.required(&P::query, "query", "Words to look for").characters(1, 12);
    f.optional(&P::limit, "limit", "How many").in_range(1, 336).default_is(4);
    f.optional(&P::page, "page", "Which page").at_least(1);
  }
};

struct Account {
  std::string user;
  Secret token;
  std::map<std::string, SearchParams> saved;

  template <class Fields>
  static void fields(Fields& f) {
    using P = Account;
    f.required(&P::user, "user", "Who logs in");
    f.optional(&P::token, "token", "What proves it").from_variable("VENDOR_TOKEN");
    f.rest(&P::saved, "<search>", "A saved search");
  }
};

inline json::object object(std::string_view text) { return *parse_json_object(text); }

/// All that is wrong with it.
template <class T>
std::vector<Problem> problems_in(std::string_view text, FieldReader::Scalars scalars = FieldReader::Scalars::typed) {
  FieldReader reader(scalars);
  T parsed{};
  FieldCodec<T>::read_object(object(text), parsed, reader);
  return reader.take_problems();
}

/// What comes of a request with nothing but `query`.
inline RichFields rich(std::string query = "q") {
  RichFields expected;
  expected.query = std::move(query);
  expected.limit = 10;
  return expected;
}

}  // namespace test
}  // namespace deputy
