// A tool is a capability: it describes itself and composes a chain of handlers for one call. It never acts, prompts,
// reads settings, or knows which channel it serves.
//
// To add one: a struct of parameters with fields(), and a function that returns make_tool<Params>(spec, compose), in a
// file of its own. tests/support/sample_tools.h shows three.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/fields.h"
#include "base/json.h"
#include "base/result.h"
#include "toolkit/pipeline.h"
#include "toolkit/spec.h"

namespace deputy::toolkit {

class Tool {
 public:
  virtual ~Tool() = default;

  /// The same for as long as the tool lives.
  virtual const ToolSpec& spec() const = 0;

  /// The arguments with every default filled in, or an error a model can act on that names all problems: what digests
  /// are made of and handlers are given. Doing it again changes nothing.
  virtual Result<json::object> complete_arguments(const json::object& arguments) const = 0;

  /// What is wrong with arguments of which some may be missing: the defaults that settings give.
  virtual std::vector<Problem> problems_of(const json::object& some_arguments) const = 0;

  /// The chain for these arguments, checked. Pure: no I/O, and the same arguments give the same chain. Whatever the
  /// arguments are it returns, and throws nothing.
  Result<Pipeline> compose(const json::object& arguments) const;

 private:
  virtual Result<Pipeline> chain_for(const json::object& arguments) const = 0;
};

/// `arguments` without the members that are null: to Deputy a null member is a missing one.
json::object without_nulls(json::object arguments);

template <HasFields Params>
using Compose = std::function<Result<Pipeline>(const Params&)>;

/// A tool from one typed declaration: schema, parser, defaults and messages come from the fields of Params.
template <HasFields Params>
class TypedTool final : public Tool {
 public:
  TypedTool(ToolSpec spec, Compose<Params> compose) : spec_(std::move(spec)), compose_(std::move(compose)) {
    spec_.params = json_schema<Params>();
    for (const auto& field : fields_of<Params>().fields()) {
      for (const auto& [kind, name] : choices_of(Kind{})) {
        if (name == field->info.kind) spec_.kinds[field->info.name] = kind;
      }
    }
  }

  const ToolSpec& spec() const override { return spec_; }

  Result<json::object> complete_arguments(const json::object& arguments) const override {
    TRY(const Params params, parse_arguments<Params>(arguments));
    return without_nulls(to_json(params));
  }

  std::vector<Problem> problems_of(const json::object& some_arguments) const override {
    FieldReader reader(FieldReader::Scalars::typed);
    const FieldList<Params>& list = fields_of<Params>();
    Params scratch{};
    for (const auto& argument : some_arguments) {
      if (const auto* field = list.find(as_view(argument.key()))) {
        const FieldReader::Deeper deeper(reader, field->info.name);
        if (!argument.value().is_null()) field->read(argument.value(), scratch, reader, field->info);
      } else if (list.rest() != nullptr) {
        list.rest()->read(json::object{{argument.key(), argument.value()}}, scratch, reader, list.rest()->info);
      } else {
        report_unknown_key(reader, as_view(argument.key()), list.names());
      }
    }
    return reader.take_problems();
  }

 private:
  Result<Pipeline> chain_for(const json::object& arguments) const override {
    TRY(const Params params, parse_arguments<Params>(arguments));
    return compose_(params);
  }

  ToolSpec spec_;
  Compose<Params> compose_;
};

template <HasFields Params>
std::shared_ptr<const Tool> make_tool(ToolSpec spec, Compose<Params> compose) {
  return std::make_shared<TypedTool<Params>>(std::move(spec), std::move(compose));
}

}  // namespace deputy::toolkit
