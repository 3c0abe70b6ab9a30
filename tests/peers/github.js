// A strict stand-in for GitHub's REST API: the repository acme/shop with two workflows, runs, a pull request. It takes
// a free port of loopback and prints it; the logs of jobs are on another, as GitHub keeps them on another host. Every
// request and every answer is held to GitHub's own OpenAPI document; what breaks it prints `broken …`.
//
//   node github.js '{"token": "t"}'
// In come  move                 main gets another commit
//          move_at_start        the same, while the next run is started
//          no_run_id            the next start answers 204, as an older server does
//          no_flag              the server does not know `return_run_details`
//          unlisted             no run that was started is found by its number
//          lose                 the next start is done, and its answer lost
//          someone HASH         another person starts Deploy at the commit that begins so
//          finish ID OUTCOME    a run ends
//          forbid PERMISSIONS   the next request is refused for want of them
//          limited              the next request is refused: the rate limit is used up
//          count                says "count N", the requests so far
//          writes               says "writes JSON": the starts and stops
'use strict';

const http = require('http');
const peers = require('./lib/packages');
const { OpenApi } = require('./lib/openapi');
const { say, listen } = require('./lib/control');

const api = new OpenApi(peers('@octokit/openapi/generated/api.github.com.json'));
const { token } = JSON.parse(process.argv[2]);
const kPerPage = 2;  // whatever was asked for: a client must turn pages

const hash = (two) => two.repeat(20);
const page = 'https://github.com/acme/shop';
const user = (login) => ({ login, id: 7, type: 'User' });
const commits = [
  ['a1', 'Add the cart', 'ana'], ['b2', 'Bound the pool\n\nIt ran out.', 'bo'], ['c3', 'Fix rounding', 'ana'],
].map(([two, message, login]) => commit(hash(two), message, login));
let head = commits.at(-1);

function commit(sha, message, login) {
  return { sha, html_url: `${page}/commit/${sha}`, author: user(login), parents: [],
           commit: { message, author: { name: login, email: `${login}@example.com`, date: '2026-11-18T08:00:00Z' } } };
}

const workflows = [
  { id: 11, name: 'CI', path: '.github/workflows/ci.yml', state: 'active' },
  { id: 12, name: 'Deploy', path: '.github/workflows/deploy.yml', state: 'active' },
  { id: 13, name: 'Old', path: '.github/workflows/old.yml', state: 'disabled_manually' },
  { id: 14, name: 'Ship it', path: '.github/workflows/release-prod.yml', state: 'active' },
];

const run = (id, workflow, branch, sha, event, status, conclusion, at, title, by = 'ana') => ({
  id, name: workflow.name, path: workflow.path, workflow_id: workflow.id, head_branch: branch, head_sha: sha, event,
  status, conclusion, display_title: title, run_number: id - 4700, run_attempt: 1, actor: user(by),
  html_url: `${page}/actions/runs/${id}`, created_at: at, run_started_at: at,
  updated_at: status === 'completed' ? at.replace(':00Z', ':42Z') : at,
});
const [ci, deploy] = workflows;
const runs = [
  run(4705, ci, 'main', hash('c3'), 'push', 'in_progress', null, '2026-11-18T09:50:00Z', 'Fix rounding'),
  run(4704, ci, 'pool', hash('b2'), 'push', 'completed', 'failure', '2026-11-18T09:00:00Z', 'Bound the pool'),
  run(4703, deploy, 'main', hash('a1'), 'workflow_dispatch', 'completed', 'success', '2026-11-17T09:00:00Z', 'Deploy'),
  run(4702, ci, 'main', hash('a1'), 'push', 'completed', 'timed_out', '2026-11-16T09:00:00Z', 'Add the cart'),
];
const step = (number, name, conclusion) => ({ number, name, status: 'completed', conclusion,
  started_at: '2026-11-18T09:00:01Z', completed_at: '2026-11-18T09:00:30Z' });
const job = (id, name, conclusion, steps) => ({ id, run_id: 4704, name, status: 'completed', conclusion, steps,
  started_at: '2026-11-18T09:00:01Z', completed_at: '2026-11-18T09:01:31Z', html_url: `${page}/actions/runs/4704/job/${id}` });
const jobs = {
  4704: [job(91, 'lint', 'success', [step(1, 'Lint', 'success')]),
         job(92, 'test', 'failure', [step(1, 'Set up', 'success'), step(2, 'Run tests', 'failure'), step(3, 'Clean up', 'success')]),
         job(93, 'pack', 'skipped', [])],
};
const log = [
  '\ufeff2026-11-18T09:00:01.0000001Z ##[group]Set up', '2026-11-18T09:00:02.0000001Z npm ci',
  '2026-11-18T09:00:20.1234567Z \u001b[31mFAIL\u001b[0m pool.test.js', '2026-11-18T09:00:21.1234567Z   DATABASE_PASSWORD=kR9vT2mXq8LwZ5cN',
  '2026-11-18T09:00:30.1234567Z ##[error]Process completed with exit code 1.', '2026-11-18T09:00:31.1234567Z Post job cleanup.',
].join('\n');

const pull = {
  number: 42, id: 4242, title: 'Bound the pool', state: 'open', draft: false, body: 'The pool ran out at night.',
  user: user('bo'), head: { ref: 'pool', sha: hash('b2') }, base: { ref: 'main' }, mergeable: true,
  mergeable_state: 'blocked', merged: false, merged_at: null, changed_files: 3, html_url: `${page}/pull/42`,
  created_at: '2026-11-17T09:00:00Z', updated_at: '2026-11-18T09:30:00Z', requested_reviewers: [user('dee')], requested_teams: [],
};
const listed = ({ mergeable, mergeable_state, merged, changed_files, ...one }) => one;
const review = (id, login, state) => ({ id, user: user(login), state, body: '', submitted_at: '2026-11-18T09:00:00Z' });
const reviews = [review(1, 'cy', 'CHANGES_REQUESTED'), review(2, 'ana', 'APPROVED'), review(3, 'ana', 'COMMENTED')];
const file = (filename, status, additions, deletions) => ({ sha: hash('f0'), filename, status, additions, deletions, changes: additions + deletions });
const files = [file('pool.js', 'modified', 12, 3), file('pool.test.js', 'added', 30, 0), file('old.js', 'removed', 0, 9)];
const comment = (id, login, at, body) => ({ id, user: user(login), body, created_at: at, updated_at: at });

const writes = [];
const next = {};  // what the next requests meet

class Refused extends Error {
  constructor(status, message, { headers = {}, broken = false } = {}) {
    super(message);
    Object.assign(this, { status, headers, broken });
  }
}
const missing = () => new Refused(404, 'Not Found');

function found_run(id) {
  if (next.unlisted && Number(id) >= 4800) throw missing();
  const one = runs.find((each) => String(each.id) === id);
  if (!one) throw missing();
  return one;
}

function matching(query, list) {
  const created = query.get('created');
  if (created && !/^>=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(created)) throw new Refused(422, 'created is no range');
  return list.filter((one) =>
    (!query.has('branch') || one.head_branch === query.get('branch')) &&
    (!query.has('event') || one.event === query.get('event')) &&
    (!query.has('head_sha') || one.head_sha === query.get('head_sha')) &&
    (!query.has('status') || [one.status, one.conclusion].includes(query.get('status'))) &&
    (!created || Date.parse(one.created_at) >= Date.parse(created.slice(2))));
}

function workflow_of(id) {
  const one = workflows.find((each) => String(each.id) === id || each.path.endsWith(`/${id}`));
  if (!one) throw missing();
  return one;
}

function move() {
  head = commit(hash('d4'), 'Sell shoes', 'cy');
  commits.push(head);
}

function dispatched(id, workflow, sha, by) {
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  const made = run(id, workflow, 'main', sha, 'workflow_dispatch', 'in_progress', null, now, 'Deploy', by);
  runs.unshift(made);
  return made;
}

function start(workflow, body) {
  if (next.no_flag && 'return_run_details' in body) throw new Refused(422, 'Invalid request.\n\n"return_run_details" is not a permitted key.');
  if (body.ref !== 'main') throw new Refused(422, `No ref found for: ${body.ref}`);
  const unknown = Object.keys(body.inputs || {}).filter((name) => !['environment', 'dry'].includes(name));
  if (workflow.name !== 'Deploy' || unknown.length > 0) throw new Refused(422, `Unexpected inputs provided: ${JSON.stringify(unknown)}`);
  if (next.move_at_start) move();
  const made = dispatched(4800 + writes.length, workflow, head.sha, 'deputy');
  writes.push({ start: body, run: made.id });
  const silent = next.no_run_id || next.no_flag || !body.return_run_details;
  const url = `http://127.0.0.1/repos/acme/shop/actions/runs/${made.id}`;
  next.move_at_start = next.no_run_id = false;
  return silent ? [204] : [200, { workflow_run_id: made.id, run_url: url, html_url: made.html_url }];
}

function compare(basehead) {
  const [from, to] = basehead.split('...').map((sha) => commits.findIndex((one) => one.sha === sha));
  if (from < 0 || to < 0) throw missing();
  const ahead = commits.slice(from + 1, to + 1);
  return { status: ahead.length ? 'ahead' : to < from ? 'behind' : 'identical', ahead_by: ahead.length, behind_by: Math.max(0, from - to),
           total_commits: ahead.length, commits: ahead, files: [], html_url: `${page}/compare/${basehead}` };
}

function commit_at(ref) {
  if (ref === 'heads/main') return head;
  const one = commits.find((each) => each.sha === ref) || (ref === 'tags/v1' && commits[0]);
  if (!one) throw new Refused(422, `No commit found for SHA: ${ref}`);
  return one;
}

const in_list = (key) => (list) => ({ total_count: list.length, [key]: list });
const kRepo = '/repos/{owner}/{repo}';
// An answer is a body, [status, body], or {list, as}: a list in pages.
const routes = {
  'GET /rate_limit': () => ({ resources: { core: { limit: 5000, remaining: 4990, reset: 1, used: 10 } } }),
  'GET /user': () => user('deputy'),
  [`GET ${kRepo}`]: () => ({ id: 1, name: 'shop', full_name: 'acme/shop', private: true, archived: false, description: 'The shop',
                             default_branch: 'main', language: 'TypeScript', pushed_at: '2026-11-18T08:00:00Z', html_url: page }),
  [`GET ${kRepo}/actions/runs`]: (_, query) => ({ list: matching(query, runs), as: in_list('workflow_runs') }),
  [`GET ${kRepo}/actions/workflows`]: () => ({ list: workflows, as: in_list('workflows') }),
  [`GET ${kRepo}/actions/workflows/{workflow_id}/runs`]: ({ workflow_id }, query) =>
    ({ list: matching(query, runs.filter((one) => one.workflow_id === workflow_of(workflow_id).id)), as: in_list('workflow_runs') }),
  [`POST ${kRepo}/actions/workflows/{workflow_id}/dispatches`]: ({ workflow_id }, _, body) => start(workflow_of(workflow_id), body),
  [`GET ${kRepo}/actions/runs/{run_id}`]: ({ run_id }) => found_run(run_id),
  [`GET ${kRepo}/actions/runs/{run_id}/jobs`]: ({ run_id }) => ({ list: jobs[found_run(run_id).id] || [], as: in_list('jobs') }),
  [`GET ${kRepo}/actions/jobs/{job_id}/logs`]: ({ job_id }) => {
    if (job_id !== '92') throw missing();
    return [302, undefined, { location: `http://127.0.0.1:${logs.address().port}/log?signature=s` }];
  },
  [`POST ${kRepo}/actions/runs/{run_id}/cancel`]: ({ run_id }) => {
    const one = found_run(run_id);
    if (one.status === 'completed') throw new Refused(409, 'Cannot cancel a workflow run that is completed.');
    Object.assign(one, { status: 'completed', conclusion: 'cancelled' });
    writes.push({ stop: one.id });
    return [202, {}];
  },
  [`GET ${kRepo}/pulls`]: () => ({ list: [listed(pull)], as: (list) => list }),
  [`GET ${kRepo}/pulls/{pull_number}`]: ({ pull_number }) => {
    if (pull_number !== '42') throw missing();
    return pull;
  },
  [`GET ${kRepo}/pulls/{pull_number}/reviews`]: () => ({ list: reviews, as: (list) => list }),
  [`GET ${kRepo}/pulls/{pull_number}/files`]: () => ({ list: files, as: (list) => list }),
  [`GET ${kRepo}/pulls/{pull_number}/comments`]: () =>
    ({ list: [{ ...comment(6, 'ana', '2026-11-18T09:20:00Z', 'Why 20?'), path: 'pool.js' }], as: (list) => list }),
  [`GET ${kRepo}/issues/{issue_number}/comments`]: () =>
    ({ list: [comment(5, 'cy', '2026-11-18T09:10:00Z', 'Please add a test')], as: (list) => list }),
  [`GET ${kRepo}/commits/{ref}`]: ({ ref }) => commit_at(ref),
  // Fine-grained tokens cannot be given this.
  [`GET ${kRepo}/commits/{ref}/check-runs`]: () => {
    throw new Refused(403, 'Resource not accessible by personal access token', { headers: { 'x-accepted-github-permissions': 'checks=read' } });
  },
  [`GET ${kRepo}/commits/{ref}/status`]: ({ ref }) => ({ list: [{ context: 'license', state: 'success', target_url: 'https://license.example/1' }],
    as: (statuses) => ({ state: 'success', sha: ref, total_count: 1, statuses }) }),
  [`GET ${kRepo}/compare/{basehead}`]: ({ basehead }) => compare(basehead),
};

function in_pages({ list, as }, url) {
  const size = Math.min(Number(url.searchParams.get('per_page') || 30), kPerPage);
  const at = Number(url.searchParams.get('page') || 1);
  const headers = {};
  if (at * size < list.length) {
    const further = new URL(url);
    further.searchParams.set('page', at + 1);
    headers.link = `<${further}>; rel="next", <${further}>; rel="last"`;
  }
  return [200, as(list.slice((at - 1) * size, at * size)), headers];
}

function check_headers(request) {
  const { authorization, accept, 'user-agent': agent, 'x-github-api-version': version } = request.headers;
  if (!agent) throw new Refused(403, 'Request forbidden by administrative rules. Please make sure your request has a User-Agent header', { broken: true });
  if (!/^application\/vnd\.github/.test(accept || '')) throw new Refused(415, 'Accept is not that of GitHub', { broken: true });
  if (version && version !== '2022-11-28') throw new Refused(400, 'unknown version', { broken: true });
  if (![`bearer ${token}`, `token ${token}`].includes((authorization || '').replace(/^Bearer/, 'bearer'))) throw new Refused(401, 'Bad credentials');
  if (next.limited) {
    next.limited = false;
    throw new Refused(403, 'API rate limit exceeded', { headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + 600) } });
  }
  if (next.forbid) {
    const headers = { 'x-accepted-github-permissions': next.forbid };
    next.forbid = '';
    throw new Refused(403, 'Resource not accessible by personal access token', { headers });
  }
}

function answer(request, url, text) {
  check_headers(request);
  const found = api.find(request.method, url.pathname);
  const key = found && `${request.method} ${found.template}`;
  if (!found || !routes[key]) throw new Refused(404, `no path for Deputy: ${request.method} ${url.pathname}`, { broken: true });
  const parameters = Object.fromEntries(Object.entries(found.parameters).map(([name, value]) => [name, decodeURIComponent(value)]));
  const body = text ? JSON.parse(text) : undefined;
  const wanted = found.operation.requestBody;
  const problem = api.query_problem(found.operation, url.searchParams) || (body || wanted ? api.body_problem(wanted && wanted.content, body) : '');
  if (problem && !(next.no_flag && problem.includes('return_run_details'))) throw new Refused(422, problem, { broken: true });
  if (parameters.owner && `${parameters.owner}/${parameters.repo}` !== 'acme/shop') throw missing();
  let said = routes[key](parameters, url.searchParams, body);
  if (said.list) said = in_pages(said, url);
  if (!Array.isArray(said)) said = [200, said];
  const content = found.operation.responses[said[0]];
  if (!content) throw new Refused(500, `${key} does not answer ${said[0]}`, { broken: true });
  const wrong = said[1] === undefined ? '' : api.body_problem(api.resolve(content).content, said[1]);
  if (wrong) throw new Refused(500, `${key}: ${wrong}`, { broken: true });
  return said;
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
    const { status = 500, headers = {}, broken = !(error instanceof Refused) } = error;
    if (broken) say('broken', error.message);
    said = [status, { message: error.message, documentation_url: 'https://docs.github.com/rest' }, headers];
  }
  if (next.lose && request.method === 'POST') {
    next.lose = false;
    request.socket.destroy();
    return;
  }
  const [status, body, headers = {}] = said;
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
});

// Another host: it must not see the token.
const logs = http.createServer((request, response) => {
  if (request.headers.authorization) say('broken', 'the token went to the host of the logs');
  response.writeHead(200, { 'content-type': 'text/plain' }).end(log);
});

const told = (word, act) => (rest) => {
  act(rest);
  say(word);
};
listen({
  move: told('moved', move),
  move_at_start: told('ready', () => { next.move_at_start = true; }),
  no_run_id: told('ready', () => { next.no_run_id = true; }),
  no_flag: told('ready', () => { next.no_flag = true; }),
  unlisted: told('ready', () => { next.unlisted = true; }),
  someone: told('ready', (two) => dispatched(4900 + runs.length, deploy, hash(two), 'eve')),
  lose: told('ready', () => { next.lose = true; }),
  limited: told('ready', () => { next.limited = true; }),
  forbid: told('ready', (permissions) => { next.forbid = permissions; }),
  finish: told('finished', (rest) => {
    const [id, conclusion] = rest.split(' ');
    Object.assign(found_run(id), { status: 'completed', conclusion, updated_at: `${new Date().toISOString().slice(0, 19)}Z` });
  }),
  writes: () => say('writes', JSON.stringify(writes)),
  count: () => say('count', requests),
});
logs.listen(0, '127.0.0.1', () => server.listen(0, '127.0.0.1', () => say('port', server.address().port)));
