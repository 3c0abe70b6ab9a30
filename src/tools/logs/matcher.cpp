#include "tools/logs/matcher.h"

#include <re2/re2.h>

#include <algorithm>
#include <bit>

#include "base/text.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace deputy::tools::logs {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

/// How common a byte is in logs: the smaller, the rarer.
std::size_t commonness(char c) {
  constexpr std::string_view kRarestFirst = "~`^%$#!&*@;?<>|+\\zqjx'Q(){}[],_kvbw\"=ygpfumh/lcd-.:9876543nsairoet201 ";
  const std::size_t at = kRarestFirst.find(c);
  return at == std::string_view::npos ? 0 : at + 1;
}

}  // namespace

Needle::Needle(std::string word) : word_(std::move(word)) {
  for (std::size_t at = 1; at < word_.size(); ++at) {
    if (commonness(word_[at]) < commonness(word_[rare_])) rare_ = at;
  }
  second_ = word_.size() > 1 && rare_ == 0 ? 1 : 0;
  for (std::size_t at = 0; at < word_.size(); ++at) {
    if (at != rare_ && commonness(word_[at]) < commonness(word_[second_])) second_ = at;
  }
}

bool Needle::is_at(const char* place) const {
  for (std::size_t at = 0; at < word_.size(); ++at) {
    if (lower(place[at]) != word_[at]) return false;
  }
  return true;
}

std::size_t Needle::find(std::string_view bytes, std::size_t from) const {
  if (bytes.size() < word_.size()) return npos;
  const std::size_t last = bytes.size() - word_.size();  // where it may begin
  const char* data = bytes.data();
  std::size_t at = from;
#if defined(__SSE2__)
  // Setting bit 0x20 turns a capital into a small letter. It changes other bytes too; is_at rejects those.
  const __m128i rare_fold = _mm_set1_epi8(is_lower(word_[rare_]) ? 0x20 : 0);
  const __m128i second_fold = _mm_set1_epi8(is_lower(word_[second_]) ? 0x20 : 0);
  const __m128i rare = _mm_set1_epi8(word_[rare_]);
  const __m128i second = _mm_set1_epi8(word_[second_]);
  const auto matches = [&](std::size_t begin) {
    const auto* rare_place = reinterpret_cast<const __m128i*>(data + begin + rare_);
    const auto* second_place = reinterpret_cast<const __m128i*>(data + begin + second_);
    const __m128i is_rare = _mm_cmpeq_epi8(_mm_or_si128(_mm_loadu_si128(rare_place), rare_fold), rare);
    const __m128i is_second = _mm_cmpeq_epi8(_mm_or_si128(_mm_loadu_si128(second_place), second_fold), second);
    return _mm_and_si128(is_rare, is_second);
  };
  constexpr std::size_t kStep = 16;
  constexpr std::size_t kStride = 4 * kStep;
  const auto first_of = [&](std::size_t begin, unsigned mask) {
    for (; mask != 0; mask &= mask - 1) {
      const std::size_t place = begin + static_cast<std::size_t>(std::countr_zero(mask));
      if (is_at(data + place)) return place;
    }
    return npos;
  };
  // Every position of a stride may be a beginning of the word, so no load reads past the end.
  for (; at + kStride <= last + 1; at += kStride) {
    const __m128i a = matches(at), b = matches(at + kStep), c = matches(at + 2 * kStep), d = matches(at + 3 * kStep);
    if (_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(c, d))) == 0) continue;
    std::size_t begin = at;
    for (const __m128i found : {a, b, c, d}) {
      const std::size_t place = first_of(begin, static_cast<unsigned>(_mm_movemask_epi8(found)));
      if (place != npos) return place;
      begin += kStep;
    }
  }
#endif
  for (; at <= last; ++at) {
    if (lower(data[at + rare_]) == word_[rare_] && is_at(data + at)) return at;
  }
  return npos;
}

Matcher::Matcher(const TextQuery& query) {
  if (!query.regex.empty()) {
    RE2::Options options;
    options.set_log_errors(false);
    options.set_never_nl(true);                                                      // a match stays within one line
    expression_ = std::make_shared<const RE2>("(?m:" + query.regex + ")", options);  // ^ and $ match at lines
  }
  const auto longest = std::ranges::max_element(query.words, {}, &std::string::size);
  for (auto word = query.words.begin(); word != query.words.end(); ++word) {
    if (word == longest) {
      needle_.emplace(*word);
    } else {
      others_.emplace_back(*word);
    }
  }
}

std::size_t Matcher::find(std::string_view bytes, std::size_t from) const {
  if (needle_) return needle_->find(bytes, from);
  re2::StringPiece found;
  const re2::StringPiece text(bytes.data(), bytes.size());
  if (!expression_->Match(text, from, bytes.size(), RE2::UNANCHORED, &found, 1)) return npos;
  return static_cast<std::size_t>(found.data() - bytes.data());
}

bool Matcher::matches(std::string_view entry) const {
  return std::ranges::all_of(others_, [&](const Needle& needle) { return needle.is_in(entry); });
}

}  // namespace deputy::tools::logs
