// A strict stand-in for PagerDuty's REST API v2: two incidents, two schedules. It takes a free port of loopback and
// prints it. A request that breaks a rule gets PagerDuty's error, and the line `broken …` is printed.
//
//   node pagerduty.js TOKEN EMAIL      EMAIL is that of the only user
'use strict';

const http = require('http');

const [token, email] = process.argv.slice(2);
const page = (id) => `https://acme.pagerduty.com/incidents/${id}`;
const incident = (id, number, title, status, service) => ({
  id, type: 'incident', incident_number: number, title, status, urgency: 'high', created_at: '2026-11-18T09:30:00Z',
  service: { id: 'PSVC1', type: 'service_reference', summary: service }, html_url: page(id), acknowledgements: [],
  assignments: [{ at: '2026-11-18T09:30:00Z', assignee: { id: 'PU1', summary: 'Ana' } }],
});
const incidents = {
  PT4KHLK: incident('PT4KHLK', 1234, 'Payments fail in prod', 'triggered', 'Payments API'),
  PDONE01: {
    ...incident('PDONE01', 1233, 'Disk full', 'resolved', 'Search'),
    created_at: '2026-11-17T10:00:00Z', resolved_at: '2026-11-17T11:00:00Z',
  },
};
const parts = {
  alerts: [{ id: 'A1', created_at: '2026-11-18T09:30:00Z', summary: 'error rate 12%' }],
  notes: [{ id: 'N1', created_at: '2026-11-18T09:40:00Z', content: 'looking', user: { summary: 'Ana' } }],
  log_entries: [{ id: 'L1', created_at: '2026-11-18T09:30:01Z', summary: 'Triggered through the API.' }],
};
const duty = (name, schedule, policy, level) => ({
  user: { id: 'P' + name, summary: name }, schedule: schedule && { id: 'S' + name, summary: schedule },
  escalation_policy: { id: policy.id, summary: policy.name }, escalation_level: level,
  start: null, end: schedule ? '2026-11-19T08:00:00Z' : null,
});
const money = { id: 'PEP1', name: 'Money' };
const find = { id: 'PEP2', name: 'Search team' };
const oncalls = [duty('Ana', 'Primary', money, 1), duty('Bo', null, money, 2), duty('Cy', 'Search rota', find, 1)];
const services = [{ id: 'PSVC1', name: 'Payments API', escalation_policy: { id: 'PEP1' } },
                  { id: 'PSVC2', name: 'Search', escalation_policy: { id: 'PEP2' } }];

const allowed = {
  incidents: ['statuses[]', 'since', 'until', 'date_range', 'sort_by', 'limit', 'offset'],
  oncalls: ['earliest', 'limit', 'offset'],
  services: ['limit', 'offset'],
  part: ['limit', 'offset'],
  one: [],
};

/// The answer: [status, body].
function answer(request, url, body) {
  const refuse = (status, code, message, errors = []) => {
    console.log('broken', request.method, request.url, message);
    return [status, { error: { message, code, errors } }];
  };
  if (request.headers.authorization !== `Token token=${token}`) return [401, { error: { message: 'no', code: 2006 } }];
  if (request.headers.accept !== 'application/vnd.pagerduty+json;version=2') return refuse(406, 2000, 'Accept');
  const [root, id, part, ...rest] = url.pathname.slice(1).split('/');
  const kind = !id ? root : part ? 'part' : 'one';
  if (!(kind in allowed) || rest.length > 0) return refuse(404, 2100, 'Not Found');
  for (const [name, value] of url.searchParams) {
    if (!allowed[kind].includes(name)) return refuse(400, 2001, 'Invalid Input Provided', [name]);
    if (name === 'statuses[]' && !['triggered', 'acknowledged', 'resolved'].includes(value))
      return refuse(400, 2001, 'Invalid Input Provided', ['statuses']);
    if (name === 'limit' && !(Number(value) >= 1 && Number(value) <= 100)) return refuse(400, 2001, 'limit');
    if ((name === 'since' || name === 'until') && Number.isNaN(Date.parse(value))) return refuse(400, 2001, name);
  }
  const found = Object.values(incidents).find((one) => one.id === id || String(one.incident_number) === id);
  if (kind === 'one' || kind === 'part') {
    if (root !== 'incidents' || (kind === 'part' && !(part in parts))) return refuse(404, 2100, 'Not Found');
    if (!found) return [404, { error: { message: 'Not Found', code: 2100 } }];
  }
  if (request.method === 'PUT' && kind === 'one') {
    if (!request.headers.from) return refuse(400, 2016, 'You must specify a user’s email address in the From header');
    if (request.headers['content-type'] !== 'application/json') return refuse(415, 2000, 'Content-Type');
    if (request.headers.from !== email) return [400, { error: { message: 'Requester User Not Found', code: 1008 } }];
    const wanted = JSON.stringify({ incident: { type: 'incident_reference', status: 'acknowledged' } });
    if (JSON.stringify(JSON.parse(body)) !== wanted) return refuse(400, 2001, 'Invalid Input Provided', [body]);
    if (found.status === 'resolved')
      return refuse(400, 2001, 'Invalid Input Provided', ['Incident Already Resolved']);
    found.status = 'acknowledged';
    found.acknowledgements = [{ at: '2026-11-18T10:00:00Z', acknowledger: { summary: 'Ana' } }];
    console.log('acknowledged', found.id);
    return [200, { incident: found }];
  }
  if (request.method !== 'GET') return refuse(405, 2000, 'Method');
  if (request.headers.from || body) return refuse(400, 2000, 'a read has neither From nor a body');
  if (kind === 'one') return [200, { incident: found }];
  if (kind === 'part') return [200, { [part]: parts[part], more: false, offset: 0, limit: 25 }];
  const wanted = url.searchParams.getAll('statuses[]');
  const lists = {
    incidents: Object.values(incidents).filter((one) => wanted.length === 0 || wanted.includes(one.status)),
    oncalls, services,
  };
  // One an answer, so that whoever wants all must turn pages; the limit of PagerDuty is what the next offset adds.
  const offset = Number(url.searchParams.get('offset') ?? 0);
  const at = Math.floor(offset / 100);
  const list = lists[root];
  return [200, { [root]: list.slice(at, at + 1), limit: 100, offset, more: at + 1 < list.length, total: null }];
}

const server = http.createServer((request, response) => {
  let body = '';
  request.on('data', (data) => { body += data; });
  request.on('end', () => {
    const [status, reply] = answer(request, new URL(request.url, 'http://x'), body);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  });
});
server.listen(0, '127.0.0.1', () => console.log('port', server.address().port));
process.stdin.resume().on('end', () => process.exit(0));
