#include "model/settings.h"

namespace deputy::model {

void ModelSettings::check_parts(FieldReader& reader) const {
  if (!provider && (!model.empty() || !base_url.empty()))
    reader.problem("this model has no provider",
                   "add `provider: anthropic`, `bedrock`, `openai`, `openai_chat` or `offline`");
  if (provider == ProviderKind::bedrock && model.empty())
    reader.problem("Bedrock has no default model", "add `model:` with its id or ARN");
}

}  // namespace deputy::model
