// A vendor's API on a free port of loopback that plays a scenario (scenario.js) and holds every request to the vendor's
// rules. It loosens none on demand and answers nothing it was not told to.
//
// A vendor is
//   check(request, bytes, scenario, memory)   throws Broken, Refused, or returns what the reply depends on: an exchange
//   error(kind, message, scenario)            {status, headers, body}: the vendor's error of this kind
//   answer(exchange, reply, scenario)         {headers, items}: bytes and marks (pieces.js)
//   models(request, scenario)                 the list of models where the request asks for it, which costs no reply
// `memory` lives as long as a scenario: `paused_text` is what a reply that paused has said so far.
'use strict';

const http = require('http');
const { say, listen, told_to_go_on } = require('./control');
const { Broken, Refused } = require('./rules');
const { parse_scenario, text_of } = require('./scenario');
const { send } = require('./pieces');

const read = async (request) => {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces);
};

function serve(vendor) {
  let scenario;
  let memory;
  let requests;
  let played;
  const play = (text) => {
    scenario = parse_scenario(text);
    memory = {};
    requests = [];
    played = 0;
  };

  const next_reply = () => {
    const { replies, repeat } = scenario;
    if (played >= replies.length && !(repeat && replies.length > 0)) {
      throw new Broken(`there are ${replies.length} replies, and it was asked once more`);
    }
    return replies[played++ % replies.length];
  };

  const end_with = (response, { status, headers = {}, body }) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body);
  };

  const answer = async (request, response) => {
    const bytes = await read(request);
    requests.push({ method: request.method, path: request.url, headers: request.headers, body: bytes.toString() });
    const number = requests.length;
    response.on('close', () => response.writableFinished || response.broken_off || say('gone', number));
    response.on('error', () => {});
    say('request', number);
    const playing = scenario;
    const models = vendor.models?.(request, playing);
    if (models) return end_with(response, { status: 200, body: JSON.stringify(models) });
    const exchange = await vendor.check(request, bytes, playing, memory);
    const reply = next_reply();
    if (reply.hold) {
      say('waiting');
      await told_to_go_on();
    }
    if (reply.refuse) {
      const error = vendor.error(reply.refuse, reply.message, playing);
      if (reply.retry_after) error.headers = { ...error.headers, 'retry-after': reply.retry_after };
      return end_with(response, error);
    }
    memory.paused_text = reply.stop === 'pause' ? (memory.paused_text || '') + text_of(reply) : undefined;
    const { headers, items } = vendor.answer(exchange, reply, playing);
    if (response.destroyed) return;
    response.writeHead(200, headers);
    await send(response, items, playing.chunk);
  };

  const server = http.createServer((request, response) => {
    answer(request, response).catch((error) => {
      const broken = !(error instanceof Refused);
      say(
        broken ? 'broken' : 'refused',
        error.kind ? error.message.replaceAll('\n', ' ') : error.stack.replaceAll('\n', ' '),
      );
      if (response.headersSent) return response.socket?.destroy();
      end_with(response, vendor.error(error.kind || 'invalid_request', error.message, scenario));
    });
  });
  server.keepAliveTimeout = 60000;

  listen({
    play: (text) => {
      play(text);
      say('playing');
    },
    chunk: (text) => {
      scenario.chunk = Number(text);
      say('chunk', text);
    },
    count: () => say('count', requests.length),
    requests: () => say('requests', JSON.stringify(requests)),
  });
  play(process.argv[2] || '{}');
  server.listen(0, '127.0.0.1', () => say('port', server.address().port));
}

module.exports = { serve };
