#include "store/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace deputy::store {

std::unexpected<Error> damaged(std::string_view what, const Error& why) {
  return fail(ErrorKind::internal, fmt::format("{} is damaged: {}", what, why.message),
              "the database was changed, or written by a newer Deputy; restore it from a copy");
}

void Effects::add(Effects more) {
  if (!run) run = std::move(more.run);
  const auto append = [](auto& to, auto& from) { std::ranges::move(from, std::back_inserter(to)); };
  append(children, more.children);
  append(mail, more.mail);
  append(interactions, more.interactions);
  append(settled, more.settled);
  append(drafts, more.drafts);
  append(consumed, more.consumed);
  append(deliveries, more.deliveries);
  append(adopted, more.adopted);
  append(dues, more.dues);
  append(dues_ended, more.dues_ended);
  append(grants, more.grants);
  append(grants_used, more.grants_used);
  append(spent, more.spent);
  append(audit, more.audit);
  append(results, more.results);
  append(texts, more.texts);
  append(search, more.search);
  append(marks, more.marks);
  append(marks_ended, more.marks_ended);
}

}  // namespace deputy::store
