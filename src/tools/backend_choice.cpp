#include "tools/backend_choice.h"

#include <fmt/format.h>

#include "base/text.h"

namespace deputy::tools {

void check_backend(const std::string& backend, const std::vector<std::string>& known, FieldReader& reader) {
  if (backend.empty() || contains(known, backend)) return;
  const FieldReader::Deeper inside(reader, "backend");
  reader.problem(fmt::format("there is no backend `{}` for these tools", cut_with_mark(backend, 60)),
                 fmt::format("known here: {}", list_names(known)));
}

Result<std::string> choose_backend(const BackendChoice& choice, const std::vector<std::string>& set_up,
                                   const Service* service) {
  std::string wanted = choice.usual;
  std::string said_by = fmt::format("tools.{}.backend", choice.category);
  if (service != nullptr) {
    if (const auto own = service->backends.find(choice.family); own != service->backends.end()) {
      wanted = own->second;
      said_by = fmt::format("the registry's entry of `{}`", service->key);
    }
  }
  if (set_up.empty()) {
    return fail(ErrorKind::not_configured, fmt::format("no backend for {} is set up", choice.family),
                "set " + choice.missing);
  }
  if (!wanted.empty()) {
    if (contains(set_up, wanted)) return wanted;
    return fail(ErrorKind::not_configured,
                fmt::format("{} names the backend `{}` for {}, which is not set up", said_by, cut_with_mark(wanted, 60),
                            choice.family),
                fmt::format("set tools.{}.{}, or name one that is set up: {}", choice.category,
                            cut_with_mark(wanted, 60), list_names(set_up)));
  }
  if (set_up.size() == 1) return set_up.front();
  return fail(ErrorKind::invalid_input,
              fmt::format("several backends for {} are set up and nothing says which to use: {}", choice.family,
                          list_names(set_up)),
              fmt::format("name one as tools.{}.backend, or for a service as `backends: {{{}: {}}}` in the registry",
                          choice.category, choice.family, set_up.front()));
}

}  // namespace deputy::tools
