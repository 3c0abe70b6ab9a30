// A strict stand-in for Coralogix's DataPrime API: entries that the test gives it, and as much of DataPrime as Deputy
// writes. It takes a free port of loopback and prints it, then `asked QUERY` for each query. A request that breaks a rule
// gets an error, which for a query is a line in a success, and the line `broken …` is printed.
//
//   node coralogix.js '{"api_key": "k", "entries": [{"timestamp": "2026-11-18T09:00:00.000", "severity": 5,
//                       "labels": {"applicationname": "prod", "subsystemname": "shop"}, "data": {"message": "…"}}]}'
//
// `warns` adds a warning to each answer, `breaks_off` an error after the results, `fails` an error in their place.
'use strict';

const fs = require('fs');
const http = require('http');
const { listen } = require('./lib/control');

// As it stands, or in a file where it is long.
const config = JSON.parse(process.argv[2].startsWith('{') ? process.argv[2] : fs.readFileSync(process.argv[2]));
const kSeverities = ['', 'DEBUG', 'VERBOSE', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'];
const entries = config.entries.map((one, at) => ({ ...one, at: Date.parse(one.timestamp + (one.timestamp.endsWith('Z') ? '' : 'Z')), logid: `id-${at}` }));

class Refused extends Error {}
const refuse = (why) => { throw new Refused(why); };

/// Words, keys, strings and signs of a query.
function tokens_of(text) {
  const pattern = /\s*(?:(\|)|('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(\$[lmd](?:\.[A-Za-z_][A-Za-z0-9_]*)+)|([A-Za-z_][A-Za-z0-9_]*)|([0-9]+[smhd]?)|([[\](),.]))/y;
  const tokens = [];
  while (pattern.lastIndex < text.trimEnd().length) {
    const at = pattern.lastIndex;
    const found = pattern.exec(text);
    if (!found) refuse(`Invalid query: unexpected '${text.slice(at, at + 10)}'`);
    tokens.push(found[2] !== undefined ? { string: found[2].slice(1, -1).replace(/\\(.)/gs, '$1') } : { word: found[0].trim() });
  }
  return tokens;
}

const value_at = (entry, key) => {
  const [scope, ...path] = key.split('.');
  if (scope === '$m') return { severity: kSeverities[entry.severity], timestamp: entry.at }[path[0]];
  return path.reduce((value, name) => value?.[name], scope === '$l' ? entry.labels : entry.data);
};
/// As the parser of logs splits text.
const words_of = (text) => String(text).toLowerCase().split(/[\s=/:@#$*|,;'"()[\]{}<>._-]+/).filter((word) => word !== '');
const texts_in = (value) => (value !== null && typeof value === 'object' ? Object.values(value).flatMap(texts_in) : [String(value)]);
function has_phrase(entry, phrase) {
  const wanted = words_of(phrase);
  return texts_in(entry.data).some((text) => {
    const there = words_of(text);
    return there.some((_, at) => wanted.every((word, i) => there[at + i] === word));
  });
}

class Query {
  constructor(text) { this.tokens = tokens_of(text); this.at = 0; }
  next() { return this.tokens[this.at++] ?? refuse('Invalid query: it ends too early'); }
  word(...wanted) {
    const { word } = this.next();
    return word !== undefined && (wanted.length === 0 || wanted.includes(word)) ? word : refuse(`Invalid query: expected ${wanted.join(' or ') || 'a word'}`);
  }
  string() { return this.next().string ?? refuse('Invalid query: expected a string'); }
  key() { const key = this.word(); return key.startsWith('$') ? key : refuse(`Invalid query: ${key} is no key`); }
  number() { return Number((/^[0-9]+$/.exec(this.word()) ?? refuse('Invalid query: expected a number'))[0]); }

  run(found) {
    this.word('source');
    this.word('logs');
    while (this.at < this.tokens.length) {
      this.word('|');
      const command = this.word('filter', 'wildfind', 'orderby', 'limit', 'groupby');
      found = this[command](found);
    }
    return found;
  }
  filter(found) {
    this.word('[');
    const wanted = [];
    for (;;) {
      const { string, word } = this.next();
      wanted.push(string ?? (kSeverities.includes(word) ? word : refuse(`Invalid query: unknown enum value ${word}`)));
      if (this.word(',', ']') === ']') break;
    }
    this.word('.');
    this.word('arrayContains');
    this.word('(');
    const key = this.key();
    this.word(')');
    return found.filter((entry) => wanted.includes(value_at(entry, key)));
  }
  wildfind(found) { const phrase = this.string(); return found.filter((entry) => has_phrase(entry, phrase)); }
  orderby(found) {
    const by = this.word();
    this.word('desc');
    const of = (row) => (by.startsWith('$') ? value_at(row, by) : row.row[by] ?? refuse(`Invalid query: no ${by}`));
    return [...found].sort((a, b) => of(b) - of(a));
  }
  limit(found) { return found.slice(0, this.number()); }
  groupby(found) {
    const keys = [];
    do {
      let value;
      if (this.tokens[this.at]?.word === 'roundTime') {
        this.word('roundTime');
        this.word('(');
        if (this.key() !== '$m.timestamp') refuse('Invalid query: roundTime takes a timestamp');
        this.word(',');
        const [, count, unit] = /^([0-9]+)([smhd])$/.exec(this.word()) ?? refuse('Invalid query: expected an interval');
        const step = Number(count) * { s: 1000, m: 60000, h: 3600000, d: 86400000 }[unit];
        this.word(')');
        value = (entry) => Math.floor(entry.at / step) * step * 1e6;
      } else {
        const key = this.key();
        value = (entry) => value_at(entry, key) ?? null;
      }
      this.word('as');
      keys.push([this.word(), value]);
    } while (this.tokens[this.at]?.word === ',' && this.next());
    this.word('aggregate');
    this.word('count');
    this.word('(');
    this.word(')');
    this.word('as');
    const count = this.word();
    const rows = new Map();
    for (const entry of found) {
      const row = Object.fromEntries(keys.map(([name, value]) => [name, value(entry)]));
      const key = JSON.stringify(row);
      if (!rows.has(key)) rows.set(key, { row: { ...row, [count]: 0 } });
      ++rows.get(key).row[count];
    }
    return [...rows.values()];
  }
}

const pairs = (object) => Object.entries(object).map(([key, value]) => ({ key, value: String(value) }));
const result_of = (one) => (one.row
  ? { metadata: [], labels: [], userData: JSON.stringify(one.row) }
  : { metadata: pairs({ timestamp: one.timestamp, severity: one.severity, logid: one.logid }), labels: pairs(one.labels),
      userData: JSON.stringify(typeof one.data === 'string' ? { text: one.data } : one.data) });

function lines_for(body) {
  const { query, metadata, ...others } = body;
  if (Object.keys(others).length > 0) refuse(`unknown field ${Object.keys(others)[0]}`);
  console.log('asked', query);
  const allowed = ['tier', 'syntax', 'startDate', 'endDate', 'limit'];
  for (const name of Object.keys(metadata)) if (!allowed.includes(name)) refuse(`unknown field ${name}`);
  if (metadata.syntax !== 'QUERY_SYNTAX_DATAPRIME' || metadata.tier !== 'TIER_FREQUENT_SEARCH') refuse('syntax and tier are named');
  const [from, to] = [metadata.startDate, metadata.endDate].map((date) => (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(date) ? Date.parse(date) : refuse(`bad date ${date}`)));
  if (!(from < to)) refuse('startDate must be before endDate');
  if (!(metadata.limit >= 1)) refuse('limit');
  const found = new Query(query).run(entries.filter(({ at }) => at >= from && at < to)).slice(0, metadata.limit);
  const lines = [{ queryId: { queryId: 'q-1' } }];
  if (config.warns) lines.push({ warning: { compileWarning: { warningMessage: config.warns } } });
  if (config.fails) return [...lines, { error: { internal: { details: [config.fails] } } }];
  // Several lines of results, as large answers have.
  const half = Math.ceil(found.length / 2);
  for (const part of [found.slice(0, half), found.slice(half)])
    if (part.length > 0) lines.push({ result: { results: part.map(result_of) } });
  if (config.breaks_off) lines.push({ error: { message: config.breaks_off } });
  lines.push({ statistics: { bytesScanned: '1' } });
  return lines;
}

let answered = 0;
const server = http.createServer((request, response) => {
  let body = '';
  request.on('data', (data) => { body += data; });
  request.on('end', () => {
    ++answered;
    const answer = (status, text) => response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    const broken = (why) => console.log('broken', request.method, request.url, why);
    if (request.headers.authorization !== `Bearer ${config.api_key}`) return answer(401, '{"message": "unauthorized"}');
    if (request.method !== 'POST' || request.url !== '/api/v1/dataprime/query' || request.headers['content-type'] !== 'application/json') {
      broken('method, path or type');
      return answer(404, '{"message": "not found"}');
    }
    let lines;
    try {
      lines = lines_for(JSON.parse(body));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      broken(error.message);
      lines = [{ queryId: { queryId: 'q-1' } }, { error: { compileError: { errorMessage: error.message } } }];
    }
    return answer(200, lines.map((line) => JSON.stringify(line)).join('\n') + '\n');
  });
});
server.listen(0, '127.0.0.1', () => console.log('port', server.address().port));
listen({ count: () => console.log('count', answered) });
