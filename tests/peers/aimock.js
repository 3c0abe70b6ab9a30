// @copilotkit/aimock, a mock of many vendors' APIs that others wrote, told what to play as our stand-ins are (as far as
// it can: texts, calls, errors before a stream, stops). It holds requests to no rule and never holds, breaks off or
// fails inside a stream; its tokens count nothing.
//
//   node aimock.js [SCENARIO]
'use strict';

const http = require('http');
const require_package = require('./lib/packages');
const { EventStreamCodec } = require_package('@smithy/eventstream-codec');
const { LLMock } = require_package('@copilotkit/aimock');
const { say, listen } = require('./lib/control');
const { parse_scenario, text_of } = require('./lib/scenario');

// By the names scenarios use: status and type. Bedrock's have Anthropic's shape, and none of AWS's headers.
const kErrors = {
  invalid_request: [400, 'invalid_request_error'],
  authentication: [401, 'authentication_error'],
  rate_limit: [429, 'rate_limit_error'],
  api: [500, 'api_error'],
  overloaded: [529, 'overloaded_error'],
};

let scenario;
let played;

function to_response(reply) {
  if (reply.refuse) {
    const [status, type] = kErrors[reply.refuse];
    return {
      error: { message: reply.refuse, type },
      status,
      ...(reply.retry_after ? { retryAfter: Number(reply.retry_after) } : {}),
    };
  }
  const calls = reply.content
    .filter((item) => item.call)
    .map(({ call }) => ({ id: call.id, name: call.name, arguments: JSON.stringify(call.arguments) }));
  const text = text_of(reply);
  const finish = reply.stop === 'max_tokens' ? { finishReason: 'length' } : {};
  if (calls.length === 0) return { content: text, ...finish };
  return text === '' ? { toolCalls: calls, ...finish } : { content: text, toolCalls: calls, ...finish };
}

const mock = new LLMock({ port: 0, host: '127.0.0.1' });

function play(text) {
  scenario = parse_scenario(text);
  played = 0;
  mock.clearFixtures();
  mock.on({ predicate: () => true }, next_response, { chunkSize: scenario.chunk || 20 });
}

function next_response() {
  const { replies, repeat } = scenario;
  if (played >= replies.length && !repeat) say('broken', `it was asked more often than ${replies.length} times`);
  return to_response(replies[played++ % replies.length]);
}

listen({
  play: (text) => {
    play(text);
    mock.clearRequests();
    say('playing');
  },
  count: () => say('count', mock.getRequests().length),
});

// What it sends goes out again as it came, but for one thing: its chunks of InvokeModelWithResponseStream are bare
// events, where AWS (and AWS's own client) has them as base64 under `bytes`.
const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString('utf8'),
  (text) => Uint8Array.from(Buffer.from(text, 'utf8')),
);

function* rewrapped(frames) {
  while (frames.length > 0) {
    const { headers, body } = codec.decode(frames.subarray(0, frames.readUInt32BE(0)));
    frames = frames.subarray(frames.readUInt32BE(0));
    const bytes = Buffer.from(body).toString('base64');
    yield Buffer.from(codec.encode({ headers, body: Uint8Array.from(Buffer.from(JSON.stringify({ bytes }))) }));
  }
}

const front = http.createServer((request, response) => {
  const { method, url, headers } = request;
  const onward = http.request({ host: '127.0.0.1', port: mock.port, method, path: url, headers }, async (answered) => {
    response.writeHead(answered.statusCode, answered.headers);
    const is_to_be_wrapped = answered.statusCode === 200 && url.endsWith('/invoke-with-response-stream');
    if (!is_to_be_wrapped) return answered.pipe(response);
    for (const frame of rewrapped(Buffer.concat(await answered.toArray()))) response.write(frame);
    response.end();
  });
  onward.on('error', () => response.destroy());
  request.pipe(onward);
});

play(process.argv[2] || '{}');
mock.start().then(() => front.listen(0, '127.0.0.1', () => say('port', front.address().port)));
