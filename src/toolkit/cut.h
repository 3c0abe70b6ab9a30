// Decides how much of a result is kept and how much of it the model sees. Every cut is announced: a line says what was
// cut and how to get the rest.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "toolkit/spec.h"

namespace deputy::toolkit {

struct CutLimits {
  std::size_t shown = 8000;       // characters, including the line about the cut
  std::size_t whole = 1'000'000;  // bytes, including the line about the cut
};

struct CutResult {
  std::string whole;  // kept next to the journal
  std::string shown;  // shown to the model; the same text if nothing was cut

  bool operator==(const CutResult&) const = default;
};

/// Redacts secrets. It must see whole texts: half a secret is not recognised.
using Redact = std::function<std::string(std::string_view text)>;

/// Withholds the text if the redactor fails: better no text than one with a secret in it.
std::string redact_or_withhold(std::string_view text, const Redact& redact);

/// Redacts and bounds `text`; the shown part is compacted, then cut. Its last line names `read_result(call_id,
/// offset)`.
CutResult cut_result(std::string text, std::string_view call_id, const Redact& redact, const Compaction& compact,
                     const CutLimits& limits = {});

/// A result or error that the model was shown, for people: without the advice that is for the model alone.
std::string for_people(std::string_view shown);

/// The answer of `read_result`: a kept result from character `offset` on, cut with a line that says how to read on.
std::string page_of(std::string_view whole, std::string_view call_id, std::size_t offset, const CutLimits& limits = {});

}  // namespace deputy::toolkit
