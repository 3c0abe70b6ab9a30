// A Slack app as the guides of Bolt and of Anthropic's SDK write it: a mention is acknowledged in its thread, the thread
// and the person are read, the model is asked and may use a tool, and its answer replaces the acknowledgement.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

const list = path.join(__dirname, '../../../build/tools/peers/package.json');
if (!fs.existsSync(list)) throw new Error(`there is no ${list}: run scripts/setup`);
const packages = require('node:module').createRequire(list);
const { App, LogLevel } = packages('@slack/bolt');
const { Anthropic } = packages('@anthropic-ai/sdk');

const app = new App({
  token: process.env.SLACK_BOT_TOKEN,
  appToken: process.env.SLACK_APP_TOKEN,
  socketMode: true,
  logLevel: LogLevel.ERROR,
  clientOptions: { slackApiUrl: process.env.SLACK_API_URL },
});
const anthropic = new Anthropic(); // address and key are in the environment

const kServices = { checkout: 'Takes orders', billing: 'Sends invoices' };
const kSystem = 'You help an operations team. Use the tools; answer in one or two sentences.';
const kTools = [
  {
    name: 'list_services',
    description: 'Lists the services of the company, with a line about each.',
    input_schema: { type: 'object', properties: { query: { type: 'string', description: 'Words in their names' } } },
  },
];

function list_services({ query = '' }) {
  const found = Object.entries(kServices).filter(([name]) => name.includes(query));
  return found.map(([name, about]) => `${name}: ${about}`).join('\n');
}

async function ask(request) {
  const messages = [{ role: 'user', content: request }];
  for (let turn = 0; turn < 10; ++turn) {
    const reply = await anthropic.messages
      .stream({ model: 'claude-sonnet-5-5', max_tokens: 16000, system: kSystem, tools: kTools, messages })
      .finalMessage();
    if (reply.stop_reason !== 'tool_use')
      return reply.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    messages.push({ role: 'assistant', content: reply.content });
    const calls = reply.content.filter((block) => block.type === 'tool_use');
    const results = calls.map((call) => ({
      type: 'tool_result',
      tool_use_id: call.id,
      content: list_services(call.input),
    }));
    messages.push({ role: 'user', content: results });
  }
  return 'That took too many steps.';
}

app.event('app_mention', async ({ event, client }) => {
  const { channel } = event;
  const thread_ts = event.thread_ts ?? event.ts;
  const { ts } = await client.chat.postMessage({ channel, thread_ts, text: 'Working on it…' });
  const [thread, person] = await Promise.all([
    client.conversations.replies({ channel, ts: thread_ts, latest: event.ts }),
    client.users.info({ user: event.user }),
  ]);
  const said = thread.messages.map((message) => `${message.user}: ${message.text}`).join('\n');
  const text = await ask(`${said}\n\n${person.user.real_name} asks: ${event.text}`);
  await client.chat.update({ channel, ts, text, blocks: [{ type: 'markdown', text }] });
});

app.start();
