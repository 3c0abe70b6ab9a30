// What the tests of the Slack simulator have in common: the program itself, started for one test, and its control API.
'use strict';

const assert = require('node:assert');
const { spawn } = require('node:child_process');
const path = require('node:path');
const readline = require('node:readline');
const packages = require('../lib/packages');

const kProgram = process.env.DEPUTY_SIM || path.join(__dirname, '../../../build/asan/sim/deputy-sim');
const kBotToken = 'xoxb-fake-bot-token';
const kAppToken = 'xapp-fake-app-token';
const kUserToken = 'xoxp-fake-user-token';
const kConfigurationToken = 'xoxe.xoxp-fake-configuration-token';
const kSigningSecret = 'fake-signing-secret-of-the-simulator';
const kAna = 'U0ANA000001';
const kBo = 'U0BO0000001';
const kBot = 'U0DEPUTY001';
const kTeam = 'T0SIM000001';
const kOps = 'C0OPS000001';
const kLimit = { timeout: 60000 };

const quiet = { debug() {}, info() {}, warn() {}, error() {}, setLevel() {}, getLevel: () => 'error', setName() {} };

/// A workspace that runs: `tell` is a POST to the control API, `see` a GET.
class Workspace {
  constructor(url, lines) {
    this.url = url;
    this.api = `${url}/api/`;
    this.lines = lines; // what the program has printed
  }

  async tell(what, wanted = {}) {
    const response = await fetch(`${this.url}/control/${what}`, { method: 'POST', body: JSON.stringify(wanted) });
    const answer = await response.json();
    if (!answer.ok) throw new Error(`${what}: ${answer.error}`);
    return answer;
  }

  async see(what, query = {}) {
    const response = await fetch(`${this.url}/control/${what}?${new URLSearchParams(query)}`);
    const text = await response.text();
    assert.strictEqual(response.status, 200, text);
    return response.headers.get('content-type').startsWith('application/json') ? JSON.parse(text) : text;
  }

  /// The first entry of the record like this, now or soon.
  async recorded(kind, match = {}, after = 0) {
    const { entries } = await this.tell('record', { kind, match, after, timeout_ms: 20000 });
    assert.notStrictEqual(entries.length, 0, `nothing recorded like ${kind} ${JSON.stringify(match)}`);
    return entries[0];
  }

  async count(kind, match = {}) {
    return (await this.tell('record', { kind, match })).entries.length;
  }

  async messages(channel, ts = '') {
    return (await this.see('thread', { channel, ts })).messages;
  }

  client(token = kBotToken, more = {}) {
    const { WebClient } = packages('@slack/web-api');
    return new WebClient(token, { slackApiUrl: this.api, logger: quiet, retryConfig: { retries: 0 }, ...more });
  }
}

/// Runs `body(workspace)` against a workspace of its own.
async function with_workspace(body) {
  const child = spawn(kProgram, ['slack'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve({ code, signal })));
  try {
    const lines = [];
    const output = readline.createInterface({ input: child.stdout });
    output.on('line', (line) => lines.push(line));
    const first = await Promise.race([
      new Promise((resolve) => output.once('line', resolve)),
      ended.then(() => assert.fail(`${kProgram} ended before it was ready`)),
    ]);
    await body(new Workspace(first.replace(/^ready /, ''), lines));
  } finally {
    child.kill('SIGTERM');
    // A sanitizer's finding makes the program end otherwise.
    assert.deepStrictEqual(await ended, { code: 0, signal: null });
  }
}

/// The error code of a call that Slack refuses.
async function refusal(call) {
  try {
    await call;
  } catch (error) {
    if (error.data && error.data.error) return error.data.error;
    throw error;
  }
  return 'accepted';
}

module.exports = {
  packages,
  quiet,
  with_workspace,
  refusal,
  kLimit,
  kBotToken,
  kAppToken,
  kUserToken,
  kConfigurationToken,
  kSigningSecret,
  kAna,
  kBo,
  kBot,
  kTeam,
  kOps,
};
