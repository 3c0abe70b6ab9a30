// The server's end of a handshake. Used inside net only.
#pragma once

#include <memory>

#include "net/byte_stream.h"
#include "net/server.h"
#include "net/websocket.h"

namespace deputy::net {

/// Answers a request that asks for a WebSocket, and takes over the stream; one that does not ask for it, or wrongly,
/// is answered with an error of HTTP. Not bounded: wrap it in with_timeout.
Task<Result<std::shared_ptr<WebSocket>>> accept_websocket(std::unique_ptr<ByteStream> stream, ServerRequest request,
                                                          WebSocketOptions options);

}  // namespace deputy::net
