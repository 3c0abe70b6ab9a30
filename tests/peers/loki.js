// A strict stand-in for Loki's HTTP API: streams that the test gives it, and as much of LogQL as Deputy writes. It takes a
// free port of loopback and prints it, then `asked PATH QUERY` for each request. A request that breaks a rule gets
// Loki's error, as plain text, and the line `broken …` is printed.
//
//   node loki.js '{"token": "t", "tenant": "shop", "streams": [{"labels": {"env": "prod"}, "entries": [["1794988800000", "line"]]}]}'
//
// Times are milliseconds, or nanoseconds with 19 digits; `user` makes it want basic credentials; `max_entries` is the
// server's limit of a query (5000); `no_metrics` refuses to count.
'use strict';

const fs = require('fs');
const http = require('http');

// As it stands, or in a file where it is long.
const config = JSON.parse(process.argv[2].startsWith('{') ? process.argv[2] : fs.readFileSync(process.argv[2]));
const max_entries = config.max_entries ?? 5000;
const nanos = (text) => BigInt(text.length === 19 ? text : text + '000000');
const streams = config.streams.map(({ labels, entries }) => ({
  labels, entries: entries.map(([at, line]) => [nanos(at), line]).sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0)),
}));

class Refused extends Error {}
const refuse = (why) => { throw new Refused(why); };

/// Go's syntax for flags, which JavaScript has not: `(?i)…`, `(?m:…)`.
function regex(text, anchored) {
  let flags = '';
  for (let found; (found = /^\(\?([ims]+)\)/.exec(text)) || (found = /^\(\?([ims]+):(.*)\)$/s.exec(text));) {
    flags += found[1];
    text = found.length === 3 ? found[2] : text.slice(found[0].length);
  }
  try {
    return new RegExp(anchored ? `^(?:${text})$` : text, flags);
  } catch (error) {
    return refuse(`parse error : error parsing regexp: ${error.message}`);
  }
}

/// Reads LogQL from left to right.
class Parser {
  constructor(text) { this.text = text; this.at = 0; }
  wrong() { return refuse(`parse error at line 1, col ${this.at + 1}: syntax error: unexpected ${this.text[this.at] ?? 'end'}`); }
  take(pattern) {
    const found = new RegExp(pattern, 'y');
    found.lastIndex = this.at;
    const match = found.exec(this.text);
    if (match) this.at = found.lastIndex;
    return match && match[0];
  }
  space() { this.take('\\s*'); }
  must(pattern) { this.space(); const taken = this.take(pattern); this.space(); return taken ?? this.wrong(); }
  string() {
    const raw = this.must('"(?:[^"\\\\\\n]|\\\\.)*"');
    return raw.slice(1, -1).replace(/\\(x[0-9a-f]{2}|.)/g, (_, c) => {
      if (c[0] === 'x') return String.fromCharCode(parseInt(c.slice(1), 16));
      const known = { '"': '"', '\\': '\\', n: '\n', t: '\t', r: '\r' };
      return known[c] ?? refuse('parse error : invalid char escape');
    });
  }
  matcher() {
    const name = this.must('[A-Za-z_][A-Za-z0-9_]*');
    const how = this.must('=~|!~|!=|=');
    const value = this.string();
    const expression = how.endsWith('~') ? regex(value, true) : null;
    const fits = (text) => (expression ? expression.test(text) : text === value) === !how.startsWith('!');
    return { name, fits: (labels) => fits(labels[name] ?? ''), takes_empty: fits('') };
  }
  selector() {
    const matchers = [];
    this.must('\\{');
    while (this.text[this.at] !== '}') {
      matchers.push(this.matcher());
      if (this.text[this.at] !== '}') this.must(',');
    }
    this.must('\\}');
    if (matchers.every((one) => one.takes_empty))
      refuse('parse error : queries require at least one regexp or equality matcher that does not have an empty-compatible value');
    return (labels) => matchers.every((one) => one.fits(labels));
  }
  logs() {
    const selects = this.selector();
    const stages = [];
    for (this.space(); '|!'.includes(this.text[this.at] ?? ' '); this.space()) {
      const filter = this.take('\\|=|\\|~|!=|!~');
      if (filter) {
        const text = this.string();
        const expression = filter.endsWith('~') ? regex(text, false) : null;
        stages.push((line) => (expression ? expression.test(line) : line.includes(text)) === filter.startsWith('|'));
      } else {
        this.must('\\|');
        const matcher = this.matcher();
        stages.push((line, labels) => matcher.fits(labels));
      }
    }
    return { selects, keeps: (line, labels) => stages.every((stage) => stage(line, labels)) };
  }
  query() {
    this.space();
    if (!this.take('sum\\s*\\(')) return { logs: this.logs(), over: null, end: this.end() };
    this.must('count_over_time');
    this.must('\\(');
    const logs = this.logs();
    this.must('\\[');
    const over = BigInt(this.must('[1-9][0-9]*').trim()) * { s: 1n, m: 60n, h: 3600n }[this.must('[smh]').trim()] * 1000000000n;
    this.must('\\]');
    this.must('\\)');
    this.must('\\)');
    return { logs, over, end: this.end() };
  }
  end() { this.space(); return this.at === this.text.length || this.wrong(); }
}

function* matching({ selects, keeps }, start, end) {
  for (const { labels, entries } of streams) {
    if (!selects(labels)) continue;
    for (const [at, line] of entries) if (at >= start && at < end && keeps(line, labels)) yield [at, line, labels];
  }
}

const success = (data) => [200, { status: 'success', data }];
const count = (query, at) => [...matching(query.logs, at - query.over + 1n, at + 1n)].length;

function time(url, name) {
  const text = url.searchParams.get(name);
  if (text === null) return null;
  return /^(0|[0-9]{11,19})$/.test(text) ? BigInt(text) : refuse(`could not parse '${name}' parameter: ${text}`);
}

function times(url) {
  const start = time(url, 'start');
  const end = time(url, 'end');
  if (start === null || end === null) refuse('Deputy always names start and end');
  return end > start ? [start, end] : refuse('end timestamp must not be before or equal to start time');
}

const allowed = {
  labels: ['start', 'end'],
  values: ['start', 'end', 'query'],
  query: ['query', 'time'],
  query_range: ['query', 'start', 'end', 'limit', 'direction', 'step'],
};

function answer_query(url) {
  const query = new Parser(url.searchParams.get('query') ?? refuse('no query')).query();
  if (!query.over) return refuse('log queries are not supported as an instant query type');
  if (config.no_metrics) return [500, 'too many outstanding requests'];
  const at = time(url, 'time') ?? refuse('no time');
  return success({ resultType: 'vector', result: [{ metric: {}, value: [Number(at / 1000000n) / 1000, String(count(query, at))] }] });
}

function answer_query_range(url) {
  const query = new Parser(url.searchParams.get('query') ?? refuse('no query')).query();
  const [start, end] = times(url);
  if (query.over) {
    const step = BigInt((/^([1-9][0-9]*)s$/.exec(url.searchParams.get('step')) ?? refuse('cannot parse step'))[1]) * 1000000000n;
    if ((end - start) / step > 11000n) refuse('exceeded maximum resolution of 11,000 points per time series');
    const values = [];
    for (let at = start; at <= end; at += step) {
      const found = count(query, at);
      if (found > 0) values.push([Number(at / 1000000n) / 1000, String(found)]);
    }
    return success({ resultType: 'matrix', result: values.length > 0 ? [{ metric: {}, values }] : [] });
  }
  if (url.searchParams.get('step')) refuse('step is for metric queries');
  if (url.searchParams.get('direction') !== 'backward') refuse('newest first is backward');
  const limit = Number(url.searchParams.get('limit'));
  if (!(limit >= 1)) refuse('limit must be a positive value');
  if (limit > max_entries) refuse(`max entries limit per query exceeded, limit > max_entries_limit_per_query (${limit} > ${max_entries})`);
  const found = [...matching(query.logs, start, end)].reverse().sort((a, b) => (a[0] > b[0] ? -1 : a[0] < b[0] ? 1 : 0)).slice(0, limit);
  const result = new Map();
  for (const [at, line, labels] of found) {
    const key = JSON.stringify(labels);
    if (!result.has(key)) result.set(key, { stream: labels, values: [] });
    result.get(key).values.push([String(at), line]);
  }
  return success({ resultType: 'streams', result: [...result.values()], stats: {} });
}

function answer(request, url, body) {
  const secret = config.user ? 'Basic ' + Buffer.from(`${config.user}:${config.token}`).toString('base64') : `Bearer ${config.token}`;
  if (config.token && request.headers.authorization !== secret) return [401, 'no credentials'];
  if (config.tenant && request.headers['x-scope-orgid'] !== config.tenant) return [401, 'no org id'];
  if (request.method !== 'GET' || body) return refuse('Deputy only reads');
  const found = /^\/loki\/api\/v1\/(labels|query|query_range|label\/([^/]+)\/(values))$/.exec(url.pathname);
  if (!found) return [404, '404 page not found'];
  const kind = found[3] ?? found[1];
  for (const name of url.searchParams.keys()) if (!allowed[kind].includes(name)) refuse(`unknown parameter ${name}`);
  if (kind === 'query') return answer_query(url);
  if (kind === 'query_range') return answer_query_range(url);
  const [start, end] = times(url);
  const selector = url.searchParams.get('query');
  const selects = selector === null ? () => true : new Parser(selector).selector();
  const there = streams.filter(({ labels, entries }) => selects(labels) && entries.some(([at]) => at >= start && at < end));
  const names = kind === 'labels' ? there.flatMap(({ labels }) => Object.keys(labels)) : there.map(({ labels }) => labels[found[2]]);
  const data = [...new Set(names.filter((name) => name !== undefined))].sort();
  return [200, data.length > 0 ? { status: 'success', data } : { status: 'success' }];
}

const server = http.createServer((request, response) => {
  let body = '';
  request.on('data', (data) => { body += data; });
  request.on('end', () => {
    const url = new URL(request.url, 'http://x');
    console.log('asked', url.pathname, url.searchParams.get('query') ?? '');
    let reply;
    try {
      reply = answer(request, url, body);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      console.log('broken', request.method, request.url, error.message);
      reply = [400, error.message];
    }
    const [status, document] = reply;
    const is_text = typeof document === 'string';
    response.writeHead(status, { 'content-type': is_text ? 'text/plain; charset=utf-8' : 'application/json' });
    response.end(is_text ? document : JSON.stringify(document));
  });
});
server.listen(0, '127.0.0.1', () => console.log('port', server.address().port));
process.stdin.resume().on('end', () => process.exit(0));
