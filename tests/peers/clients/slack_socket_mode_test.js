// Slack's own Socket Mode client works against the simulator: envelopes, acknowledgements, redelivery, and a new socket
// after each way to lose one.
'use strict';

const assert = require('node:assert');
const { once } = require('node:events');
const { test } = require('node:test');
const slack = require('./slack_client');
const { with_workspace, kLimit, kAna, kBo, kOps, kTeam } = slack;
const { SocketModeClient } = slack.packages('@slack/socket-mode');

/// A test with a workspace and a connected client that pings often.
function connects(name, body) {
  test(name, kLimit, () =>
    with_workspace(async (workspace) => {
      const socket = new_socket(workspace);
      await socket.start();
      try {
        await body(socket, workspace);
      } finally {
        socket.disconnect();
      }
    }),
  );
}

function new_socket(workspace, more = {}) {
  return new SocketModeClient({
    appToken: slack.kAppToken,
    clientPingTimeout: 600,
    logger: slack.quiet,
    clientOptions: { slackApiUrl: workspace.api, logger: slack.quiet },
    ...more,
  });
}

// Unlike `once` of Node it does not mind an 'error' meanwhile: the client reports one when a socket is cut.
const next = (socket, event) => new Promise((resolve) => socket.once(event, resolve));

connects('a mention comes twice, as app_mention and as message, and is acknowledged', async (socket, workspace) => {
  const both = Promise.all([next(socket, 'app_mention'), next(socket, 'message')]);
  const { ts } = await workspace.tell('say', { user: kAna, channel: kOps, text: 'hi', mention: true });
  const [mention, message] = await both;
  assert.strictEqual(mention.event.text, '<@U0DEPUTY001> hi');
  assert.deepStrictEqual([mention.event.ts, message.event.ts], [ts, ts]);
  assert.deepStrictEqual([mention.event.channel_type, message.event.channel_type], [undefined, 'channel']);
  assert.strictEqual(mention.body.authorizations[0].user_id, 'U0DEPUTY001');
  await Promise.all([mention.ack(), message.ack()]);
  await workspace.recorded('acknowledged', { envelope_id: mention.envelope_id });
  await workspace.recorded('acknowledged', { envelope_id: message.envelope_id });
});

connects('a reply, an edit, a deletion, a reaction and a file are told', async (socket, workspace) => {
  const told = [];
  socket.on('slack_event', ({ ack, body }) => (told.push(body.event), ack()));
  const wait = async (count) => {
    while (told.length < count) await next(socket, 'slack_event');
  };
  const { ts } = await workspace.tell('say', { user: kAna, channel: kOps, text: 'root' });
  await wait(1);
  const reply = await workspace.tell('say', { user: kBo, channel: kOps, thread_ts: ts, text: 'reply' });
  await wait(2);
  assert.deepStrictEqual([told[1].thread_ts, told[1].parent_user_id], [ts, kAna]);
  await workspace.tell('edit', { user: kBo, channel: kOps, ts: reply.ts, text: 'changed' });
  await wait(3);
  assert.deepStrictEqual(
    [told[2].subtype, told[2].message.text, told[2].previous_message.text],
    ['message_changed', 'changed', 'reply'],
  );
  await workspace.tell('react', { user: kAna, channel: kOps, ts: reply.ts, name: 'tada' });
  await wait(4);
  assert.deepStrictEqual([told[3].type, told[3].reaction, told[3].item.ts], ['reaction_added', 'tada', reply.ts]);
  await workspace.tell('delete', { user: kBo, channel: kOps, ts: reply.ts });
  await wait(5);
  assert.deepStrictEqual([told[4].subtype, told[4].deleted_ts], ['message_deleted', reply.ts]);
  await workspace.tell('upload', { user: kAna, channel: kOps, name: 'a.log', content: 'lines' });
  await wait(7);
  assert.deepStrictEqual(
    [told[5].subtype, told[5].files[0].name, told[6].type],
    ['file_share', 'a.log', 'file_shared'],
  );
});

connects('a channel that the app is not in stays silent until it is invited', async (socket, workspace) => {
  await workspace.tell('say', { user: kAna, channel: 'C0RANDOM001', text: 'hi', mention: true });
  const joined = next(socket, 'member_joined_channel');
  await workspace.tell('invite', { user: 'U0DEPUTY001', channel: 'C0RANDOM001', by: kAna });
  assert.strictEqual((await joined).event.channel, 'C0RANDOM001');
  assert.strictEqual(
    await workspace.count('envelope', { envelope: { payload: { event: { type: 'app_mention' } } } }),
    0,
  );
});

connects('many events at once reach the app, each once', async (socket, workspace) => {
  const kMany = 400;
  await workspace.tell('app', { subscriptions: ['app_mention'] });
  const told = [];
  const all = new Promise((resolve) =>
    socket.on('app_mention', ({ ack, event }) => (ack(), told.push(event.ts) === kMany && resolve())),
  );
  const said = { user: kAna, channel: kOps, text: 'hi', mention: true };
  await Promise.all(Array.from({ length: kMany }, () => workspace.tell('say', said)));
  await all;
  assert.strictEqual(new Set(told).size, kMany);
  assert.strictEqual(await workspace.count('not_acknowledged'), 0);
});

connects('an event that is not acknowledged comes again, three times', async (socket, workspace) => {
  await workspace.tell('timing', { acknowledge_ms: 50, retry_ms: [0, 10, 10] });
  const tries = [];
  socket.on('app_mention', ({ body, retry_num, retry_reason }) => tries.push([body.event_id, retry_num, retry_reason]));
  await workspace.tell('app', { subscriptions: ['app_mention'] });
  await workspace.tell('say', { user: kAna, channel: kOps, text: 'hi', mention: true });
  await workspace.recorded('delivery_failed', { name: 'app_mention' });
  const [id] = tries[0];
  assert.deepStrictEqual(tries, [
    [id, 0, ''],
    [id, 1, 'timeout'],
    [id, 2, 'timeout'],
    [id, 3, 'timeout'],
  ]);
});

connects('both eras of assistants, homes, contexts and stops are told', async (socket, workspace) => {
  const told = (type) => next(socket, type).then(({ ack, event }) => (ack(), event));
  let event = told('app_home_opened');
  await workspace.tell('open_home', { user: kAna });
  assert.strictEqual((await event).tab, 'home');
  event = told('app_home_opened');
  await workspace.tell('open_assistant', { user: kAna, context_channel: kOps });
  assert.deepStrictEqual((await event).context.entities[0].value, kOps);
  event = told('app_context_changed');
  await workspace.tell('change_context', { user: kAna, context_channel: 'C0GENERAL01' });
  assert.strictEqual((await event).context.entities[0].value, 'C0GENERAL01');
  const { channel, ts } = await workspace.tell('say', { user: kAna, channel: 'im', text: 'hello' });
  const stream = await workspace.client().chat.startStream({ channel, thread_ts: ts, markdown_text: 'a' });
  event = told('agent_session_stopped');
  await workspace.tell('stop', { user: kAna, channel, thread_ts: ts });
  assert.deepStrictEqual((await event).streaming_message_ts, [stream.ts]);
  event = told('agent_session_title_changed');
  await workspace.tell('rename_session', { user: kAna, channel, thread_ts: ts, title: 'Hello' });
  assert.strictEqual((await event).title, 'Hello');
  await workspace.tell('app', { agent_view: false });
  event = told('assistant_thread_started');
  const opened = await workspace.tell('open_assistant', { user: kAna, context_channel: kOps });
  assert.deepStrictEqual((await event).assistant_thread, {
    user_id: kAna,
    context: { channel_id: kOps, team_id: kTeam, enterprise_id: null },
    channel_id: opened.channel,
    thread_ts: opened.thread_ts,
  });
  event = told('assistant_thread_context_changed');
  await workspace.tell('change_context', { user: kAna, context_channel: 'C0GENERAL01', thread_ts: opened.thread_ts });
  assert.strictEqual((await event).assistant_thread.context.channel_id, 'C0GENERAL01');
});

connects('a card of another bot is told with its attachments', async (socket, workspace) => {
  const message = next(socket, 'message');
  await workspace.tell('say', {
    user: 'U0ALERTS001',
    channel: kOps,
    attachments: [{ color: '#D93025', fallback: 'Disk full', title: 'Disk full' }],
  });
  const { event } = await message;
  assert.deepStrictEqual([event.bot_id, event.attachments[0].title], ['B0ALERTS001', 'Disk full']);
});

for (const reason of ['warning', 'refresh_requested', 'link_disabled', 'too_many_websockets']) {
  connects(`it connects again after ${reason}`, async (socket, workspace) => {
    const again = next(socket, 'connected');
    await workspace.tell('disconnect', { reason });
    await again;
    const mention = next(socket, 'app_mention');
    await workspace.tell('say', { user: kAna, channel: kOps, text: 'hi', mention: true });
    await (await mention).ack();
  });
}

connects('it connects again after a socket was cut', async (socket, workspace) => {
  const again = next(socket, 'connected');
  await workspace.tell('disconnect');
  await again;
});

connects('it notices a half-open socket by its missing pongs', async (socket, workspace) => {
  const again = next(socket, 'connected');
  await workspace.tell('freeze');
  await again;
  const mention = next(socket, 'app_mention');
  await workspace.tell('timing', { acknowledge_ms: 500, retry_ms: [0, 100, 100] });
  await workspace.tell('say', { user: kAna, channel: kOps, text: 'hi', mention: true });
  await (await mention).ack();
});

connects('a socket grows old: it is warned and replaced', async (socket, workspace) => {
  await workspace.tell('timing', { connection_ms: 100, goodbye_ms: 50 });
  let again = next(socket, 'connected');
  await workspace.tell('disconnect');
  await again;
  again = next(socket, 'connected');
  await again;
  await workspace.recorded('disconnect', { reason: 'warning' });
});

connects('a message of another workspace says whose it is', async (socket, workspace) => {
  const message = next(socket, 'message');
  await workspace.tell('say', { user: 'U0FINN00001', channel: 'with-partner', text: 'hi' });
  const { event, body } = await message;
  assert.deepStrictEqual(
    [event.user_team, event.source_team, body.is_ext_shared_channel],
    ['T0PARTNER01', 'T0PARTNER01', true],
  );
});

connects('the server pings', async (socket, workspace) => {
  await workspace.tell('timing', { ping_ms: 20 });
  const again = next(socket, 'connected');
  await workspace.tell('disconnect');
  await again;
  await new Promise((resolve) => require('node:diagnostics_channel').subscribe('undici:websocket:ping', resolve));
});

test('ten sockets share the events, an eleventh is refused', kLimit, () =>
  with_workspace(async (workspace) => {
    const got = new Map();
    const sockets = [];
    for (let i = 0; i < 10; ++i) {
      const socket = new_socket(workspace, { clientPingTimeout: 5000 });
      socket.on('message', ({ ack }) => (got.set(i, (got.get(i) || 0) + 1), ack()));
      await socket.start();
      sockets.push(socket);
    }
    for (let i = 0; i < 40; ++i) await workspace.tell('say', { user: kAna, channel: kOps, text: `${i}` });
    while ((await workspace.count('acknowledged')) < 40) await workspace.recorded('acknowledged');
    assert.strictEqual(
      [...got.values()].reduce((sum, count) => sum + count, 0),
      40,
    );
    assert.ok(got.size > 3, 'one socket got nearly everything');
    const eleventh = new_socket(workspace, { autoReconnectEnabled: false });
    await assert.rejects(eleventh.start());
    await workspace.recorded('socket_refused', { reason: 'too_many_websockets' });
    for (const socket of sockets) socket.disconnect();
  }),
);

test('a ticket opens one socket', kLimit, () =>
  with_workspace(async (workspace) => {
    const { url } = await workspace.client(slack.kAppToken).apps.connections.open();
    const { WebSocket } = slack.packages('ws');
    const first = new WebSocket(url);
    const [hello] = await once(first, 'message');
    assert.strictEqual(JSON.parse(hello).type, 'hello');
    const second = new WebSocket(url);
    assert.match((await once(second, 'error'))[0].message, /401/);
    first.close();
  }),
);

test('a revoked token is not tried again', kLimit, () =>
  with_workspace(async (workspace) => {
    const socket = new_socket(workspace);
    await workspace.tell('token', { token: slack.kAppToken, revoked: true });
    const unknown = new_socket(workspace, { appToken: 'xapp-fake-unknown' });
    await assert.rejects(unknown.start(), /invalid_auth/);
    socket.disconnect();
  }),
);
