// A stand-in, started for one test and ended with it.
'use strict';

const assert = require('node:assert');
const { spawn } = require('node:child_process');
const http = require('node:http');
const path = require('node:path');
const readline = require('node:readline');

class Started {
  constructor(program, scenario) {
    this.child = spawn(process.execPath, [path.join(__dirname, '..', program), JSON.stringify(scenario)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.lines = [];
    this.waiting = [];
    readline.createInterface({ input: this.child.stdout }).on('line', (line) => {
      this.lines.push(line);
      this.waiting = this.waiting.filter((look) => !look());
    });
  }

  tell(line) {
    this.child.stdin.write(line + '\n');
  }

  /// The first line so far, or the next, that begins so: what follows in it.
  async says(word) {
    const find = () => this.lines.find((line) => line === word || line.startsWith(word + ' '));
    if (!find()) await new Promise((resolve) => this.waiting.push(() => find() && (resolve(), true)));
    return find().slice(word.length + 1);
  }

  async count() {
    this.lines = this.lines.filter((line) => !line.startsWith('count '));
    this.tell('count');
    return Number(await this.says('count'));
  }

  /// The request that was just answered broke this rule, as the test wanted it to.
  async breaks(rule) {
    assert.match((await this.broken()).join('\n'), rule);
    this.lines = this.lines.filter((line) => !line.startsWith('broken '));
  }

  async broken() {
    await this.count(); // what it says of requests that were answered is said before this
    return this.lines.filter((line) => line.startsWith('broken '));
  }
}

/// Runs `body(url, peer)` against a stand-in that plays the scenario, and fails when a rule was broken.
async function with_stand_in(program, scenario, body) {
  const peer = new Started(program, scenario);
  try {
    await body(`http://127.0.0.1:${await peer.says('port')}`, peer);
    assert.deepStrictEqual(await peer.broken(), []);
  } finally {
    peer.child.kill('SIGKILL');
  }
}

// As it is given, Host and all.
const post = (port, path, { headers, body }) =>
  new Promise((resolve, reject) => {
    http.request({ host: '127.0.0.1', port, path, method: 'POST', headers }, resolve).on('error', reject).end(body);
  });

/// Sends a request that breaks a rule: it is refused with `status`, and the test is told a rule like `rule`.
async function is_refused(program, { url, init, status, rule, scenario = {} }) {
  const peer = new Started(program, { replies: [{ content: [{ text: 'never' }] }], ...scenario });
  try {
    const response = await post(await peer.says('port'), url, init);
    const text = Buffer.concat(await response.toArray()).toString();
    assert.strictEqual(response.statusCode, status, text);
    assert.match((await peer.broken()).join('\n'), rule);
    return JSON.parse(text);
  } finally {
    peer.child.kill('SIGKILL');
  }
}

const kLimit = { timeout: 60000 };

module.exports = { with_stand_in, is_refused, kLimit };
