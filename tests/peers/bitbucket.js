// A strict stand-in for Bitbucket Cloud's REST API 2.0: the repository acme/shop with pipelines and a pull request. It
// takes a free port of loopback and prints it; the logs of steps are on another, as Bitbucket keeps them elsewhere. A
// request that breaks a rule gets Bitbucket's error, and the line `broken …` is printed.
//
//   node bitbucket.js '{"token": "t", "email": "ana@example.com"}'    an API token: Basic
//   node bitbucket.js '{"token": "t"}'                                an access token: Bearer
// In come  move                   main gets another commit
//          someone                another person starts deploy on main
//          lose                   the next start is done, and its answer lost
//          writes                 says "writes JSON": the starts and stops
//          count                  says "count N", the requests so far
'use strict';

const http = require('http');
const { say, listen } = require('./lib/control');

const { token, email } = JSON.parse(process.argv[2]);
const credentials = email ? `Basic ${Buffer.from(`${email}:${token}`).toString('base64')}` : `Bearer ${token}`;
const kPage = 2;  // whatever was asked for: a client must turn pages

const hash = (two) => two.repeat(20);
const person = (name) => ({ type: 'user', display_name: name, uuid: `{${name}}` });
const commit = (two, message, name) => ({ type: 'commit', hash: hash(two), message, date: '2026-11-18T08:00:00+00:00',
  author: { type: 'author', raw: `${name} <${name.toLowerCase()}@example.com>` } });
const commits = [commit('a1', 'Add the cart', 'Ana'), commit('b2', 'Bound the pool\n\nIt ran out.', 'Bo'), commit('c3', 'Fix rounding', 'Ana')];
const head = () => commits.at(-1);

const state = (word) => {
  if (word === 'PENDING') return { name: 'PENDING', type: 'pipeline_state_pending' };
  if (word === 'RUNNING') return { name: 'IN_PROGRESS', type: 'pipeline_state_in_progress', stage: { name: 'RUNNING' } };
  return { name: 'COMPLETED', type: 'pipeline_state_completed', result: { name: word } };
};
const pipeline = (number, ref, sha, custom, word, at, trigger, by = 'Ana') => ({
  type: 'pipeline', uuid: `{pipe-${number}}`, build_number: number, creator: person(by), created_on: at,
  completed_on: ['PENDING', 'RUNNING'].includes(word) ? undefined : at.replace(':00.', ':42.'),
  target: { type: 'pipeline_ref_target', ref_type: 'branch', ref_name: ref, commit: { type: 'commit', hash: sha },
            selector: custom ? { type: 'custom', pattern: custom } : { type: 'default' } },
  trigger: { name: trigger, type: `pipeline_trigger_${trigger.toLowerCase()}` }, state: state(word),
});
// Oldest first, as Bitbucket lists them without a sort.
const pipelines = [
  pipeline(1, 'main', hash('a1'), '', 'SUCCESSFUL', '2026-11-16T09:00:00.000000+00:00', 'PUSH'),
  pipeline(2, 'main', hash('a1'), 'deploy', 'SUCCESSFUL', '2026-11-17T09:00:00.000000+00:00', 'MANUAL'),
  pipeline(3, 'pool', hash('b2'), '', 'FAILED', '2026-11-18T09:00:00.000000+00:00', 'PUSH'),
  pipeline(4, 'main', hash('c3'), '', 'RUNNING', '2026-11-18T09:50:00.000000+00:00', 'PUSH'),
];
const step = (name, word) => ({ type: 'pipeline_step', uuid: `{step-${name}}`, name, state: state(word),
  started_on: '2026-11-18T09:00:01.000000+00:00', completed_on: '2026-11-18T09:01:31.000000+00:00' });
const steps = { 3: [step('lint', 'SUCCESSFUL'), step('test', 'FAILED'), step('pack', 'NOT_RUN')] };
const log = `${'x'.repeat(200)}\n+ npm test\n\u001b[31mFAIL\u001b[0m pool.test.js\nexit code 1\n`;

const branch = (name) => ({ branch: { name } });
const pull = {
  type: 'pullrequest', id: 42, title: 'Bound the pool', state: 'OPEN', author: person('Bo'), source: branch('pool'),
  destination: branch('main'), created_on: '2026-11-17T09:00:00.000000+00:00', updated_on: '2026-11-18T09:30:00.000000+00:00',
  summary: { raw: 'The pool ran out at night.' }, links: { html: { href: 'https://bitbucket.org/acme/shop/pull-requests/42' } },
};
const participants = [
  { type: 'participant', user: person('Cy'), role: 'REVIEWER', approved: false, state: 'changes_requested' },
  { type: 'participant', user: person('Ana'), role: 'REVIEWER', approved: true, state: 'approved' },
  { type: 'participant', user: person('Dee'), role: 'REVIEWER', approved: false, state: null },
  { type: 'participant', user: person('Eve'), role: 'PARTICIPANT', approved: false, state: null },
];
const changed = (status, path, lines_added, lines_removed) => ({ type: 'diffstat', status, lines_added, lines_removed,
  old: status === 'added' ? null : { path }, new: status === 'removed' ? null : { path } });
const diffstat = [changed('modified', 'pool.js', 12, 3), changed('added', 'pool.test.js', 30, 0), changed('removed', 'old.js', 0, 9)];
const comment = (id, name, at, raw, more = {}) => ({ type: 'pullrequest_comment', id, user: person(name), created_on: at, content: { raw }, ...more });
const comments = [
  comment(1, 'Cy', '2026-11-18T09:10:00.000000+00:00', 'Please add a test'),
  comment(2, 'Ana', '2026-11-18T09:20:00.000000+00:00', 'Why 20?', { inline: { path: 'pool.js' } }),
  comment(3, 'Ana', '2026-11-18T09:21:00.000000+00:00', '', { deleted: true }),
];
const statuses = [{ type: 'build', key: 'ci', name: 'CI', state: 'FAILED', url: 'https://ci.example/1' },
                  { type: 'build', key: 'license', name: 'license', state: 'SUCCESSFUL', url: 'https://license.example/1' }];

const writes = [];
const next = {};

class Refused extends Error {
  constructor(status, message, broken = false) {
    super(message);
    Object.assign(this, { status, broken });
  }
}
const breaks = (message) => new Refused(400, message, true);
const missing = (what) => new Refused(404, `${what} not found`);

function found_pipeline(id) {
  const one = pipelines.find((each) => String(each.build_number) === id || each.uuid === id);
  if (!one) throw missing('Pipeline');
  return one;
}

function allow(query, names) {
  for (const [name, value] of query) {
    if (!names.includes(name)) throw breaks(`unknown parameter ${name}`);
    if (name === 'pagelen' && !(Number(value) >= 1 && Number(value) <= 100)) throw breaks('pagelen is 1 to 100');
  }
}

const has_keys = (object, keys) => Object.keys(object).sort().join() === keys;

function begun(ref, sha, custom, by) {
  const now = new Date().toISOString().replace('Z', '000+00:00');
  pipelines.push(pipeline(pipelines.length + 1, ref, sha, custom, 'PENDING', now, 'MANUAL', by));
  return pipelines.at(-1);
}

function start(body) {
  const { target = {}, variables = [] } = body || {};
  if (!has_keys(body, variables.length ? 'target,variables' : 'target')) throw breaks(`the body has ${Object.keys(body)}`);
  if (target.type !== 'pipeline_ref_target' || target.ref_type !== 'branch') throw breaks('the target is no branch');
  if (!target.commit || !has_keys(target.commit, 'hash,type') || target.commit.type !== 'commit') throw breaks('the target names no commit');
  if (target.selector && (!has_keys(target.selector, 'pattern,type') || target.selector.type !== 'custom')) throw breaks('the selector');
  for (const one of variables) if (!has_keys(one, 'key,value') || typeof one.value !== 'string') throw breaks('a variable is key and value');
  const custom = target.selector ? target.selector.pattern : '';
  if (!commits.some((one) => one.hash === target.commit.hash)) throw new Refused(400, 'The commit does not exist');
  if (custom && custom !== 'deploy') throw new Refused(400, `The custom pipeline "${custom}" is not in bitbucket-pipelines.yml`);
  const made = begun(target.ref_name, target.commit.hash, custom, 'Deputy');
  writes.push({ start: body, number: made.build_number });
  return [201, made];
}

const index_of = (sha) => {
  const at = commits.findIndex((one) => one.hash === sha);
  if (at < 0) throw missing('Commit');
  return at;
};

const kShop = '/repositories/acme/shop';
// [method, path, parameters, answer]; what an answer has in `values` is given in pages.
const routes = [
  ['GET', /^\/user$/, [], () => person('Deputy')],
  ['GET', /^\/repositories\/acme$/, ['pagelen', 'page'], () => ({ values: [{ full_name: 'acme/shop' }] })],
  ['GET', new RegExp(`^${kShop}$`), [], () => ({
    type: 'repository', full_name: 'acme/shop', description: 'The shop', is_private: true, language: 'typescript',
    mainbranch: { name: 'main' }, updated_on: '2026-11-18T08:00:00.000000+00:00', links: { html: { href: 'https://bitbucket.org/acme/shop' } } })],
  ['GET', new RegExp(`^${kShop}/pipelines/$`), ['sort', 'pagelen', 'page'], (_, query) => {
    if (query.has('sort') && query.get('sort') !== '-created_on') throw breaks('another sort');
    return { values: query.has('sort') ? [...pipelines].reverse() : pipelines };
  }],
  ['POST', new RegExp(`^${kShop}/pipelines/$`), [], (_, __, body) => start(body)],
  ['GET', new RegExp(`^${kShop}/pipelines/([^/]+)$`), [], ([id]) => found_pipeline(id)],
  ['GET', new RegExp(`^${kShop}/pipelines/([^/]+)/steps/$`), ['pagelen', 'page'], ([id]) => ({ values: steps[found_pipeline(id).build_number] || [] })],
  ['GET', new RegExp(`^${kShop}/pipelines/([^/]+)/steps/([^/]+)/log$`), [], ([id, name]) => {
    if (found_pipeline(id).build_number !== 3 || name !== '{step-test}') throw missing('Log');
    return [307, undefined, { location: `http://127.0.0.1:${logs.address().port}/log?signature=s` }];
  }],
  ['POST', new RegExp(`^${kShop}/pipelines/([^/]+)/stopPipeline$`), [], ([id]) => {
    const one = found_pipeline(id);
    if (one.state.name === 'COMPLETED') throw new Refused(400, 'The pipeline has already completed');
    one.state = state('STOPPED');
    writes.push({ stop: one.build_number });
    return [204];
  }],
  ['GET', new RegExp(`^${kShop}/pullrequests$`), ['state', 'sort', 'pagelen', 'page'], (_, query) => {
    if (Number(query.get('pagelen')) > 50) throw breaks('pagelen of pull requests is 50 at most');
    return { values: query.get('state') === 'OPEN' ? [pull] : [] };
  }],
  ['GET', new RegExp(`^${kShop}/pullrequests/([^/]+)$`), [], ([id]) => {
    if (id !== '42') throw missing('Pull request');
    return { ...pull, participants, reviewers: [person('Cy'), person('Ana'), person('Dee')] };
  }],
  ['GET', new RegExp(`^${kShop}/pullrequests/42/diffstat$`), ['pagelen', 'page'], (_, query, __, base) =>
    [302, undefined, { location: `${base}${kShop}/diffstat/pool..main?${query}` }]],
  ['GET', new RegExp(`^${kShop}/diffstat/pool\\.\\.main$`), ['pagelen', 'page'], () => ({ values: diffstat })],
  ['GET', new RegExp(`^${kShop}/pullrequests/42/comments$`), ['sort', 'pagelen', 'page'], (_, query) => {
    if (query.has('sort') && query.get('sort') !== '-created_on') throw breaks('another sort');
    return { values: query.has('sort') ? [...comments].reverse() : comments };
  }],
  ['GET', new RegExp(`^${kShop}/pullrequests/42/statuses$`), ['pagelen', 'page'], () => ({ values: statuses })],
  ['GET', new RegExp(`^${kShop}/refs/(branches|tags)/([^/]+)$`), [], ([list, name]) => {
    if (list === 'branches' && name === 'main') return { type: 'branch', name, target: head() };
    throw missing(list);
  }],
  ['GET', new RegExp(`^${kShop}/commits$`), ['include', 'exclude', 'pagelen', 'page'], (_, query) => {
    const [to, from] = [index_of(query.get('include')), index_of(query.get('exclude'))];
    return { values: commits.slice(from + 1, to + 1).reverse() };
  }],
];

function in_pages(body, url) {
  const size = Math.min(Number(url.searchParams.get('pagelen') || 10), kPage);
  const at = Number(url.searchParams.get('page') || 1);
  const said = { pagelen: size, page: at, values: body.values.slice((at - 1) * size, at * size) };
  if (at * size < body.values.length) {
    const further = new URL(url);
    further.searchParams.set('page', at + 1);
    said.next = String(further);
  }
  return said;
}

function answer(request, url, text) {
  if (request.headers.authorization !== credentials) throw new Refused(401, 'Token is invalid, expired, or not supported for this endpoint.');
  if (/[{}]/.test(request.url)) throw breaks('braces are not encoded');
  for (const [method, path, parameters, act] of routes) {
    const match = request.method === method && path.exec(url.pathname.split('/').map(decodeURIComponent).join('/'));
    if (!match) continue;
    allow(url.searchParams, parameters);
    if (text && request.headers['content-type'] !== 'application/json') throw breaks('Content-Type');
    const said = act(match.slice(1), url.searchParams, text ? JSON.parse(text) : undefined, url.origin);
    if (Array.isArray(said)) return said;
    return [200, said.values ? in_pages(said, url) : said];
  }
  throw new Refused(404, `no path for Deputy: ${request.method} ${url.pathname}`, !/^\/repositories\/acme\/(?!shop)/.test(url.pathname));
}

let requests = 0;
const server = http.createServer(async (request, response) => {
  ++requests;
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  let said;
  try {
    said = answer(request, new URL(request.url, `http://${request.headers.host}`), Buffer.concat(pieces).toString());
  } catch (error) {
    const { status = 500, broken = !(error instanceof Refused) } = error;
    if (broken) say('broken', error.message);
    said = [status, { type: 'error', error: { message: error.message } }];
  }
  if (next.lose && request.method === 'POST') {
    next.lose = false;
    request.socket.destroy();
    return;
  }
  const [status, body, headers = {}] = said;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
});

// Another host: it must not see the credentials.
const logs = http.createServer((request, response) => {
  if (request.headers.authorization) say('broken', 'the credentials went to the host of the logs');
  if (request.headers.range !== 'bytes=-20000') say('broken', 'the whole of a log is asked for');
  response.writeHead(206, { 'content-type': 'application/octet-stream' }).end(log);
});

listen({
  move: () => {
    commits.push(commit('d4', 'Sell shoes', 'Cy'));
    say('moved');
  },
  someone: () => {
    begun('main', head().hash, 'deploy', 'Eve');
    say('ready');
  },
  lose: () => {
    next.lose = true;
    say('ready');
  },
  writes: () => say('writes', JSON.stringify(writes)),
  count: () => say('count', requests),
});
logs.listen(0, '127.0.0.1', () => server.listen(0, '127.0.0.1', () => say('port', server.address().port)));
