// What a monitored service and a guarded monitoring system look like: `/metrics` for Prometheus to scrape, and empty
// answers of Prometheus and Alertmanager for who sends the token. The first BUSY queries are refused with 503. It takes a
// free port of loopback and prints it.
//
//   node monitoring_peer.js TOKEN BUSY
'use strict';

const http = require('http');

const token = process.argv[2];
let busy = Number(process.argv[3]);
let scrapes = 0;

const metrics = () => `# TYPE shop_requests_total counter
shop_requests_total{code="200"} ${100 * ++scrapes}
shop_requests_total{code="500"} ${scrapes}
# TYPE shop_queue_length gauge
shop_queue_length{queue="mail"} 7
shop_queue_length{queue="pay"} 42
shop_broken NaN
`;

const answers = {
  '/api/v1/query': { status: 'success', data: { resultType: 'vector', result: [{ metric: {}, value: [0, '3'] }] } },
  '/api/v1/query_range': { status: 'success', data: { resultType: 'matrix', result: [] } },
  '/api/v2/status': { versionInfo: { version: '0.0.1' } },
  '/api/v2/alerts': [],
};

const server = http.createServer((request, response) => {
  const path = new URL(request.url, 'http://x').pathname;
  if (path === '/metrics') return response.end(metrics());
  if (request.headers.authorization !== `Bearer ${token}`) return response.writeHead(401).end();
  if (busy-- > 0) return response.writeHead(503, { 'retry-after': '1' }).end();
  if (!(path in answers)) return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers[path]));
});
server.listen(0, '127.0.0.1', () => console.log('port', server.address().port));
process.stdin.resume().on('end', () => process.exit(0));
