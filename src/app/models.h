// Makes the models that settings name. To add one: implement Provider in model/<name>/ and create it in models.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/connections.h"
#include "app/settings.h"
#include "model/model.h"
#include "net/http.h"
#include "toolkit/registry.h"

namespace deputy::app {

class Models {
 public:
  /// Does not connect. All arguments outlive it.
  Models(const ModelsSettings& settings, net::HttpClient& http, clients::aws::Account& aws, const Clock& clock,
         const toolkit::Registry& registry);

  /// The one that answers.
  const std::shared_ptr<model::Model>& main() const { return main_; }
  /// The quick one; null if none is set.
  const std::shared_ptr<model::Model>& fast() const { return fast_; }
  /// For `deputy doctor`. Do not use them after this object is destroyed.
  std::vector<Check> checks();

 private:
  std::vector<model::ModelSettings> in_order() const;
  std::shared_ptr<model::Provider> provider(const model::ModelSettings& settings);
  std::shared_ptr<model::Provider> bedrock(const model::ModelSettings& settings);
  std::shared_ptr<model::Model> reliable(const std::vector<model::ModelSettings>& order);

  const ModelsSettings& settings_;
  net::HttpClient& http_;
  clients::aws::Account& aws_;
  const Clock& clock_;
  const toolkit::Registry& registry_;  // for the offline planner
  std::shared_ptr<model::Model> main_;
  std::shared_ptr<model::Model> fast_;
};

/// The model that answers, and why it does: "openai/gpt-6.1-sol (OPENAI_API_KEY is set)".
std::string who_answers(const ModelsSettings& models);

/// One line for each address that is not the vendor's own, to be shown at start.
std::vector<std::string> model_addresses(const Settings& settings);

}  // namespace deputy::app
