// Slack's own client works against the simulator, in every method, and what Slack would refuse is refused.
'use strict';

const assert = require('node:assert');
const { test } = require('node:test');
const slack = require('./slack_client');
const { with_workspace, refusal, kLimit, kAna, kBo, kBot, kTeam, kOps } = slack;

const called = new Set();
let methods = [];

/// A test with a workspace and a client of the bot.
function talks(name, body) {
  test(name, kLimit, () =>
    with_workspace(async (workspace) => {
      await body(workspace.client(), workspace);
      for (const { method, answer } of (await workspace.tell('record', { kind: 'call' })).entries) {
        if (answer.ok) called.add(method);
      }
      methods = (await workspace.see('methods')).methods;
    }),
  );
}

talks('says who it is, with its scopes', async (client) => {
  const who = await client.auth.test();
  assert.strictEqual(who.user_id, kBot);
  assert.strictEqual(who.bot_id, 'B0DEPUTY001');
  assert.strictEqual(who.team_id, kTeam);
  assert.ok(who.response_metadata.scopes.includes('chat:write'));
  assert.strictEqual((await client.api.test({ foo: 'bar' })).args.foo, 'bar');
});

talks('posts, updates, links and deletes', async (client, workspace) => {
  const blocks = [{ type: 'section', block_id: 'b1', text: { type: 'mrkdwn', text: '*hello*' } }];
  const metadata = { event_type: 'run', event_payload: { run: 'r1', part: 1 } };
  const posted = await client.chat.postMessage({ channel: kOps, text: 'hello', blocks, metadata });
  assert.strictEqual(posted.channel, kOps);
  assert.strictEqual(posted.message.bot_id, 'B0DEPUTY001');
  assert.deepStrictEqual(posted.message.blocks, blocks);
  const { messages } = await client.conversations.history({ channel: kOps, include_all_metadata: true });
  assert.deepStrictEqual(messages[0].metadata, metadata);
  const updated = await client.chat.update({ channel: kOps, ts: posted.ts, text: 'bye' });
  assert.strictEqual(updated.message.blocks, undefined);
  assert.strictEqual(updated.text, 'bye');
  const link = await client.chat.getPermalink({ channel: kOps, message_ts: posted.ts });
  assert.strictEqual(link.permalink, `https://simulated.slack.com/archives/${kOps}/p${posted.ts.replace('.', '')}`);
  await client.chat.delete({ channel: kOps, ts: posted.ts });
  assert.deepStrictEqual(await workspace.messages(kOps), []);
});

talks('never deduplicates: an identical post is a second message', async (client, workspace) => {
  await client.chat.postMessage({ channel: kOps, text: 'same' });
  await client.chat.postMessage({ channel: kOps, text: 'same' });
  assert.strictEqual((await workspace.messages(kOps)).length, 2);
});

talks('shows an ephemeral message to one person only', async (client, workspace) => {
  const { message_ts } = await client.chat.postEphemeral({ channel: kOps, user: kAna, text: 'psst' });
  assert.match(message_ts, /^\d+\.\d{6}$/);
  assert.match(await workspace.see('thread.txt', { channel: kOps, user: kAna }), /psst/);
  assert.doesNotMatch(await workspace.see('thread.txt', { channel: kOps, user: kBo }), /psst/);
  assert.deepStrictEqual((await client.conversations.history({ channel: kOps })).messages, []);
  assert.strictEqual(
    await refusal(client.chat.update({ channel: kOps, ts: message_ts, text: 'x' })),
    'message_not_found',
  );
  assert.strictEqual(
    await refusal(client.chat.postEphemeral({ channel: kOps, user: 'U0CY0000001', text: 'x' })),
    'user_not_in_channel',
  );
});

talks('reads threads page by page, the root on each', async (client, workspace) => {
  const { ts } = await workspace.tell('say', { user: kAna, channel: kOps, text: 'root' });
  for (const text of ['one', 'two', 'three'])
    await workspace.tell('say', { user: kBo, channel: kOps, thread_ts: ts, text });
  const pages = [];
  for await (const page of client.paginate('conversations.replies', { channel: kOps, ts, limit: 2 })) {
    pages.push(page.messages.map((message) => message.text));
  }
  assert.deepStrictEqual(pages, [
    ['root', 'one', 'two'],
    ['root', 'three'],
  ]);
  const { messages } = await client.conversations.history({ channel: kOps });
  assert.deepStrictEqual(
    messages.map(({ text, reply_count }) => [text, reply_count]),
    [['root', 3]],
  );
});

talks('lists and describes conversations', async (client) => {
  const names = (await client.conversations.list({ types: 'public_channel,private_channel' })).channels.map(
    ({ name }) => name,
  );
  assert.ok(names.includes('random') && names.includes('incident-room') && !names.includes('board'));
  const shared = (await client.conversations.info({ channel: 'C0SHARED001' })).channel;
  assert.deepStrictEqual([shared.is_ext_shared, shared.is_member], [true, true]);
  assert.strictEqual(await refusal(client.conversations.info({ channel: 'C0BOARD0001' })), 'channel_not_found');
  assert.ok((await client.conversations.members({ channel: kOps })).members.includes(kAna));
  assert.strictEqual(await refusal(client.conversations.history({ channel: 'C0RANDOM001' })), 'not_in_channel');
  assert.strictEqual((await client.conversations.join({ channel: 'C0RANDOM001' })).channel.is_member, true);
  const mine = (await client.users.conversations({ types: 'public_channel' })).channels.map(({ name }) => name);
  assert.ok(mine.includes('random'));
});

talks('opens direct and group messages', async (client) => {
  const first = await client.conversations.open({ users: kAna });
  const second = await client.conversations.open({ users: kAna });
  assert.strictEqual(first.channel.id, second.channel.id);
  assert.strictEqual(second.already_open, true);
  const posted = await client.chat.postMessage({ channel: kAna, text: 'hi' });
  assert.strictEqual(posted.channel, first.channel.id);
  const group = await client.conversations.open({ users: `${kAna},${kBo}`, return_im: true });
  assert.strictEqual(group.channel.is_mpim, true);
  assert.strictEqual(await refusal(client.conversations.open({ users: 'U0EVE000001' })), 'user_disabled');
});

talks('knows members, guests, strangers and deactivated accounts', async (client) => {
  const { members } = await client.users.list({});
  const by_name = Object.fromEntries(members.map((member) => [member.name, member]));
  assert.strictEqual(by_name.cy.is_restricted, true);
  assert.strictEqual(by_name.dee.is_ultra_restricted, true);
  assert.strictEqual(by_name.eve.deleted, true);
  assert.strictEqual(by_name.finn.is_stranger, true);
  assert.notStrictEqual(by_name.finn.team_id, kTeam);
  assert.strictEqual((await client.users.info({ user: kAna })).user.profile.email, 'ana@example.com');
  assert.strictEqual((await client.users.lookupByEmail({ email: 'bo@example.com' })).user.id, kBo);
  assert.strictEqual((await client.bots.info({ bot: 'B0ALERTS001' })).bot.name, 'Alerts');
  assert.strictEqual((await client.team.info()).team.id, kTeam);
  assert.ok((await client.emoji.list()).emoji.deputy);
  assert.strictEqual((await client.usergroups.list({ include_users: true })).usergroups[0].handle, 'oncall');
  assert.deepStrictEqual((await client.usergroups.users.list({ usergroup: 'S0ONCALL001' })).users, [kAna, kBo]);
});

talks('reacts and pins', async (client, workspace) => {
  const { ts } = await workspace.tell('say', { user: kAna, channel: kOps, text: 'look' });
  await client.reactions.add({ channel: kOps, timestamp: ts, name: 'eyes' });
  assert.strictEqual(
    await refusal(client.reactions.add({ channel: kOps, timestamp: ts, name: 'eyes' })),
    'already_reacted',
  );
  const { message } = await client.reactions.get({ channel: kOps, timestamp: ts });
  assert.deepStrictEqual(message.reactions, [{ name: 'eyes', users: [kBot], count: 1 }]);
  await client.reactions.remove({ channel: kOps, timestamp: ts, name: 'eyes' });
  assert.strictEqual(
    await refusal(client.reactions.remove({ channel: kOps, timestamp: ts, name: 'eyes' })),
    'no_reaction',
  );
  assert.strictEqual(
    await refusal(client.reactions.add({ channel: kOps, timestamp: ts, name: ':eyes:' })),
    'invalid_name',
  );
  await client.pins.add({ channel: kOps, timestamp: ts });
  assert.strictEqual(await refusal(client.pins.add({ channel: kOps, timestamp: ts })), 'already_pinned');
});

talks('uploads files and gives them back to who has a token', async (client, workspace) => {
  const { ts } = await workspace.tell('say', { user: kAna, channel: kOps, text: 'logs?' });
  const content = Buffer.from('line 1\nline 2 \u00e9\n');
  const uploaded = await client.filesUploadV2({
    channel_id: kOps,
    thread_ts: ts,
    filename: 'run.log',
    file: content,
    initial_comment: 'here',
  });
  const [file] = uploaded.files[0].files;
  const [, reply] = await workspace.messages(kOps, ts);
  assert.deepStrictEqual([reply.text, reply.files[0].id, reply.thread_ts], ['here', file.id, ts]);
  const { file: info } = await client.files.info({ file: file.id });
  assert.strictEqual(info.size, content.length);
  const download = await fetch(info.url_private_download, { headers: { authorization: `Bearer ${slack.kBotToken}` } });
  assert.deepStrictEqual(Buffer.from(await download.arrayBuffer()), content);
  const stranger = await fetch(info.url_private);
  assert.match(stranger.headers.get('content-type'), /^text\/html/);
});

talks('streams text, tasks and blocks', async (client, workspace) => {
  const { ts } = await workspace.tell('say', { user: kAna, channel: kOps, text: 'go' });
  const streamer = client.chatStream({
    channel: kOps,
    thread_ts: ts,
    recipient_user_id: kAna,
    recipient_team_id: kTeam,
    task_display_mode: 'plan',
    buffer_size: 1,
  });
  await streamer.append({ markdown_text: '**Hel' });
  await streamer.append({
    markdown_text: 'lo**',
    chunks: [
      { type: 'plan_update', title: 'Look around' },
      { type: 'task_update', id: 't1', title: 'Read logs', status: 'in_progress' },
    ],
  });
  const [, running] = await workspace.messages(kOps, ts);
  assert.deepStrictEqual([running.text, running.streaming_state], ['**Hello**', 'in_progress']);
  assert.strictEqual(
    await refusal(client.chat.update({ channel: kOps, ts: running.ts, text: 'x' })),
    'streaming_state_conflict',
  );
  await streamer.append({
    chunks: [{ type: 'task_update', id: 't1', title: 'Read logs', status: 'complete', output: '3 errors' }],
  });
  const stopped = await streamer.stop({ blocks: [{ type: 'divider' }] });
  assert.strictEqual(stopped.message.streaming_state, 'completed');
  const [, done] = await workspace.messages(kOps, ts);
  assert.deepStrictEqual(
    done.chunks.map(({ type, status }) => [type, status]),
    [
      ['plan_update', undefined],
      ['task_update', 'complete'],
    ],
  );
  assert.strictEqual(
    await refusal(client.chat.appendStream({ channel: kOps, ts: running.ts, markdown_text: 'x' })),
    'message_not_in_streaming_state',
  );
});

talks('a stream that a person stopped takes no more', async (client, workspace) => {
  const { ts } = await workspace.tell('say', { user: kAna, channel: kOps, text: 'go' });
  const recipient = { recipient_user_id: kAna, recipient_team_id: kTeam };
  const stream = await client.chat.startStream({ channel: kOps, thread_ts: ts, ...recipient, markdown_text: 'a' });
  assert.deepStrictEqual((await workspace.tell('stop', { user: kAna, channel: kOps, thread_ts: ts })).stopped, [
    stream.ts,
  ]);
  assert.strictEqual(
    await refusal(client.chat.appendStream({ channel: kOps, ts: stream.ts, markdown_text: 'b' })),
    'stopped_by_user',
  );
});

talks('sets status, title and prompts of an assistant thread', async (client, workspace) => {
  const { channel, ts } = await workspace.tell('say', { user: kAna, channel: 'im', text: 'hello' });
  const thread = { channel_id: channel, thread_ts: ts };
  await client.assistant.threads.setStatus({ ...thread, status: 'is thinking', loading_messages: ['Looking'] });
  await client.assistant.threads.setTitle({ ...thread, title: 'Greeting' });
  await client.assistant.threads.setSuggestedPrompts({
    ...thread,
    prompts: [{ title: 'Errors', message: 'Show errors' }],
  });
  const state = async () =>
    (await workspace.see('state')).channels.find(({ id }) => id === channel).assistant_threads[ts];
  assert.strictEqual((await state()).status, 'is thinking');
  await client.chat.postMessage({ channel, thread_ts: ts, text: 'hi' });
  assert.deepStrictEqual([(await state()).status, (await state()).title], ['', 'Greeting']);
  assert.strictEqual(
    await refusal(client.assistant.threads.setStatus({ channel_id: channel, thread_ts: '1.000000', status: 'x' })),
    'invalid_thread_ts',
  );
});

talks('searches with an action token or as a person', async (client, workspace) => {
  await workspace.tell('say', { user: kAna, channel: kOps, text: 'the database is slow' });
  await workspace.tell('say', { user: kAna, channel: 'C0BOARD0001', text: 'the database costs too much' });
  assert.strictEqual(
    await refusal(client.apiCall('assistant.search.context', { query: 'database' })),
    'invalid_action_token',
  );
  assert.strictEqual(await refusal(client.search.messages({ query: 'database' })), 'not_allowed_token_type');
  const person = workspace.client(slack.kUserToken);
  const { messages } = await person.search.messages({ query: 'database' });
  assert.strictEqual(messages.total, 2);
  const { results } = await person.apiCall('assistant.search.context', { query: 'slow database' });
  assert.deepStrictEqual(
    results.messages.map(({ channel_id, content }) => [channel_id, content]),
    [[kOps, 'the database is slow']],
  );
  await client.apiCall('assistant.search.info');
});

talks('publishes a home view, with its hash', async (client) => {
  const view = (text) => ({ type: 'home', blocks: [{ type: 'section', text: { type: 'plain_text', text } }] });
  const first = await client.views.publish({ user_id: kAna, view: view('one') });
  const second = await client.views.publish({ user_id: kAna, view: view('two'), hash: first.view.hash });
  assert.strictEqual(second.view.id, first.view.id);
  assert.strictEqual(
    await refusal(client.views.publish({ user_id: kAna, view: view('three'), hash: first.view.hash })),
    'hash_conflict',
  );
});

talks('validates blocks and manifests, and creates an app', async (client, workspace) => {
  await client.blocks.validate({ blocks: [{ type: 'divider' }] });
  assert.strictEqual(await refusal(client.blocks.validate({ blocks: [{ type: 'nonsense' }] })), 'invalid_blocks');
  await assert.rejects(
    client.blocks.validate({ blocks: [{ type: 'header', text: { type: 'mrkdwn', text: 'x' } }] }),
    ({ data }) => {
      assert.match(data.errors[0].pointer, /^\/0\/text/);
      return data.error === 'invalid_blocks';
    },
  );
  const developer = workspace.client(slack.kConfigurationToken);
  const manifest = {
    display_information: { name: 'Helper' },
    features: { bot_user: { display_name: 'helper' } },
    oauth_config: { scopes: { bot: ['chat:write'] } },
    settings: { socket_mode_enabled: true },
  };
  await developer.apps.manifest.validate({ manifest });
  assert.strictEqual(await refusal(developer.apps.manifest.validate({ manifest: {} })), 'invalid_manifest');
  const created = await developer.apps.manifest.create({ manifest });
  assert.ok(created.credentials.signing_secret);
  assert.strictEqual(await refusal(client.users.list({})), 'missing_scope');
});

talks('opens a socket address with an app token only', async (client, workspace) => {
  assert.match((await workspace.client(slack.kAppToken).apps.connections.open()).url, /^ws:.*ticket=/);
  assert.strictEqual(await refusal(client.apps.connections.open()), 'not_allowed_token_type');
});

talks('opens, pushes and updates modals', async (client, workspace) => {
  const modal = (text) => ({
    type: 'modal',
    title: { type: 'plain_text', text: 'Modal' },
    blocks: [{ type: 'section', text: { type: 'plain_text', text } }],
  });
  assert.strictEqual(
    await refusal(client.views.open({ trigger_id: 'nonsense', view: modal('x') })),
    'invalid_trigger_id',
  );
  const trigger = async (act) => {
    const { last } = await workspace.tell('record', { kind: 'none' });
    await workspace.tell('timing', { acknowledge_ms: 0 });
    await act();
    return (await workspace.recorded('envelope', {}, last)).envelope.payload.trigger_id;
  };
  const { SocketModeClient } = slack.packages('@slack/socket-mode');
  const socket = new SocketModeClient({
    appToken: slack.kAppToken,
    logger: slack.quiet,
    clientOptions: { slackApiUrl: workspace.api, logger: slack.quiet },
  });
  await socket.start();
  try {
    const first = await trigger(() => workspace.tell('shortcut', { user: kAna, callback_id: 'open' }));
    const with_button = modal('one');
    with_button.blocks.push({
      type: 'actions',
      elements: [{ type: 'button', action_id: 'more', text: { type: 'plain_text', text: 'More' } }],
    });
    const { view } = await client.views.open({ trigger_id: first, view: with_button });
    assert.strictEqual(
      await refusal(client.views.open({ trigger_id: first, view: modal('x') })),
      'exchanged_trigger_id',
    );
    const second = await trigger(() => workspace.tell('click', { user: kAna, view_id: view.id, action_id: 'more' }));
    const pushed = await client.views.push({ trigger_id: second, view: modal('two') });
    assert.strictEqual(pushed.view.previous_view_id, view.id);
    const updated = await client.views.update({ view_id: view.id, hash: view.hash, view: modal('three') });
    assert.strictEqual(
      await refusal(client.views.update({ view_id: view.id, hash: view.hash, view: modal('four') })),
      'hash_conflict',
    );
    assert.notStrictEqual(updated.view.hash, view.hash);
    await workspace.tell('timing', { trigger_ms: 0 });
    const third = await trigger(() => workspace.tell('shortcut', { user: kAna, callback_id: 'open' }));
    assert.strictEqual(await refusal(client.views.open({ trigger_id: third, view: modal('x') })), 'expired_trigger_id');
  } finally {
    await socket.disconnect();
  }
});

const refused = {
  'an empty message': [{ channel: kOps }, 'no_text'],
  'a channel that is not there': [{ channel: 'C0NOTHERE01', text: 'x' }, 'channel_not_found'],
  'a private channel it is not in': [{ channel: 'C0BOARD0001', text: 'x' }, 'channel_not_found'],
  'an archived channel': [{ channel: 'C0ARCHIVE01', text: 'x' }, 'is_archived'],
  'a thread of another channel': [
    { channel: kOps, text: 'x', thread_ts: '1700000000.000100' },
    'cannot_reply_to_message',
  ],
  'text beside Markdown': [{ channel: kOps, text: 'x', markdown_text: 'y' }, 'markdown_text_conflict'],
  'metadata without a payload': [
    { channel: kOps, text: 'x', metadata: { event_type: 'x' } },
    'invalid_metadata_schema',
  ],
  'too many attachments': [
    { channel: kOps, text: 'x', attachments: Array(101).fill({ text: 'x' }) },
    'too_many_attachments',
  ],
  'blocks that are not a list': [{ channel: kOps, text: 'x', blocks: { type: 'divider' } }, 'invalid_blocks_format'],
  'more text in blocks than fits': [
    {
      channel: kOps,
      text: 'x',
      blocks: Array(5).fill({ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(2900) } }),
    },
    'msg_blocks_too_long',
  ],
  'an argument that does not exist': [{ channel: kOps, text: 'x', thread: '1' }, 'invalid_arg_name'],
};
for (const [name, [message, error]] of Object.entries(refused)) {
  talks(`refuses ${name}`, async (client) =>
    assert.strictEqual(await refusal(client.chat.postMessage(message)), error),
  );
}

talks('a video needs its scope, metadata an app, and two tables are too many', async (client, workspace) => {
  const text = (words) => ({ type: 'plain_text', text: words });
  const video = {
    type: 'video',
    title: text('v'),
    alt_text: 'v',
    video_url: 'https://example.com/v',
    thumbnail_url: 'https://example.com/t',
  };
  const post = (more) => refusal(client.chat.postMessage({ channel: kOps, text: 'x', ...more }));
  assert.strictEqual(await post({ blocks: [video] }), 'missing_scope');
  await workspace.tell('token', { token: slack.kBotToken, add_scopes: ['links.embed:write'] });
  assert.strictEqual(await post({ blocks: [video] }), 'accepted');
  const table = { type: 'table', rows: [[{ type: 'raw_text', text: 'x' }]] };
  assert.strictEqual(await post({ blocks: [table], attachments: [{ blocks: [table] }] }), 'invalid_blocks');
  const person = workspace.client(slack.kUserToken);
  const metadata = { event_type: 'run', event_payload: {} };
  assert.strictEqual(
    await refusal(person.chat.postMessage({ channel: kOps, text: 'x', metadata })),
    'metadata_must_be_sent_from_app',
  );
  assert.strictEqual(await refusal(client.apiCall('files.upload', { content: 'x' })), 'method_deprecated');
});

talks('counts bytes in an update, not characters', async (client) => {
  const { ts } = await client.chat.postMessage({ channel: kOps, text: 'x' });
  await client.chat.update({ channel: kOps, ts, text: '\u00e9'.repeat(2000) });
  assert.strictEqual(
    await refusal(client.chat.update({ channel: kOps, ts, text: '\u00e9'.repeat(2001) })),
    'msg_too_long',
  );
});

talks('checks tokens and scopes at each call', async (client, workspace) => {
  assert.strictEqual(await refusal(workspace.client('xoxb-fake-unknown').auth.test()), 'invalid_auth');
  assert.strictEqual(await refusal(workspace.client('').auth.test()), 'not_authed');
  await workspace.tell('token', { token: slack.kBotToken, remove_scopes: ['reactions:write'] });
  await assert.rejects(
    client.reactions.add({ channel: kOps, timestamp: '1.0', name: 'eyes' }),
    ({ data }) => data.error === 'missing_scope' && data.needed === 'reactions:write',
  );
  await workspace.tell('token', { token: slack.kBotToken, remove_scopes: ['chat:write.public'] });
  assert.strictEqual(await refusal(client.chat.postMessage({ channel: 'C0RANDOM001', text: 'x' })), 'not_in_channel');
  await workspace.tell('token', { token: slack.kBotToken, revoked: true });
  assert.strictEqual(await refusal(client.auth.test()), 'token_revoked');
});

talks('takes JSON, with its token in the header only', async (_client, workspace) => {
  const post = async (headers, body) => {
    const response = await fetch(`${workspace.api}chat.postMessage`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return response.json();
  };
  const message = { channel: kOps, blocks: [{ type: 'divider' }], text: 'x' };
  const authorization = `Bearer ${slack.kBotToken}`;
  assert.strictEqual(
    (await post({ authorization, 'content-type': 'application/json; charset=utf-8' }, message)).ok,
    true,
  );
  assert.strictEqual(
    (await post({ authorization, 'content-type': 'application/json' }, message)).warning,
    'missing_charset',
  );
  assert.strictEqual(
    (await post({ 'content-type': 'application/json; charset=utf-8' }, { ...message, token: slack.kBotToken })).error,
    'not_authed',
  );
});

test('every method of the simulator was called with success by the client', () => {
  assert.deepStrictEqual(
    methods.filter((method) => !called.has(method)),
    [],
  );
});
