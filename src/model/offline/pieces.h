// A request cut into pieces as a reader sees them: words, names such as `order-desk` or release/1.2 in one piece,
// quoted text in one piece. What each piece is for is decided by who fills a parameter (fill.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace deputy::model::offline {

enum class PieceKind { word, name, number, quoted, url, channel };

struct Piece {
  PieceKind kind = PieceKind::word;
  std::string text;  // as written, without its quotes
  std::string lower;
  bool breaks = false;    // a comma, a colon or the end of a sentence lies before it
  bool assigned = false;  // an equals sign or a colon ties it to the piece before it: `ref=main`
};

/// At most some hundred pieces: what a person asks for stands at the beginning.
std::vector<Piece> pieces_of(std::string_view request);

}  // namespace deputy::model::offline
