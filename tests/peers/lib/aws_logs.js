// The logs of aws_ops.js, and a reader of the part of Logs Insights' language that is used: fields, filter, sort, limit.
'use strict';

const { Broken, has_fields, is_whole, must } = require('./rules');

const at = (now, minutes) => new Date(now.getTime() - minutes * 60_000);

const kGroups = {
  '/ecs/prod/checkout': [
    [200, 'ERROR payment failed for order 17: timeout after 31 ms'],
    [100, 'INFO took order 4711'],
    [90, '{"level":"error","message":"payment failed for order 18: timeout after 7 ms"}'],
    [61, 'ERROR path a/b?x=(1) is "odd"'],
    [30, 'ERROR payment failed for order 19: timeout after 12 ms'],
    [20, 'INFO no error here, says \\d'],
  ],
  '/ecs/prod/mailer': [[45, 'WARN queue is long'], [40, 'ERROR smtp refused']],
  '/ecs/production/legacy': [[10, 'FATAL out of memory']],
  '/ecs/staging/checkout': [[15, 'ERROR staging only']],
  '/lambda/nightly': [[5, 'nothing of ours']],
};

const describe_groups = (prefix) =>
  Object.keys(kGroups).filter((name) => name.startsWith(prefix)).map((logGroupName) => ({ logGroupName }));

/// The commands between the bars that are not inside a regular expression.
function commands_of(text) {
  const commands = [''];
  let in_regex = false;
  for (let i = 0; i < text.length; ++i) {
    const c = text[i];
    if (in_regex && c === '\\') {
      commands[commands.length - 1] += c + text[++i];
      continue;
    }
    if (c === '/') in_regex = !in_regex;
    if (c === '|' && !in_regex) commands.push('');
    else commands[commands.length - 1] += c;
  }
  must(!in_regex, 'a regular expression does not end', 'MalformedQueryException');
  return commands.map((one) => one.trim());
}

function regex_of(text) {
  const [, ignore_case, rest] = /^(\(\?i\))?(.*)$/s.exec(text);
  const scoped = /^\(\?i:(.*)\)$/s.exec(rest);
  try {
    return new RegExp(scoped ? scoped[1] : rest, ignore_case || scoped ? 'i' : '');
  } catch (error) {
    throw new Broken(`bad regex ${text}: ${error.message}`, 'MalformedQueryException');
  }
}

function parse(text) {
  const query = { filters: [], fields: [], limit: 10000, newest_first: false };
  for (const command of commands_of(text)) {
    let found;
    if ((found = /^fields ((?:@\w+)(?:, @\w+)*)$/.exec(command))) query.fields = found[1].split(', ');
    else if ((found = /^filter @message like \/((?:[^\/\\]|\\.)+)\/$/s.exec(command)))
      query.filters.push(regex_of(found[1]));
    else if (command === 'sort @timestamp desc') query.newest_first = true;
    else if ((found = /^limit (\d+)$/.exec(command))) query.limit = Number(found[1]);
    else throw new Broken(`unexpected: ${command}`, 'MalformedQueryException');
  }
  must(query.limit >= 1 && query.limit <= 10000, 'limit', 'MalformedQueryException');
  return query;
}

class Queries {
  constructor(now) {
    this.now = now;
    this.all = {};
  }

  start(body) {
    must(body.queryString.length <= 10000, 'queryString is too long');
    must(body.logGroupNames.length >= 1 && body.logGroupNames.length <= 50, '1 to 50 log groups');
    for (const field of ['startTime', 'endTime'])
      must(is_whole(body[field]) && body[field] < 1e11, `${field}: epoch seconds`);
    must(body.startTime <= body.endTime, 'startTime');
    for (const name of body.logGroupNames)
      if (!kGroups[name]) throw new Broken(`Log group '${name}' does not exist`, 'ResourceNotFoundException');
    const query = parse(body.queryString);
    const queryId = `q-${Object.keys(this.all).length + 1}`;
    this.all[queryId] = { body, query, asked: 0 };
    return queryId;
  }

  one(queryId) {
    if (!this.all[queryId]) throw new Broken(`no query ${queryId}`, 'ResourceNotFoundException');
    return this.all[queryId];
  }

  results(queryId) {
    const one = this.one(queryId);
    one.asked += 1;
    const found = this.run(one);
    if (one.stopped) return { ...found, status: 'Cancelled' };
    if (one.body.queryString.includes('forever')) return { status: 'Running', results: [], statistics: found.statistics };
    if (one.body.queryString.includes('breaks')) return { status: 'Failed', results: [], statistics: found.statistics };
    if (one.asked === 1) return { status: 'Scheduled', results: [] };
    if (one.asked === 2) return { ...found, results: found.results.slice(0, 1), status: 'Running' };
    return { ...found, status: 'Complete' };
  }

  run({ body, query }) {
    const now = this.now();
    const rows = body.logGroupNames.flatMap((name) =>
      kGroups[name].map(([minutes, message]) => ({ time: at(now, minutes), message, name })));
    const scanned = rows.filter((row) =>
      row.time.getTime() / 1000 >= body.startTime && row.time.getTime() / 1000 <= body.endTime);
    const matched = scanned.filter((row) => query.filters.every((filter) => filter.test(row.message)));
    if (query.newest_first) matched.sort((a, b) => b.time - a.time);
    const text = (date) => date.toISOString().replace('T', ' ').replace('Z', '');
    const value = { '@timestamp': (row) => text(row.time), '@message': (row) => row.message,
      '@log': (row) => `123456789012:${row.name}` };
    const results = matched.slice(0, query.limit).map((row) => [
      ...query.fields.map((field) => ({ field, value: value[field](row) })),
      { field: '@ptr', value: 'opaque' },
    ]);
    const bytes = scanned.reduce((sum, row) => sum + row.message.length, 0);
    return { results,
      statistics: { recordsMatched: matched.length, recordsScanned: scanned.length, bytesScanned: bytes } };
  }

  stop(queryId) {
    const one = this.one(queryId);
    one.stopped = true;
    return { success: true };
  }
}

module.exports = { describe_groups, Queries };
