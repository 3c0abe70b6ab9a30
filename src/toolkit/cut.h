// How much of a result is kept and how much the model sees of it. Nothing is ever cut in silence: a line says what was
// cut and how to have the rest.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "toolkit/spec.h"

namespace deputy::toolkit {

struct CutLimits {
  std::size_t shown = 8000;       // characters, the line that says so included
  std::size_t whole = 1'000'000;  // bytes, the line that says so included
};

struct CutResult {
  std::string whole;  // what is kept beside the journal
  std::string shown;  // what the model sees; the same text when nothing was cut

  bool operator==(const CutResult&) const = default;
};

/// Replaces secrets. It must see whole texts: half a secret is not recognised.
using Redact = std::function<std::string(std::string_view text)>;

/// A redactor that fails withholds the text: better none than one with a secret in it.
std::string redact_or_withhold(std::string_view text, const Redact& redact);

/// `text` redacted and bounded, and from that what is shown: compacted, then cut. The line names
/// `read_result(call_id, offset)`.
CutResult cut_result(std::string text, std::string_view call_id, const Redact& redact, const Compaction& compact,
                     const CutLimits& limits = {});

/// The answer of `read_result`: what begins at `offset` (in characters) of a kept result, cut with a line that says how
/// to read on.
std::string page_of(std::string_view whole, std::string_view call_id, std::size_t offset, const CutLimits& limits = {});

}  // namespace deputy::toolkit
