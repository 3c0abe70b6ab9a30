// What goes wrong on purpose, as Slack's own clients see it: rate limits, lost responses, broken servers, events that
// come late, twice, out of order or not at all.
'use strict';

const assert = require('node:assert');
const { test } = require('node:test');
const slack = require('./slack_client');
const { with_workspace, refusal, kLimit, kAna, kOps } = slack;
const { ErrorCode } = slack.packages('@slack/web-api');
const { SocketModeClient } = slack.packages('@slack/socket-mode');

const meets = (name, body) =>
  test(name, kLimit, () =>
    with_workspace((workspace) => body(workspace, workspace.client(slack.kBotToken, { rejectRateLimitedCalls: true }))),
  );

/// A socket that keeps the texts of the messages it got, and acknowledges them if it is to.
async function listen(workspace, { acknowledges = true } = {}) {
  const heard = [];
  const socket = new SocketModeClient({
    appToken: slack.kAppToken,
    logger: slack.quiet,
    clientOptions: { slackApiUrl: workspace.api, logger: slack.quiet },
  });
  socket.on(
    'message',
    ({ ack, event, body, retry_num }) => (
      heard.push({ text: event.text, id: body.event_id, retry_num }), acknowledges && ack()
    ),
  );
  await socket.start();
  return { heard, stop: () => socket.disconnect() };
}

async function hears(workspace, count) {
  for (let after = 0, got = 0; got < count; ++got) after = (await workspace.recorded('acknowledged', {}, after)).n;
}

for (const [tier, calls, call] of [
  [2, 20, (client) => client.users.list({})],
  [3, 50, (client) => client.conversations.info({ channel: kOps })],
  [4, 100, (client) => client.users.info({ user: kAna })],
]) {
  meets(`a method of tier ${tier} takes ${calls} calls a minute`, async (_workspace, client) => {
    for (let i = 0; i < calls; ++i) await call(client);
    await assert.rejects(
      call(client),
      ({ code, retryAfter }) => code === ErrorCode.RateLimitedError && retryAfter > 0 && retryAfter <= 60,
    );
    await client.auth.test();
  });
}

meets('opening sockets is of tier 3', async (workspace) => {
  const app = workspace.client(slack.kAppToken, { rejectRateLimitedCalls: true });
  for (let i = 0; i < 50; ++i) await app.apps.connections.open();
  await assert.rejects(app.apps.connections.open(), ({ code }) => code === ErrorCode.RateLimitedError);
});

meets(
  'the two spellings: ratelimited with status 429, rate_limited for posts to one channel',
  async (workspace, client) => {
    const post = () => client.chat.postMessage({ channel: kOps, text: 'x' });
    for (let i = 0; i < 4; ++i) await post();
    assert.strictEqual(await refusal(post()), 'rate_limited');
    assert.strictEqual(await refusal(client.chat.postMessage({ channel: '#ops', text: 'x' })), 'rate_limited');
    await client.chat.postMessage({ channel: 'C0GENERAL01', text: 'another channel' });
    await workspace.tell('limits', { methods: { 'auth.test': 1 } });
    await client.auth.test();
    const response = await fetch(`${workspace.api}auth.test`, {
      method: 'POST',
      headers: { authorization: `Bearer ${slack.kBotToken}` },
    });
    assert.deepStrictEqual([response.status, (await response.json()).error], [429, 'ratelimited']);
    assert.match(response.headers.get('retry-after'), /^\d+$/);
  },
);

meets('who raises the limits reads that they are raised', async (workspace, client) => {
  await workspace.tell('limits', { tiers: { 2: 10 } });
  assert.deepStrictEqual(
    workspace.lines.filter((line) => /raised/.test(line)),
    [],
  );
  const { raised } = await workspace.tell('limits', { posts: { per_second: 1000, burst: 1000 } });
  assert.strictEqual(raised, true);
  for (let i = 0; i < 20; ++i) await client.chat.postMessage({ channel: kOps, text: 'x' });
  assert.strictEqual(workspace.lines.filter((line) => /raised above Slack's/.test(line)).length, 1);
});

meets('times can be shortened, not lengthened', async (workspace) => {
  await workspace.tell('timing', { acknowledge_ms: 10 });
  await assert.rejects(workspace.tell('timing', { acknowledge_ms: 3001 }), /not lengthened/);
  await assert.rejects(workspace.tell('timing', { retry_ms: [1, 0, 0] }), /not lengthened/);
});

meets('a response that is lost after the post leaves one message, a second try a second', async (workspace, client) => {
  await workspace.tell('fault', { on: 'api', kind: 'lose_response', name: 'chat.postMessage' });
  await assert.rejects(
    client.chat.postMessage({ channel: kOps, text: 'x' }),
    ({ code }) => code === ErrorCode.RequestError,
  );
  assert.strictEqual((await workspace.messages(kOps)).length, 1);
  await client.chat.postMessage({ channel: kOps, text: 'x' });
  assert.strictEqual((await workspace.messages(kOps)).length, 2);
});

meets('a call that is dropped did nothing', async (workspace, client) => {
  await workspace.tell('fault', { on: 'api', kind: 'drop', name: 'chat.postMessage' });
  await assert.rejects(
    client.chat.postMessage({ channel: kOps, text: 'x' }),
    ({ code }) => code === ErrorCode.RequestError,
  );
  assert.deepStrictEqual(await workspace.messages(kOps), []);
});

meets('a server error, an error code and a delay strike as often as they were asked for', async (workspace, client) => {
  await workspace.tell('fault', { on: 'api', kind: 'status', status: 503, name: 'auth.test', times: 2 });
  for (let i = 0; i < 2; ++i) await assert.rejects(client.auth.test(), ({ statusCode }) => statusCode === 503);
  await workspace.tell('fault', { on: 'api', kind: 'error', error: 'fatal_error', name: 'auth.test' });
  assert.strictEqual(await refusal(client.auth.test()), 'fatal_error');
  await workspace.tell('fault', { on: 'api', kind: 'delay', ms: 300, name: 'auth.test' });
  const began = Date.now();
  await client.auth.test();
  assert.ok(Date.now() - began >= 299);
  await assert.rejects(workspace.tell('fault', { on: 'api', kind: 'nonsense' }), /Unknown fault/);
});

meets('a 429 is tried again by the client after its time', async (workspace) => {
  await workspace.tell('fault', { on: 'api', kind: 'status', status: 429, retry_after: 1, name: 'auth.test' });
  const patient = workspace.client(slack.kBotToken, { retryConfig: { retries: 2, minTimeout: 1 } });
  const began = Date.now();
  await patient.auth.test();
  assert.ok(Date.now() - began >= 1000);
});

meets('an event that is dropped comes again', async (workspace) => {
  await workspace.tell('timing', { acknowledge_ms: 300 });
  await workspace.tell('fault', { on: 'delivery', kind: 'drop', name: 'message' });
  const { heard, stop } = await listen(workspace);
  await workspace.tell('say', { user: kAna, channel: kOps, text: 'a' });
  await hears(workspace, 1);
  assert.deepStrictEqual(
    heard.map(({ text, retry_num }) => [text, retry_num]),
    [['a', 1]],
  );
  await stop();
});

meets('an event without an acknowledgement may be lost with its socket', async (workspace) => {
  const { stop } = await listen(workspace, { acknowledges: false });
  await workspace.tell('say', { user: kAna, channel: kOps, text: 'a' });
  await workspace.recorded('envelope');
  await workspace.tell('fault', { on: 'socket', kind: 'lose_unacknowledged' });
  await workspace.tell('disconnect');
  await workspace.recorded('delivery_failed', { name: 'message', reason: 'lost' });
  assert.strictEqual(await workspace.count('envelope'), 1);
  await stop();
});

meets('an event that is duplicated comes twice, with one event id', async (workspace) => {
  await workspace.tell('fault', { on: 'delivery', kind: 'duplicate', name: 'message' });
  const { heard, stop } = await listen(workspace);
  await workspace.tell('say', { user: kAna, channel: kOps, text: 'a' });
  await hears(workspace, 2);
  assert.deepStrictEqual(
    heard.map(({ text }) => text),
    ['a', 'a'],
  );
  assert.strictEqual(heard[0].id, heard[1].id);
  await stop();
});

meets('an event that is held comes after the next', async (workspace) => {
  await workspace.tell('fault', { on: 'delivery', kind: 'reorder', name: 'message' });
  const { heard, stop } = await listen(workspace);
  await workspace.tell('say', { user: kAna, channel: kOps, text: 'first' });
  await workspace.tell('say', { user: kAna, channel: kOps, text: 'second' });
  await hears(workspace, 2);
  assert.deepStrictEqual(
    heard.map(({ text }) => text),
    ['second', 'first'],
  );
  await stop();
});

meets('without a scope or with a revoked token nothing is told', async (workspace) => {
  const { heard, stop } = await listen(workspace);
  await workspace.tell('token', { token: slack.kBotToken, remove_scopes: ['channels:history'] });
  await workspace.tell('say', { user: kAna, channel: kOps, text: 'unheard' });
  await workspace.tell('token', { token: slack.kBotToken, add_scopes: ['channels:history'], revoked: true });
  await workspace.tell('say', { user: kAna, channel: kOps, text: 'unheard too' });
  await workspace.tell('token', { token: slack.kBotToken, revoked: false });
  await workspace.tell('say', { user: kAna, channel: kOps, text: 'heard' });
  await hears(workspace, 1);
  assert.deepStrictEqual(
    heard.map(({ text }) => text),
    ['heard'],
  );
  await stop();
});

meets('everything is recorded in order and with its time', async (workspace, client) => {
  await workspace.tell('say', { user: kAna, channel: kOps, text: 'a' });
  await client.auth.test();
  const { entries } = await workspace.tell('record', {});
  assert.deepStrictEqual(
    entries.map(({ n }) => n),
    entries.map((_entry, i) => i + 1),
  );
  assert.ok(entries.every(({ at }) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(at)));
  assert.doesNotMatch(JSON.stringify(entries), /xoxb-fake-bot-token/);
});
