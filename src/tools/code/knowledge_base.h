// Code search in an Amazon Bedrock Knowledge Base: by meaning, over what was put into it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "clients/aws/account.h"

namespace deputy::tools {

inline constexpr std::string_view kBedrockKb = "bedrock_kb";

/// Texts are from outside and of any length.
struct KnowledgeHit {
  std::string text;
  std::string place;  // an address: "s3://acme-code/shop/payment.py"
  double score = 0;

  bool operator==(const KnowledgeHit&) const = default;
};

class KnowledgeBase {
 public:
  /// The account outlives it.
  KnowledgeBase(std::string id, clients::aws::Account& account)
      : id_(std::move(id)), api_(account.json_api(clients::aws::kKnowledgeBases)) {}

  const std::string& id() const { return id_; }
  json::object target() const;
  /// Best first.
  Task<Result<std::vector<KnowledgeHit>>> retrieve(std::string query, int most, std::chrono::milliseconds limit);
  Task<Result<std::string>> diagnose(std::chrono::milliseconds limit);

 private:
  std::string id_;
  std::shared_ptr<clients::aws::JsonApi> api_;
};

}  // namespace deputy::tools
