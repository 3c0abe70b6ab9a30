// AWS's event-stream frames, by AWS's own codec.
'use strict';

const { EventStreamCodec } = require('./packages')('@smithy/eventstream-codec');
const { to_json } = require('./scenario');

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString('utf8'),
  (text) => Uint8Array.from(Buffer.from(text, 'utf8')),
);

function frame(headers, payload) {
  const typed = Object.entries(headers).map(([name, value]) => [name, { type: 'string', value }]);
  return Buffer.from(codec.encode({ headers: Object.fromEntries(typed), body: Uint8Array.from(Buffer.from(payload)) }));
}

const event_frame = (event, payload) =>
  frame({ ':event-type': event, ':content-type': 'application/json', ':message-type': 'event' }, payload);

/// Inside a stream an exception's name begins with a small letter.
function exception_frame(name, payload) {
  const type = name[0].toLowerCase() + name.slice(1);
  return frame({ ':exception-type': type, ':content-type': 'application/json', ':message-type': 'exception' }, payload);
}

/// A frame with a wrong CRC: of its "prelude", or of the whole "message".
function corrupt_frame(where) {
  const bytes = event_frame('chunk', '{"bytes":"e30="}');
  bytes[where === 'prelude' ? 8 : bytes.length - 1] ^= 0x01;
  return bytes;
}

/// An Anthropic event as a chunk: base64 inside JSON, padded so that its length tells nothing.
function chunk_frame(event, reply, scenario) {
  const told =
    event.type === 'message_stop'
      ? {
          ...event,
          'amazon-bedrock-invocationMetrics': {
            inputTokenCount: reply.usage.input,
            outputTokenCount: reply.usage.output,
            invocationLatency: 12,
            firstByteLatency: 3,
          },
        }
      : event;
  return event_frame(
    'chunk',
    JSON.stringify({ bytes: Buffer.from(to_json(told, scenario)).toString('base64'), p: 'abcdefghijkl' }),
  );
}

module.exports = { event_frame, exception_frame, chunk_frame, corrupt_frame };
