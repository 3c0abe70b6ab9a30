#include "gateway/inbound/dependencies.h"

namespace deputy::gateway {

Error too_busy() {
  return {.kind = ErrorKind::rate_limit,
          .message = "the conversation kept changing while this was being stored",
          .hint = "send it again",
          .retryable = true};
}

Task<Result<store::Admitted>> take_in(InboundDependencies& parts, store::ConsumedRow what, store::Route route,
                                      store::Effects effects) {
  for (int attempt = 0; attempt < kTries; ++attempt) {
    CO_TRY(const store::ConversationRow conversation, co_await parts.store.conversation(what.conversation));
    const store::InboundRow row{what.key, what.conversation, conversation.version};
    CO_TRY(const store::Admitted admitted, co_await parts.store.admit(row, route, effects));
    if (admitted.how != store::Admitted::How::moved) co_return admitted;
  }
  co_return std::unexpected(too_busy());
}

Task<Result<std::optional<store::InteractionRow>>> find_interaction(InboundDependencies& parts, InteractionId id) {
  store::InteractionFilter filter;
  filter.id = id;
  filter.pending_only = false;
  filter.most = 1;
  CO_TRY(std::vector<store::InteractionRow> rows, co_await parts.store.interactions(filter));
  if (rows.empty()) co_return std::nullopt;
  co_return std::move(rows.front());
}

}  // namespace deputy::gateway
