#include "run/journal/golden_journal.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "base/json.h"

namespace deputy::run {

namespace {

const std::filesystem::path kFolder = GOLDEN_FOLDER;

}  // namespace

std::vector<std::string> golden_names() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(kFolder)) names.push_back(file.path().stem().string());
  std::ranges::sort(names);
  return names;
}

std::vector<store::EntryRow> golden_rows(const std::string& name) {
  std::ifstream file(kFolder / (name + ".jsonl"));
  std::vector<store::EntryRow> rows;
  for (std::string line; std::getline(file, line);) {
    const auto row = parse_json_object(line);
    if (!row) throw std::runtime_error(name + ": " + row.error().message);
    rows.push_back({row->at("seq").to_number<store::Seq>(), from_millis(row->at("at").to_number<std::int64_t>()),
                    std::string(as_view(row->at("kind").as_string())), row->at("version").to_number<int>(),
                    json::serialize(row->at("body"))});
  }
  if (rows.empty()) throw std::runtime_error("there is no golden journal " + name);
  return rows;
}

}  // namespace deputy::run
