#include "tools/code/knowledge_base.h"

#include <fmt/format.h>

#include "base/json_pointer.h"

namespace deputy::tools {

namespace {

// Each kind of source has its address in a field of its own.
std::string place_of(const json::value& hit) {
  for (const std::string_view place :
       {"/location/s3Location/uri", "/location/webLocation/url", "/location/confluenceLocation/url",
        "/location/sharePointLocation/url", "/location/salesforceLocation/url", "/location/kendraDocumentLocation/uri",
        "/location/customDocumentLocation/id", "/metadata/x-amz-bedrock-kb-source-uri"}) {
    if (std::string found = text_in(hit, place); !found.empty()) return found;
  }
  return "an unnamed source";
}

}  // namespace

json::object KnowledgeBase::target() const {
  json::object target = api_->target();
  target["backend"] = kBedrockKb;
  target["knowledge_base"] = id_;
  return target;
}

Task<Result<std::vector<KnowledgeHit>>> KnowledgeBase::retrieve(std::string query, int most,
                                                                std::chrono::milliseconds limit) {
  json::object body{{"retrievalQuery", {{"text", std::move(query)}}},
                    {"retrievalConfiguration", {{"vectorSearchConfiguration", {{"numberOfResults", most}}}}}};
  CO_TRY(const std::string path, clients::rest::path_of({"knowledgebases", id_, "retrieve"}));
  Result<json::value> answer =
      co_await api_->call({.name = "Retrieve", .body = std::move(body), .path = path, .limit = limit});
  if (!answer && answer.error().kind == ErrorKind::not_found)
    answer.error().hint = "check tools.code_tools.bedrock_kb.id, and that aws.region is the knowledge base's region";
  if (!answer) co_return std::unexpected(answer.error());
  if (find_in(*answer, "/retrievalResults") == nullptr)
    co_return std::unexpected(api_->unusable("did not answer with results"));
  std::vector<KnowledgeHit> hits;
  for (const json::value& one : items_in(*answer, "/retrievalResults")) {
    const json::value* score = find_in(one, "/score");
    const bool has_score = score != nullptr && score->is_number();
    hits.push_back({text_in(one, "/content/text"), place_of(one), has_score ? score->to_number<double>() : 0});
  }
  co_return hits;
}

Task<Result<std::string>> KnowledgeBase::diagnose(std::chrono::milliseconds limit) {
  CO_TRY(const std::vector<KnowledgeHit> hits, co_await retrieve("main", 1, limit));
  co_return fmt::format("knowledge base {}: {}", id_, hits.empty() ? "it answers, with nothing" : "it answers");
}

}  // namespace deputy::tools
