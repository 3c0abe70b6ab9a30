// Speaks each provider's API and answers with what it was asked: one line of "name=value" words. It judges nothing; it
// is for tests of settings. The first REFUSED requests are refused as overloaded; after them the first HELD get the
// beginning of an answer and no more, and "held" is said.
//
//   node model_echo.js [REFUSED [HELD]]
'use strict';

const http = require('http');
const zlib = require('zlib');

let refusals = Number(process.argv[2] || 0);
let held = Number(process.argv[3] || 0);
let asked = 0;
process.stdin.resume().on('end', () => process.exit(0));

function words(request, body) {
  const headers = request.headers;
  const last = (body.messages || []).at(-1) || {};
  return Object.entries({
    path: request.url,
    asked,
    key: headers['x-api-key'] || headers['authorization'] || 'none',
    version: headers['anthropic-version'],
    beta: headers['anthropic-beta'],
    session: headers['x-amz-security-token'] && 'given',
    model: body.model,
    temperature: body.temperature ?? body.inferenceConfig?.temperature,
    effort: body.output_config?.effort ?? body.reasoning?.effort ?? body.reasoning_effort,
    thinking: body.thinking?.type,
    most: body.max_tokens ?? body.max_output_tokens,
    choice: JSON.stringify(body.tool_choice),
    turns: (body.messages || []).length,
    role: last.role,
  })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${String(value).split(' ')[0]}`)
    .join(' ');
}

function anthropic_events(text) {
  return [
    {
      type: 'message_start',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        content: [],
        model: 'echo',
        usage: { input_tokens: 1000, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1000 } },
    { type: 'message_stop' },
  ];
}

function converse_events(text) {
  return [
    ['messageStart', { role: 'assistant' }],
    ['contentBlockDelta', { contentBlockIndex: 0, delta: { text } }],
    ['contentBlockStop', { contentBlockIndex: 0 }],
    ['messageStop', { stopReason: 'end_turn' }],
    ['metadata', { usage: { inputTokens: 1000, outputTokens: 1000, totalTokens: 2000 } }],
  ];
}

function number(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

function frame(type, payload) {
  const header = (name, value) => {
    const size = Buffer.alloc(2);
    size.writeUInt16BE(value.length);
    return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([7]), size, Buffer.from(value)]);
  };
  const headers = Buffer.concat([
    header(':event-type', type),
    header(':content-type', 'application/json'),
    header(':message-type', 'event'),
  ]);
  const body = Buffer.from(JSON.stringify(payload));
  const lengths = Buffer.concat([number(16 + headers.length + body.length), number(headers.length)]);
  const whole = Buffer.concat([lengths, number(zlib.crc32(lengths)), headers, body]);
  return Buffer.concat([whole, number(zlib.crc32(whole))]);
}

const sse = (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

function answer(request, response, body) {
  const text = words(request, body);
  if (request.url.endsWith('/messages')) {
    response.setHeader('content-type', 'text/event-stream');
    if (held-- > 0) {
      for (const event of anthropic_events('The beginning ').slice(0, 3)) response.write(sse(event));
      return process.stdout.write('held\n');
    }
    for (const event of anthropic_events(text)) response.write(sse(event));
  } else if (request.url.endsWith('/chat/completions')) {
    response.setHeader('content-type', 'text/event-stream');
    const chunk = (more) =>
      response.write(`data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', ...more })}\n\n`);
    chunk({ choices: [{ index: 0, delta: { role: 'assistant', content: text }, finish_reason: null }] });
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
    chunk({ choices: [], usage: { prompt_tokens: 1000, completion_tokens: 1000, total_tokens: 2000 } });
    response.write('data: [DONE]\n\n');
  } else if (request.url.endsWith('/responses')) {
    response.setHeader('content-type', 'application/json');
    response.write(
      JSON.stringify({
        id: 'r',
        object: 'response',
        status: 'completed',
        output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }],
        usage: { input_tokens: 1000, output_tokens: 1000, total_tokens: 2000 },
      }),
    );
  } else if (request.url.endsWith('/converse')) {
    response.setHeader('content-type', 'application/json');
    response.write(
      JSON.stringify({
        output: { message: { role: 'assistant', content: [{ text }] } },
        stopReason: 'end_turn',
        usage: { inputTokens: 1000, outputTokens: 1000, totalTokens: 2000 },
        metrics: { latencyMs: 1 },
      }),
    );
  } else {
    response.setHeader('content-type', 'application/vnd.amazon.eventstream');
    if (request.url.endsWith('/converse-stream')) {
      for (const [type, event] of converse_events(text)) response.write(frame(type, event));
    } else {
      for (const event of anthropic_events(text))
        response.write(frame('chunk', { bytes: Buffer.from(JSON.stringify(event)).toString('base64') }));
    }
  }
  response.end();
}

http
  .createServer((request, response) => {
    const pieces = [];
    request
      .on('data', (piece) => pieces.push(piece))
      .on('end', () => {
        if (request.method === 'GET') {
          response.setHeader('content-type', 'application/json');
          return response.end('{"data": [{"id": "claude-a"}, {"id": "local-model"}]}');
        }
        ++asked;
        if (refusals > 0) {
          --refusals;
          response.writeHead(529, { 'content-type': 'application/json', 'retry-after-ms': '1' });
          response.end(JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }));
        } else {
          answer(request, response, JSON.parse(Buffer.concat(pieces).toString()));
        }
      });
  })
  .listen(0, '127.0.0.1', function () {
    process.stdout.write(`port ${this.address().port}\n`);
  });
