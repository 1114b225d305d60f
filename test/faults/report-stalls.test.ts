// Pages that pretend to be evidence reports, and answers to check, each as large as a request may be and made to take long: none may hold the event
// loop of the server for long.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../src/core/answer.ts';
import type { EvidenceReport } from '../../src/core/answers/evidence-report.ts';
import { readReport } from '../../src/footnote/report/check-report.ts';
import { escapeHtml } from '../../src/footnote/report/inert-html.ts';
import { reportPage } from '../../src/footnote/report/report-page.ts';
import { type FuzzedServer, startFuzzedServer } from '../../testkit/fuzz/http/server.ts';
import { longestAllowedMs, longestTurn, send } from '../../testkit/longest-turn.ts';

let server: FuzzedServer;
let page = '';
let report: EvidenceReport;
let mostMs = 100;

beforeAll(async () => {
  mostMs = longestAllowedMs();
  server = await startFuzzedServer();
  const reply = await fetch(`http://127.0.0.1:${server.port}/v1/answers/${server.planted.ids['answers']?.[0]}/report`, {
    headers: { authorization: 'Bearer owner' },
  });
  page = await reply.text();
  report = await readReport(page);
  for (let round = 0; round < 5; round += 1) {
    await send(server, 'POST', '/v1/answers/report/verify', { page });
    await send(server, 'POST', '/v1/answers/verify', report.answer);
  }
}, 180_000);
afterAll(() => server.stop());

const opening = '<pre id="footnote-report" hidden>';
/** The forged data at the end of a page, or in the whole page that they make. */
let isWhole = false;
function forged(data: unknown, written: (json: string) => string = escapeHtml): string {
  if (isWhole && typeof data === 'object') return reportPage(data as EvidenceReport);
  const json = typeof data === 'string' ? data : JSON.stringify(data);
  return `${page.slice(0, page.indexOf(opening) + opening.length)}${written(json)}</pre>`;
}
/** Of each list: so many that the number of values alone is refused, or as many as are read. */
let most = Number.POSITIVE_INFINITY;
const many = <Value>(count: number, make: (at: number) => Value): Value[] =>
  Array.from({ length: Math.min(count, most) }, (_, at) => make(at));

let bytes = 3_000_000;
/** What fills three million bytes; each says whether it is put in as it stands. */
const forgeries: readonly (readonly [string, () => string])[] = [
  ['one long answer', () => forged({ ...report, answer: { ...report.answer, answer: 'A pier. '.repeat(bytes / 8) } })],
  [
    'an answer of signs that are escaped',
    () => forged({ ...report, answer: { ...report.answer, answer: '&<'.repeat(bytes / 12) } }),
  ],
  [
    'quotation marks that are not escaped',
    () => forged({ ...report, answer: { ...report.answer, answer: "'".repeat(bytes) } }, (json) => json),
  ],
  ['directional marks', () => forged({ ...report, answer: { ...report.answer, answer: '\u202e'.repeat(bytes / 6) } })],
  [
    'many claims',
    () =>
      forged({
        ...report,
        answer: { ...report.answer, claims: many(bytes / 90, () => ({ text: 'a', citations: [1], support: 1 })) },
      }),
  ],
  [
    'many marks',
    () =>
      forged({
        ...report,
        answer: { ...report.answer, marks: many(bytes / 70, (at) => ({ start: at, end: at, citation: 1 })) },
      }),
  ],
  [
    'many citations',
    () =>
      forged({
        ...report,
        answer: {
          ...report.answer,
          citations: many(bytes / 700, (at) => ({ ...report.answer.citations[0], index: at + 1 })),
        },
      }),
  ],
  [
    'many citations of one claim',
    () =>
      forged({
        ...report,
        answer: {
          ...report.answer,
          claims: many(40, () => ({ text: 'a', citations: many(bytes / 90, () => 1), support: 1 })),
        },
      }),
  ],
  [
    'many passages',
    () =>
      forged({
        ...report,
        passages: many(bytes / 110, (at) => ({ index: at + 1, headings: [], before: '', after: '' })),
      }),
  ],
  [
    'many documents',
    () =>
      forged({
        ...report,
        documents: many(bytes / 160, (at) => ({ id: `${at}`, title: '', uri: '', source: '', standing: 'same' })),
      }),
  ],
  [
    'many words that were left out',
    () =>
      forged({
        ...report,
        trace: {
          ...report.trace,
          leftOut: many(bytes / 110, (at) => ({ chunkId: `${at}`, stage: 'search', reason: `${at}` })),
        },
      }),
  ],
  ['many numbers', () => forged({ ...report, numbers: many(bytes / 2, () => 1) })],
  ['lists of nothing', () => forged(`[${'[],'.repeat(bytes / 3)}[]]`)],
  [
    'objects of nothing',
    () => forged({ ...report, answer: { ...report.answer, claims: many(bytes / 3, () => ({})) } }),
  ],
  [
    'sections that say a claim again and again',
    () =>
      forged({
        ...report,
        answer: {
          ...report.answer,
          claims: [{ text: 'A pier. '.repeat(bytes / 16), citations: [1], support: 1 }],
          sections: [{ name: 'a', title: 'b', claims: many(bytes / 5, () => 1) }],
        },
      }),
  ],
  [
    'agreements with a claim of many citations',
    () =>
      forged({
        ...report,
        answer: {
          ...report.answer,
          claims: [{ text: 'a', citations: many(bytes / 5, () => 1), support: 1 }],
          agreements: many(bytes / 150, () => ({ claim: 1, citations: [1] })),
        },
      }),
  ],
  [
    'a claim of a megabyte',
    () =>
      forged({
        ...report,
        answer: {
          ...report.answer,
          claims: [
            { ...report.answer.claims[0], text: 'The lighthouse of Arkvik was built in 1874. '.repeat(bytes / 60) },
          ],
        },
      }),
  ],
  ['a page that is not closed', () => opening.repeat(bytes / opening.length)],
  ['no data', () => '<'.repeat(bytes)],
  ['what is left of its own page', () => page.replace('</main>', `<p>${'A pier. '.repeat(bytes / 8)}</p></main>`)],
];

describe('a forged report holds the event loop for a moment at most', () => {
  it.each(
    [Number.POSITIVE_INFINITY, 8_000].flatMap((limit) => forgeries.map(([name, make]) => [name, limit, make] as const)),
  )('%s, lists of %s at most', async (_, limit, make) => {
    most = limit;
    const json = { page: make() };
    const turn = await longestTurn(server, mostMs, async () =>
      expect([200, 400, 413]).toContain(await send(server, 'POST', '/v1/answers/report/verify', json)),
    );
    expect(turn).toBeLessThan(mostMs);
  });

  it.each(forgeries.filter(([name]) => name !== 'objects of nothing'))(
    '%s, in a page that fits them',
    async (_, make) => {
      [most, isWhole, bytes] = [8_000, true, 600_000];
      const json = { page: make() };
      [isWhole, bytes] = [false, 3_000_000];
      const turn = await longestTurn(server, mostMs, async () =>
        expect([200, 400, 413]).toContain(await send(server, 'POST', '/v1/answers/report/verify', json)),
      );
      expect(turn).toBeLessThan(mostMs);
    },
  );

  const answers: readonly (readonly [string, (answer: Answer) => unknown])[] = [
    [
      'many claims',
      (answer) => ({ ...answer, claims: many(bytes / 45, () => ({ text: 'a', citations: [1], support: 1 })) }),
    ],
    ['many marks', (answer) => ({ ...answer, marks: many(bytes / 36, (at) => ({ start: at, end: at, citation: 1 })) })],
    [
      'a claim of a megabyte',
      (answer) => ({
        ...answer,
        claims: [{ ...answer.claims[0], text: 'The lighthouse of Arkvik was built in 1874. '.repeat(bytes / 60) }],
      }),
    ],
    [
      'many citations',
      (answer) => ({ ...answer, citations: many(bytes / 500, (at) => ({ ...answer.citations[0], index: at + 1 })) }),
    ],
    ['parts without end', (answer) => ({ ...answer, parts: many(bytes / 30, () => ({ question: 'a', claims: [] })) })],
    [
      'agreements with a claim of many citations',
      (answer) => ({
        ...answer,
        claims: [{ text: 'a', citations: many(bytes / 4, () => 1), support: 1 }],
        agreements: many(bytes / 80, () => ({ claim: 1, citations: [1] })),
      }),
    ],
  ];
  it.each(
    [Number.POSITIVE_INFINITY, 4_500].flatMap((limit) => answers.map(([name, make]) => [name, limit, make] as const)),
  )('an answer to check: %s, lists of %s at most', async (_, limit, make) => {
    most = limit;
    const turn = await longestTurn(server, mostMs, async () =>
      expect([200, 400, 413]).toContain(await send(server, 'POST', '/v1/answers/verify', make(report.answer))),
    );
    expect(turn).toBeLessThan(mostMs);
  });
});
