// The app in docs/slack-simulator.md runs as it stands there, and what the page tells a reader to do with it works.
'use strict';

const assert = require('node:assert');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const readline = require('node:readline');
const { test } = require('node:test');
const slack = require('./slack_client');

const page = fs.readFileSync(path.join(__dirname, '../../../docs/slack-simulator.md'), 'utf8');
const [, app] = page.match(/```js\n([^]*?)```/);

/// Runs the app with the variables that the simulator printed, until `body` has ended.
async function with_app(workspace, body) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'slack-docs-'));
  const file = path.join(folder, 'app.js');
  fs.writeFileSync(file, app);
  const variables = workspace.lines.map((line) => line.trim().match(/^(SLACK_\w+)=(.*)$/)).filter(Boolean);
  const env = { ...process.env, ...Object.fromEntries(variables.map(([, name, value]) => [name, value])) };
  env.NODE_PATH = path.join(__dirname, '../../../build/tools/peers/node_modules');
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const output = readline.createInterface({ input: child.stdout });
    await new Promise((resolve, reject) => {
      output.on('line', (line) => line === 'running' && resolve());
      child.on('exit', (code) => reject(new Error(`the app ended with ${code}`)));
    });
    await body();
  } finally {
    child.removeAllListeners('exit');
    child.kill('SIGKILL');
    fs.rmSync(folder, { recursive: true });
  }
}

test('the app of the page asks, opens its form and answers', slack.kLimit, () =>
  slack.with_workspace(async (workspace) => {
    await with_app(workspace, async () => {
      const { ts, channel } = await workspace.tell('say', {
        user: slack.kAna,
        channel: 'ops',
        text: 'good morning',
        mention: true,
      });
      const { answer: card } = await workspace.recorded('call', { method: 'chat.postMessage' });
      assert.strictEqual(card.message.text, 'Coffee?');
      await workspace.tell('click', { user: slack.kAna, channel, ts: card.ts, action_id: 'order' });
      const opened = await workspace.recorded('call', { method: 'views.open' });
      const view_id = opened.answer.view.id;
      const sent = await workspace.tell('submit', { user: slack.kAna, view_id, values: { how_many: { cups: '2' } } });
      assert.strictEqual(sent.result, 'closed');
      await workspace.recorded('call', { method: 'chat.postMessage' }, opened.n);
      const texts = (await workspace.messages(channel, ts)).map(({ text }) => text);
      assert.deepStrictEqual(texts, ['<@U0DEPUTY001> good morning', 'Coffee?', '2 cups are coming']);
      assert.match(await workspace.see('thread.html', { channel, ts, theme: 'dark' }), /^<!doctype html>/i);
    });
  }),
);

test('the app of the page is about 30 lines', () => assert.ok(app.trim().split('\n').filter(Boolean).length <= 32));

test('the page names every act of the control API and every person and channel', slack.kLimit, () =>
  slack.with_workspace(async (workspace) => {
    const { people, channels } = await workspace.see('state');
    const missing = [...people, ...channels].map(({ id }) => id).filter((id) => !page.includes(`\`${id}\``));
    assert.deepStrictEqual(missing, []);
    const source = fs.readFileSync(path.join(__dirname, '../../../sim/slack/control.cpp'), 'utf8');
    const acts = [...source.matchAll(/\{"(\w+)", [a-z_]+\}/g)].map(([, name]) => name);
    assert.ok(acts.length > 20);
    assert.deepStrictEqual(
      acts.filter((name) => !page.includes(`\`${name}\``)),
      [],
    );
  }),
);
