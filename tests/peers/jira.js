// A strict stand-in for Jira Cloud's REST API v3: searches by a few forms of JQL, issues, comments, creation. It gives two
// issues a page. A summary or comment that contains LOSE is stored and its reply lost.
//
//   node jira.js EMAIL TOKEN
'use strict';

const { Refusal, broken, query_of, keys_of, serve } = require('./lib/atlassian.js');
const { check_document } = require('./lib/adf_rules.js');

const kPage = 2;
const paragraph = (text) => ({ type: 'doc', version: 1, content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] });
const people = { displayName: 'Ana Lopez', accountId: '5b10a' };
const time = (at) => at.toISOString().replace('Z', '+0000');

const issue = (number, summary, status, more = {}) => ({
  id: String(10000 + number),
  key: `NL-${number}`,
  self: `http://x/rest/api/3/issue/${10000 + number}`,
  fields: {
    summary,
    status: { name: status, statusCategory: { key: status === 'Done' ? 'done' : 'new' } },
    issuetype: { name: 'Bug' },
    priority: { name: 'High' },
    assignee: number === 2 ? null : people,
    reporter: people,
    labels: ['payments'],
    resolution: null,
    created: '2026-11-17T08:00:00.000+0000',
    updated: `2026-11-18T0${number}:00:00.000+0100`,
    description: paragraph(`About ${summary}`),
    ...more,
  },
});
const issues = [
  issue(3, 'Payments time out', 'Open', { parent: { key: 'NL-1', fields: { summary: 'Better payments' } } }),
  issue(2, 'Payments fail for CVE-2026-20113', 'Open'),
  issue(1, 'Payments are slow', 'Done'),
];
const comments = new Map([
  ['NL-3', [1, 2, 3, 4, 5, 6].map((n) => ({ id: String(n), author: people, created: `2026-11-18T0${n}:00:00.000+0000`, body: paragraph(`note ${n}`) }))],
]);

const find = (key) => {
  const found = issues.find((one) => one.key === key || one.id === key);
  if (!found) throw new Refusal(404, 'Issue does not exist or you do not have permission to see it.');
  return found;
};
const with_fields = (one, names) => ({
  ...one,
  fields: Object.fromEntries(names.filter((name) => name in one.fields).map((name) => [name, one.fields[name]])),
});

const matching = (jql) => {
  const [where, order] = jql.split(' ORDER BY ');
  if (!order) throw broken('a search without an order');
  let match;
  if ((match = /^text ~ "CVE\*" AND statusCategory != Done$/.exec(where)))
    return issues.filter((one) => one.fields.summary.includes('CVE') && one.fields.status.name !== 'Done');
  if ((match = /^text ~ "([^"]*)"( AND statusCategory (!?=) Done)?$/.exec(where))) {
    const words = match[1].toLowerCase().split(' ');
    const isWanted = (one) => !match[2] || (one.fields.status.name === 'Done') === (match[3] === '=');
    return issues.filter((one) => isWanted(one) && words.every((word) => JSON.stringify(one).toLowerCase().includes(word)));
  }
  if ((match = /^key in \(([^)]*)\)$/.exec(where))) {
    const keys = match[1].split(', ').map((key) => JSON.parse(key));
    for (const key of keys) if (!issues.some((one) => one.key === key)) throw new Refusal(400, `An issue with key '${key}' does not exist for field 'key'.`);
    return issues.filter((one) => keys.includes(one.key));
  }
  if ((match = /^project = "NL" AND created >= -(\d+)m$/.exec(where)))
    return issues.filter((one) => Date.parse(one.fields.created) >= Date.now() - match[1] * 60000);
  if ((match = /^project = NL AND status = (\w+)$/.exec(where))) return issues.filter((one) => one.fields.status.name === match[1]);
  throw new Refusal(400, `Error in the JQL Query: '${where}'`);
};

serve([
  ['GET', /^\/rest\/api\/3\/myself$/, (match, url) => (query_of(url, []), [200, people])],
  ['POST', /^\/rest\/api\/3\/search\/jql$/, (match, url, body) => {
    query_of(url, []);
    keys_of(body, ['jql', 'maxResults', 'fields'], ['nextPageToken']);
    if (!Number.isInteger(body.maxResults) || body.maxResults < 1 || body.maxResults > 5000) throw broken('maxResults');
    const found = matching(body.jql);
    const from = body.nextPageToken ? Number(body.nextPageToken.slice(1)) : 0;
    const to = from + Math.min(kPage, body.maxResults);
    const reply = { issues: found.slice(from, to).map((one) => with_fields(one, body.fields)), isLast: to >= found.length };
    if (!reply.isLast) reply.nextPageToken = `t${to}`;
    return [200, reply];
  }],
  ['GET', /^\/rest\/api\/3\/issue\/([^/]+)$/, (match, url) => [200, with_fields(find(match[1]), query_of(url, ['fields']).fields.split(','))]],
  ['GET', /^\/rest\/api\/3\/issue\/([^/]+)\/comment$/, (match, url) => {
    const query = query_of(url, ['orderBy', 'maxResults']);
    if (query.orderBy !== '-created') throw broken('orderBy');
    const all = [...(comments.get(find(match[1]).key) || [])].reverse();
    return [200, { startAt: 0, maxResults: Number(query.maxResults), total: all.length, comments: all.slice(0, Number(query.maxResults)) }];
  }],
  ['POST', /^\/rest\/api\/3\/issue\/([^/]+)\/comment$/, (match, url, body) => {
    query_of(url, []);
    keys_of(body, ['body']);
    check_document(body.body);
    const { key } = find(match[1]);
    const made = { id: '99', author: people, created: time(new Date()), body: body.body };
    comments.set(key, [...(comments.get(key) || []), made]);
    return JSON.stringify(body).includes('LOSE') ? null : [201, made];
  }],
  ['GET', /^\/rest\/api\/3\/project\/([^/]+)$/, (match, url) => {
    query_of(url, []);
    if (match[1].toUpperCase() !== 'NL') throw new Refusal(404, `No project could be found with key '${match[1]}'.`);
    return [200, { id: '1', key: 'NL', name: 'Northlight' }];
  }],
  ['GET', /^\/rest\/api\/3\/issue\/createmeta\/([^/]+)\/issuetypes$/, (match, url) => {
    query_of(url, [], ['startAt', 'maxResults']);
    return [200, { startAt: 0, maxResults: 100, total: 3, issueTypes: [{ id: '7', name: 'Task', subtask: false }, { id: '8', name: 'Bug', subtask: false }, { id: '9', name: 'Sub-task', subtask: true }] }];
  }],
  ['POST', /^\/rest\/api\/3\/issue$/, (match, url, body) => {
    query_of(url, []);
    keys_of(body, ['fields']);
    keys_of(body.fields, ['project', 'issuetype', 'summary', 'description']);
    if (body.fields.project.key !== 'NL' || !['7', '8'].includes(body.fields.issuetype.id)) throw broken('where it goes');
    if (/\n/.test(body.fields.summary)) throw new Refusal(400, 'The summary is invalid because it contains newline characters.');
    check_document(body.fields.description);
    const number = issues.length + 1;
    const made = issue(number, body.fields.summary, 'Open', { description: body.fields.description, created: time(new Date()) });
    issues.unshift(made);
    return body.fields.summary.includes('LOSE') ? null : [201, { id: made.id, key: made.key, self: made.self }];
  }],
]);
