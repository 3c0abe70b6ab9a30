#include "base/html_entities.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "base/text.h"

namespace deputy {

namespace {

constexpr std::size_t kMaxEntity = 32;

struct Entity {
  std::string_view name;
  std::string_view text;
};

constexpr auto kEntities = std::to_array<Entity>({
    {"amp", "&"},    {"lt", "<"},     {"gt", ">"},     {"quot", "\""},  {"apos", "'"},   {"nbsp", " "},
    {"copy", "©"},   {"reg", "®"},    {"trade", "™"},  {"hellip", "…"}, {"mdash", "—"},  {"ndash", "–"},
    {"lsquo", "‘"},  {"rsquo", "’"},  {"sbquo", "‚"},  {"ldquo", "“"},  {"rdquo", "”"},  {"bdquo", "„"},
    {"laquo", "«"},  {"raquo", "»"},  {"bull", "•"},   {"middot", "·"}, {"times", "×"},  {"deg", "°"},
    {"euro", "€"},   {"pound", "£"},  {"yen", "¥"},    {"cent", "¢"},   {"sect", "§"},   {"para", "¶"},
    {"plusmn", "±"}, {"micro", "µ"},  {"frac12", "½"}, {"larr", "←"},   {"rarr", "→"},   {"uarr", "↑"},
    {"darr", "↓"},   {"check", "✓"},  {"auml", "ä"},   {"ouml", "ö"},   {"uuml", "ü"},   {"Auml", "Ä"},
    {"Ouml", "Ö"},   {"Uuml", "Ü"},   {"szlig", "ß"},  {"eacute", "é"}, {"egrave", "è"}, {"agrave", "à"},
    {"ccedil", "ç"}, {"ntilde", "ñ"}, {"oslash", "ø"}, {"aring", "å"},  {"shy", ""},     {"ensp", " "},
    {"emsp", " "},   {"thinsp", " "},
});

std::optional<std::string> decode_number(std::string_view digits) {
  int base = 10;
  if (digits.starts_with('x') || digits.starts_with('X')) {
    base = 16;
    digits.remove_prefix(1);
  }
  std::uint32_t point = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), point, base);
  if (digits.empty() || end != digits.data() + digits.size()) return std::nullopt;
  if (error != std::errc() || point == 0) return "\uFFFD";
  if (point == 0xA0) return " ";
  std::string text;
  append_utf8(text, point);
  return text;
}

}  // namespace

std::optional<HtmlEntity> html_entity_at(std::string_view text) {
  const std::size_t end = text.substr(0, kMaxEntity).find(';');
  if (!text.starts_with('&') || end == std::string_view::npos || end < 2) return std::nullopt;
  const std::string_view name = text.substr(1, end - 1);
  std::optional<std::string> decoded;
  if (name.starts_with('#')) {
    decoded = decode_number(name.substr(1));
  } else if (const auto found = std::ranges::find(kEntities, name, &Entity::name); found != kEntities.end()) {
    decoded = std::string(found->text);
  }
  if (!decoded) return std::nullopt;
  return HtmlEntity{*std::move(decoded), end + 1};
}

}  // namespace deputy
