// Hostile requests of every route against the real server in a process of its own: how they end, and how long its event loop was taken.
// The longest turn is also given without the time in which the thread waited for a processor that other programs had.
//
//   npm run bench fuzz-http [-- 20000] [--first 1] [--abreast 6] [--dry]
import { parseArgs } from 'node:util';
import { fuzz } from '../../testkit/fuzz/http/fuzz.ts';
import { startFuzzedServer } from '../../testkit/fuzz/http/server.ts';
import { writeResult } from '../report.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    first: { type: 'string', default: '1' },
    abreast: { type: 'string', default: '6' },
    dry: { type: 'boolean', default: false },
  },
});
const count = Number(positionals[0] ?? 20_000);
const first = Number(values.first);

const server = await startFuzzedServer();
const begun = performance.now();
const report = await fuzz(server, {
  count,
  first,
  abreast: Number(values.abreast),
  onFinding({ seed, route, mutations, what, command }) {
    console.log(`FOUND ${seed} ${route} [${mutations.join(', ')}]: ${what}\n  ${command}\n  again: --first ${seed} 1`);
  },
  onProgress(done) {
    if (done % 1000 === 0) console.error(`${done} of ${count}`);
  },
});
const seconds = (performance.now() - begun) / 1000;
await server.stop();

const { delay, findings, outcomes, blocked } = report;
const round = (value: number): number => Math.round(value * 10) / 10;
const untyped = findings.filter(({ what }) => /^5\d\d|stream that ends in 5/u.test(what));
const goals = [
  { what: 'hostile requests', wanted: '>= 20000', got: report.requests, met: report.requests >= 20_000 },
  { what: '5xx that are not a typed 501, 503 or 507', wanted: '0', got: untyped.length, met: untyped.length === 0 },
  { what: 'findings of any kind', wanted: '0', got: findings.length, met: findings.length === 0 },
  {
    what: 'longest turn of the event loop (ms, without waits for a processor)',
    wanted: '<= 100',
    got: round(delay.maxHeldMs),
    met: delay.maxHeldMs <= 100,
  },
];
const tables = [
  {
    title: 'How they ended',
    columns: ['outcome', 'requests'],
    rows: [...outcomes].toSorted((a, b) => b[1] - a[1]).map(([outcome, requests]) => [outcome, requests]),
  },
  {
    title: 'Turns that held the event loop for more than 60 ms (the longest 20), and what was under way',
    columns: ['ms', 'computing ms', 'requests'],
    rows: blocked
      .toSorted((a, b) => b.heldMs - a.heldMs)
      .slice(0, 20)
      .map(({ heldMs, cpuMs, during }) => [round(heldMs), round(cpuMs), during.join('; ').slice(0, 600)]),
  },
];
for (const { title, columns, rows } of tables) {
  console.log(title);
  console.table(rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]]))));
}
console.log(`${Math.round(seconds)} s, slowest ${report.slowest.ms} ms (${report.slowest.request})`);
console.log(
  `event loop: longest ${round(delay.maxMs)} ms, p99 ${round(delay.p99Ms)} ms, without waits for a processor ${round(delay.maxHeldMs)} ms, computing ${round(delay.maxCpuMs)} ms`,
);
for (const goal of goals) console.log(`${goal.met ? 'met   ' : 'MISSED'} ${goal.what}: ${goal.got} (${goal.wanted})`);
if (!values.dry)
  await writeResult('fuzz-http', {
    title: 'Hostile requests of every route against the server',
    command: 'npm run bench fuzz-http',
    seed: first,
    data: [],
    metrics: {
      requests: report.requests,
      routes: report.routes.size,
      'routes that accepted something': report.accepted.size,
      'requests/s': Math.round(report.requests / seconds),
      'event loop, longest (ms)': round(delay.maxMs),
      'event loop, p99 (ms)': round(delay.p99Ms),
      'event loop, longest computing (ms)': round(delay.maxCpuMs),
    },
    goals,
    tables,
    notes: [
      'Requests are made from the OpenAPI document and spoiled: values, fields, addresses, headers, bytes, framing, uploads, clients that leave.',
    ],
  });
