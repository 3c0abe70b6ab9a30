// Slack's own framework works against the simulator, over Socket Mode and over signed HTTP: every kind of event, action,
// view, shortcut and command, its acknowledgements and its retries.
'use strict';

const assert = require('node:assert');
const { test } = require('node:test');
const slack = require('./slack_client');
const { with_workspace, kLimit, kAna, kBot, kOps } = slack;
const { App, Assistant, HTTPReceiver, SocketModeReceiver } = slack.packages('@slack/bolt');

const plain = (text) => ({ type: 'plain_text', text });
const option = (value) => ({ text: plain(value.toUpperCase()), value });

function receiver_of(transport, workspace) {
  const common = { logger: slack.quiet };
  if (transport === 'http') return new HTTPReceiver({ ...common, signingSecret: slack.kSigningSecret, port: 0 });
  const receiver = new SocketModeReceiver({
    ...common,
    appToken: slack.kAppToken,
    installerOptions: { clientOptions: { slackApiUrl: workspace.api } },
  });
  return receiver;
}

async function start(transport, workspace, prepare) {
  const receiver = receiver_of(transport, workspace);
  const app = new App({
    token: slack.kBotToken,
    receiver,
    logger: slack.quiet,
    clientOptions: { slackApiUrl: workspace.api, logger: slack.quiet },
  });
  const failures = [];
  app.error(async (error) => failures.push(error));
  prepare(app);
  const server = await app.start(0);
  if (transport === 'http')
    await workspace.tell('app', { request_url: `http://127.0.0.1:${server.address().port}/slack/events` });
  return { app, failures };
}

/// A test over both transports. `prepare(app, seen)` registers listeners; `body(workspace, seen)` acts.
function bolts(name, prepare, body) {
  for (const transport of ['socket', 'http']) {
    test(`${name}, by ${transport}`, kLimit, () =>
      with_workspace(async (workspace) => {
        const seen = {};
        const { app, failures } = await start(transport, workspace, (made) => prepare(made, seen));
        try {
          await body(workspace, seen);
          assert.deepStrictEqual(failures, []);
        } finally {
          await app.stop();
        }
      }),
    );
  }
}

/// A promise and its resolve, for what a listener gets.
const awaited = (seen, name) => {
  let give;
  seen[name] = new Promise((resolve) => (give = resolve));
  return give;
};

bolts(
  'a mention is answered in its thread',
  (app) =>
    app.event('app_mention', async ({ event, say }) => say({ text: `You said ${event.text}`, thread_ts: event.ts })),
  async (workspace) => {
    const { ts } = await workspace.tell('say', { user: kAna, channel: kOps, text: 'hi', mention: true });
    await workspace.recorded('call', { method: 'chat.postMessage' });
    const [, reply] = await workspace.messages(kOps, ts);
    assert.strictEqual(reply.text, `You said <@${kBot}> hi`);
  },
);

bolts(
  'a direct message is heard, and the app does not hear itself',
  (app, seen) => {
    seen.texts = [];
    app.message(async ({ message, say }) => {
      seen.texts.push(message.text);
      await say('pong');
    });
  },
  async (workspace, seen) => {
    const { channel } = await workspace.tell('say', { user: kAna, channel: 'im', text: 'ping' });
    await workspace.recorded('call', { method: 'chat.postMessage' });
    const own = await workspace.recorded(
      'acknowledged',
      {},
      (await workspace.recorded('call', { method: 'chat.postMessage' })).n,
    );
    assert.ok(own);
    assert.deepStrictEqual(seen.texts, ['ping']);
    assert.strictEqual((await workspace.messages(channel)).length, 2);
  },
);

const kCard = [
  { type: 'section', block_id: 'about', text: { type: 'mrkdwn', text: 'Restart?' } },
  { type: 'input', block_id: 'why', label: plain('Why'), element: { type: 'plain_text_input', action_id: 'text' } },
  {
    type: 'input',
    block_id: 'how',
    label: plain('How'),
    element: { type: 'radio_buttons', action_id: 'pick', options: [option('fast'), option('slow')] },
  },
  {
    type: 'actions',
    block_id: 'buttons',
    elements: [
      { type: 'button', action_id: 'approve', style: 'primary', text: plain('Approve'), value: 'run-1' },
      { type: 'static_select', action_id: 'who', options: [option('ana'), option('bo')] },
    ],
  },
];

bolts(
  'a click brings the state of all inputs, and respond replaces the card',
  (app, seen) => {
    const clicked = awaited(seen, 'clicked');
    app.action('approve', async ({ ack, body, action, respond }) => {
      await ack();
      await respond({ text: 'Approved', replace_original: true });
      clicked({ body, action });
    });
  },
  async (workspace, seen) => {
    const { ts } = await workspace.client().chat.postMessage({ channel: kOps, text: 'Restart?', blocks: kCard });
    const answer = await workspace.tell('click', {
      user: kAna,
      channel: kOps,
      ts,
      action_id: 'approve',
      state: { why: { text: 'slow' }, how: { pick: 'fast' } },
    });
    assert.strictEqual(answer.acknowledged, true);
    const { body, action } = await seen.clicked;
    assert.deepStrictEqual([action.type, action.value, action.block_id], ['button', 'run-1', 'buttons']);
    assert.deepStrictEqual(body.state.values, {
      why: { text: { type: 'plain_text_input', value: 'slow' } },
      how: { pick: { type: 'radio_buttons', selected_option: option('fast') } },
      buttons: { who: { type: 'static_select', selected_option: null } },
    });
    assert.deepStrictEqual([body.container.message_ts, body.channel.id, body.message.ts], [ts, kOps, ts]);
    const [card] = await workspace.messages(kOps, ts);
    assert.deepStrictEqual([card.text, card.blocks], ['Approved', undefined]);
  },
);

bolts(
  'a choice in a select comes as an action',
  (app, seen) => {
    const chosen = awaited(seen, 'chosen');
    app.action('who', async ({ ack, action }) => (await ack(), chosen(action)));
  },
  async (workspace, seen) => {
    const { ts } = await workspace.client().chat.postMessage({ channel: kOps, text: 'Restart?', blocks: kCard });
    await workspace.tell('click', { user: kAna, channel: kOps, ts, action_id: 'who', value: 'bo' });
    assert.deepStrictEqual((await seen.chosen).selected_option, option('bo'));
    await assert.rejects(
      workspace.tell('click', { user: kAna, channel: kOps, ts, action_id: 'who', value: 'cy' }),
      /no option/,
    );
    await assert.rejects(workspace.tell('click', { user: kAna, channel: kOps, ts, action_id: 'deny' }), /no element/);
  },
);

bolts(
  'a button in an attachment says that it was there, one in an ephemeral message shows nothing of it',
  (app, seen) => {
    seen.bodies = [];
    app.action('go', async ({ ack, body, respond }) => {
      await ack();
      await respond({ delete_original: true });
      seen.bodies.push(body);
    });
  },
  async (workspace, seen) => {
    const blocks = [{ type: 'actions', elements: [{ type: 'button', action_id: 'go', text: plain('Go') }] }];
    const client = workspace.client();
    const posted = await client.chat.postMessage({
      channel: kOps,
      text: 'x',
      attachments: [{ color: '#D93025', blocks }],
    });
    await workspace.tell('click', { user: kAna, channel: kOps, ts: posted.ts, action_id: 'go' });
    const first = await workspace.recorded('response_url', { status: 200 });
    const { message_ts } = await client.chat.postEphemeral({ channel: kOps, user: kAna, text: 'x', blocks });
    await assert.rejects(
      workspace.tell('click', { user: 'U0BO0000001', channel: kOps, ts: message_ts, action_id: 'go' }),
      /does not see/,
    );
    await workspace.tell('click', { user: kAna, channel: kOps, ts: message_ts, action_id: 'go' });
    await workspace.recorded('response_url', { status: 200 }, first.n);
    while (seen.bodies.length < 2) await new Promise(setImmediate);
    const [attached, ephemeral] = seen.bodies;
    assert.strictEqual(attached.container.type, 'message_attachment');
    assert.deepStrictEqual([ephemeral.container.is_ephemeral, ephemeral.message], [true, undefined]);
    assert.deepStrictEqual(await workspace.messages(kOps), []);
  },
);

const kModal = {
  type: 'modal',
  callback_id: 'form',
  private_metadata: 'run-1',
  notify_on_close: true,
  title: plain('Questions'),
  submit: plain('Send'),
  blocks: [
    { type: 'input', block_id: 'name', label: plain('Name'), element: { type: 'plain_text_input', action_id: 'text' } },
    {
      type: 'input',
      block_id: 'env',
      optional: true,
      label: plain('Where'),
      element: { type: 'external_select', action_id: 'pick', min_query_length: 0 },
    },
  ],
};

bolts(
  'a shortcut opens a modal: options are suggested, errors shown, then it is updated and closed',
  (app, seen) => {
    const opened = awaited(seen, 'opened');
    const closed = awaited(seen, 'closed');
    app.shortcut('ask', async ({ ack, shortcut, client }) => {
      await ack();
      opened((await client.views.open({ trigger_id: shortcut.trigger_id, view: kModal })).view);
    });
    app.options('pick', async ({ ack, options }) =>
      ack({ options: [option('prod'), option('staging')].filter(({ value }) => value.startsWith(options.value)) }),
    );
    app.view('form', async ({ ack, view }) => {
      const name = view.state.values.name.text.value;
      if (name === 'nobody') return ack({ response_action: 'errors', errors: { name: 'Somebody, please' } });
      if (name === 'more') return ack({ response_action: 'update', view: { ...kModal, title: plain('More') } });
      return ack();
    });
    app.view({ callback_id: 'form', type: 'view_closed' }, async ({ ack, view }) => (await ack(), closed(view)));
  },
  async (workspace, seen) => {
    await workspace.tell('shortcut', { user: kAna, callback_id: 'ask' });
    const view = await seen.opened;
    const of_view = { user: kAna, view_id: view.id };
    const { answer } = await workspace.tell('suggest', { ...of_view, action_id: 'pick', value: 'st' });
    assert.deepStrictEqual(answer.options, [option('staging')]);
    const send = async (values) => workspace.tell('submit', { ...of_view, values });
    assert.deepStrictEqual((await send({})).errors, { name: 'Please complete this required field.' });
    assert.deepStrictEqual((await send({ name: { text: 'nobody' } })).errors, { name: 'Somebody, please' });
    assert.strictEqual((await send({ name: { text: 'more' } })).result, 'updated');
    assert.strictEqual((await send({ name: { text: 'ana' }, env: { pick: option('prod') } })).result, 'closed');
    await assert.rejects(send({ name: { text: 'ana' } }), /closed/);
    seen.again = workspace.tell('shortcut', { user: kAna, callback_id: 'ask' });
    await seen.again;
    const { answer: opened } = await workspace.recorded(
      'call',
      { method: 'views.open' },
      (await workspace.recorded('submit')).n,
    );
    await workspace.tell('close', { user: kAna, view_id: opened.view.id });
    assert.strictEqual((await seen.closed).private_metadata, 'run-1');
  },
);

bolts(
  'a message shortcut brings the message',
  (app, seen) => {
    const used = awaited(seen, 'used');
    app.shortcut({ callback_id: 'explain', type: 'message_action' }, async ({ ack, shortcut, respond }) => {
      await ack();
      await respond({ text: 'Only for you', response_type: 'ephemeral' });
      used(shortcut);
    });
  },
  async (workspace, seen) => {
    const { ts } = await workspace.tell('say', { user: kAna, channel: kOps, text: 'what is this' });
    await workspace.tell('shortcut', { user: kAna, callback_id: 'explain', channel: kOps, ts });
    const shortcut = await seen.used;
    assert.deepStrictEqual(
      [shortcut.message.text, shortcut.message_ts, shortcut.channel.id],
      ['what is this', ts, kOps],
    );
    assert.match(await workspace.see('thread.txt', { channel: kOps, user: kAna }), /Only for you/);
  },
);

bolts(
  'a command is answered with its acknowledgement and later, five times at most',
  (app, seen) => {
    const done = awaited(seen, 'done');
    app.command('/deputy', async ({ ack, command, respond }) => {
      await ack(`Working on ${command.text}`);
      for (let i = 0; i < 5; ++i) await respond({ text: `Step ${i}`, response_type: 'in_channel' });
      await respond('too many').catch((error) => done(error));
    });
  },
  async (workspace, seen) => {
    const answer = await workspace.tell('command', { user: kAna, channel: kOps, command: '/deputy', text: 'status' });
    assert.deepStrictEqual([answer.acknowledged, answer.message.ephemeral], [true, true]);
    assert.match((await seen.done).message, /404/);
    const texts = (await workspace.messages(kOps)).map(({ text }) => text).sort();
    assert.deepStrictEqual(texts, ['Step 0', 'Step 1', 'Step 2', 'Step 3', 'Step 4', 'Working on status']);
  },
);

bolts(
  'the home tab is published when it is opened, and its buttons work',
  (app, seen) => {
    const published = awaited(seen, 'published');
    const pressed = awaited(seen, 'pressed');
    app.event('app_home_opened', async ({ event, client }) => {
      const blocks = [
        { type: 'actions', elements: [{ type: 'button', action_id: 'refresh', text: plain('Refresh') }] },
      ];
      published((await client.views.publish({ user_id: event.user, view: { type: 'home', blocks } })).view);
    });
    app.action('refresh', async ({ ack, body }) => (await ack(), pressed(body)));
  },
  async (workspace, seen) => {
    await workspace.tell('open_home', { user: kAna });
    const view = await seen.published;
    await workspace.tell('click', { user: kAna, view_id: view.id, action_id: 'refresh' });
    const body = await seen.pressed;
    assert.deepStrictEqual(
      [body.container, body.channel, body.response_url],
      [{ type: 'view', view_id: view.id }, undefined, undefined],
    );
  },
);

bolts(
  'an assistant of the earlier era greets, sets its status and answers',
  (app) => {
    app.assistant(
      new Assistant({
        threadStarted: async ({ say, setSuggestedPrompts, saveThreadContext }) => {
          await say('How can I help?');
          await saveThreadContext();
          await setSuggestedPrompts({ prompts: [{ title: 'Errors', message: 'Show errors' }] });
        },
        userMessage: async ({ message, say, setStatus, setTitle }) => {
          await setTitle(message.text);
          await setStatus('is looking');
          await say(`Found nothing about ${message.text}`);
        },
      }),
    );
  },
  async (workspace) => {
    await workspace.tell('app', { agent_view: false });
    const { channel, thread_ts } = await workspace.tell('open_assistant', { user: kAna, context_channel: kOps });
    await workspace.recorded('call', { method: 'assistant.threads.setSuggestedPrompts', answer: { ok: true } });
    const { last } = await workspace.tell('record', { kind: 'none' });
    await workspace.tell('say', { user: kAna, channel, thread_ts, text: 'errors' });
    await workspace.recorded('call', { method: 'chat.postMessage', answer: { ok: true } }, last);
    const texts = (await workspace.messages(channel, thread_ts)).map(({ text }) => text);
    assert.deepStrictEqual(texts.slice(-2), ['errors', 'Found nothing about errors']);
  },
);

bolts(
  'what nobody acknowledges is seen as a failure by the person',
  (app) => app.action('approve', async () => {}),
  async (workspace) => {
    await workspace.tell('timing', { acknowledge_ms: 100 });
    const { ts } = await workspace.client().chat.postMessage({ channel: kOps, text: 'Restart?', blocks: kCard });
    const answer = await workspace.tell('click', { user: kAna, channel: kOps, ts, action_id: 'approve' });
    assert.deepStrictEqual([answer.acknowledged, answer.sees], [false, 'We had some trouble connecting. Try again?']);
  },
);

bolts(
  'a call that met a rate limit is made again after the time that Slack says',
  (app, seen) => {
    const posted = awaited(seen, 'posted');
    app.event('app_mention', async ({ say }) => posted(await say('here')));
  },
  async (workspace, seen) => {
    await workspace.tell('fault', { on: 'api', kind: 'status', status: 429, retry_after: 1, name: 'chat.postMessage' });
    await workspace.tell('say', { user: kAna, channel: kOps, text: 'hi', mention: true });
    assert.strictEqual((await seen.posted).ok, true);
    assert.strictEqual((await workspace.messages(kOps)).length, 2);
  },
);

test('a request with a wrong signature is refused, and the event comes again with the reason', kLimit, () =>
  with_workspace(async (workspace) => {
    const receiver = new HTTPReceiver({
      signingSecret: 'fake-but-another-secret',
      logger: slack.quiet,
      signatureVerification: true,
    });
    const app = new App({
      token: slack.kBotToken,
      receiver,
      logger: slack.quiet,
      clientOptions: { slackApiUrl: workspace.api },
    });
    const server = await app.start(0);
    try {
      const url = `http://127.0.0.1:${server.address().port}/slack/events`;
      await assert.rejects(workspace.tell('app', { request_url: url }), /challenge/);
    } finally {
      await app.stop();
    }
  }),
);

test('an event over HTTP that fails comes again three times, unless the app says not to', kLimit, () =>
  with_workspace(async (workspace) => {
    const got = [];
    const server = require('node:http').createServer((request, response) => {
      let body = '';
      request.on('data', (data) => (body += data));
      request.on('end', () => {
        const { challenge, event } = JSON.parse(body);
        if (challenge) return response.end(challenge);
        got.push([event.text, request.headers['x-slack-retry-num'], request.headers['x-slack-retry-reason']]);
        response.writeHead(500, event.text === 'once' ? { 'X-Slack-No-Retry': '1' } : {}).end();
      });
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    await workspace.tell('timing', { retry_ms: [0, 1, 1] });
    await workspace.tell('app', { request_url: `http://127.0.0.1:${server.address().port}/` });
    await workspace.tell('say', { user: kAna, channel: kOps, text: 'again' });
    await workspace.recorded('delivery_failed', { reason: 'http_error' });
    await workspace.tell('say', { user: kAna, channel: kOps, text: 'once' });
    await workspace.recorded('delivery_failed', { reason: 'no_retry' });
    assert.deepStrictEqual(got, [
      ['again', undefined, undefined],
      ['again', '1', 'http_error'],
      ['again', '2', 'http_error'],
      ['again', '3', 'http_error'],
      ['once', undefined, undefined],
    ]);
    server.close();
  }),
);
