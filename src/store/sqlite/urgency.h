// Who is served first by the threads of the store. Neither kind keeps the other out.
#pragma once

namespace deputy::store {

enum class Urgency {
  first,  // somebody waits for a receipt, or for a click to be seen
  normal,
};

}  // namespace deputy::store
