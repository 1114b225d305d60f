// The measuring and administering commands, over sets made here.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

let place: Workplace;
const lines = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join('\n');

const documents = [
  { _id: 'heron', title: 'Grey heron', text: 'The grey heron weighs up to 2 kilograms. It nests in tall trees.' },
  { _id: 'owl', title: 'Barn owl', text: 'The barn owl hunts at night. It weighs about 300 grams.' },
  { _id: 'odd id!', title: 'Kite', text: 'The red kite has a forked tail and circles over fields.' },
];
beforeAll(async () => {
  place = await openWorkplace();
  const set = join(place.folder, 'birds');
  await mkdir(join(set, 'qrels'), { recursive: true });
  await writeFile(join(set, 'corpus.jsonl.gz'), gzipSync(lines(documents)));
  const queries = [
    { _id: 'q1', text: 'grey heron nest' },
    { _id: 'q2', text: 'which bird has a forked tail' },
  ];
  await writeFile(join(set, 'queries.jsonl'), lines(queries));
  await writeFile(join(set, 'qrels/test.tsv'), 'query-id\tcorpus-id\tscore\nq1\theron\t1\nq2\todd id!\t1\n');
  const cases = [
    { id: 1, question: 'How much does the grey heron weigh?', answers: ['2 kilograms'], document: 'heron' },
    {
      id: 2,
      question: 'What does the red kite have?',
      answers: ['forked tail'],
      document: 'odd id!',
      only: ['odd id!'],
    },
    { id: 3, question: 'How much does the grey heron weigh?', exclude: ['heron'], unanswerable: true },
  ];
  await writeFile(join(place.folder, 'cases.jsonl'), lines(cases));
});
afterAll(() => place.remove());

describe('footnote eval', () => {
  it('measures retrieval, ids that the record cannot keep included, and leaves nothing behind', async () => {
    const { code, json } = await place.run([
      'eval',
      'retrieval',
      'birds',
      '--mode',
      'embedded',
      '--run',
      'birds.run',
      '--json',
    ]);
    expect(code).toBe(0);
    expect(json()).toMatchObject({
      queries: 2,
      documents: 3,
      failed: [],
      modes: [{ mode: 'embedded', metrics: { ndcg10: { mean: 1 } } }],
      comparisons: [],
    });
    expect(await readFile(join(place.folder, 'birds.run'), 'utf8')).toMatch(/^q1 Q0 heron 1 /);
  }, 120_000);

  it('measures answers, with documents allowed and forbidden', async () => {
    const { code, json } = await place.run([
      'eval',
      'answers',
      'cases.jsonl',
      '--docs',
      'birds',
      '--out',
      'results.jsonl',
      '--json',
    ]);
    expect(code).toBe(0);
    expect(json()).toMatchObject({
      cases: 3,
      unanswerable: 1,
      failed: 0,
      metrics: { wholeAnswer: { mean: 1 }, document: { mean: 1 }, citationsVerified: { mean: 1 } },
    });
    const results = (await readFile(join(place.folder, 'results.jsonl'), 'utf8')).trim().split('\n');
    const third = JSON.parse(results[2]!) as { answer: { citations: { documentId: string }[] } };
    expect(third.answer.citations.map((one) => one.documentId)).not.toContain('heron');
  }, 120_000);
});

describe('footnote verify-claims', () => {
  it('judges claims by their quotes, and names a bad line', async () => {
    const quote = 'The grey heron weighs up to 2 kilograms.';
    const claims = [
      { id: 'a', claim: quote, quote },
      { id: 'b', claim: 'The grey heron weighs up to 3 kilograms.', quote },
    ];
    await writeFile(join(place.folder, 'claims.jsonl'), lines(claims));
    const { code } = await place.run(['verify-claims', 'claims.jsonl', '--out', 'verdicts.jsonl']);
    expect(code).toBe(0);
    const verdicts = (await readFile(join(place.folder, 'verdicts.jsonl'), 'utf8')).trim().split('\n');
    expect(verdicts.map((line) => (JSON.parse(line) as { verdict: string }).verdict)).toEqual([
      'supported',
      'unsupported',
    ]);
    await writeFile(join(place.folder, 'claims.jsonl'), '{"id": 1}\n');
    const bad = await place.run(['verify-claims', 'claims.jsonl']);
    expect(bad.code).toBe(2);
    expect(bad.err).toMatch(/claims\.jsonl: Line 1/);
  }, 60_000);
});

describe('footnote keys and doctor', () => {
  it('work the same without and through a server', async () => {
    const first = (await place.run(['keys', 'create', 'laptop', '--json'])).json();
    expect(first).toMatchObject({ name: 'laptop', role: 'reader', secret: expect.stringMatching(/^fn_/) });
    const { url, stop } = await place.serve();
    const denied = await fetch(`${url}/v1/sources`);
    expect(denied.status).toBe(401);
    const allowed = await fetch(`${url}/v1/sources`, { headers: { authorization: `Bearer ${first.secret}` } });
    expect(allowed.status).toBe(200);

    const second = (await place.run(['keys', 'create', 'site', '--role', 'reader', '--json'])).json();
    const listed = (await place.run(['keys', 'list', '--json'])).json();
    expect(listed.data.map((key: { name: string }) => key.name).sort()).toEqual(['laptop', 'site']);
    expect(JSON.stringify(listed)).not.toContain(second.secret);
    expect((await place.run(['keys', 'revoke', second.id])).code).toBe(0);
    expect((await place.run(['keys', 'revoke', second.id])).code).toBe(4);

    const doctor = await place.run(['doctor', '--json'], { env: { OPENAI_API_KEY: 'sk-secret-value' } });
    expect(doctor.code).toBe(0);
    expect(doctor.out).not.toContain('sk-secret-value');
    const { findings } = doctor.json() as { findings: { area: string; state: string; detail: string }[] };
    expect(findings.filter(({ state }) => state === 'problem')).toEqual([]);
    expect(findings.find(({ area }) => area === 'server')?.detail).toContain(url);
    expect(findings.some(({ detail }) => detail.includes('OPENAI_API_KEY'))).toBe(true);
    expect(await stop()).toBe(0);

    const alone = await place.run(['doctor'], { env: { RRF_K_CONSTANT: '40' } });
    expect(alone.code).toBe(0);
    expect(alone.out).toContain('every page, text and chunk is sound');
    // What is as it comes is listed for who asks for all.
    const settingsOf = (out: string): string[] =>
      out.split('\n').flatMap((line) => /^ {2}([A-Z_]{4,}) /u.exec(line)?.[1] ?? []);
    expect(settingsOf(alone.out)).toContain('RRF_K_CONSTANT');
    expect(settingsOf(alone.out)).not.toContain('FUSION_METHOD');
    const all = settingsOf((await place.run(['doctor', '--settings'])).out);
    expect(all.length).toBeGreaterThan(60);
    expect(all).toContain('FUSION_METHOD');
  }, 120_000);

  it('draw a trace by its id alone, and list every command under what it is for', async () => {
    const { id } = (await place.run(['ask', 'How much does the grey heron weigh?', '--json'])).json() as { id: string };
    const [short, long] = [await place.run(['trace', id]), await place.run(['trace', 'show', id])];
    expect(short).toMatchObject({ code: 0, out: long.out });
    expect(short.out.length).toBeGreaterThan(200);
    expect((await place.run(['trace', '--limit', '1'])).out.trim().split('\n').length).toBeLessThanOrEqual(2);
    expect((await place.run(['trace', 'trc_none'])).code).toBe(4);
    const help = (await place.run(['--help'])).out;
    const headings = [...help.matchAll(/^(\S.*):$/gmu)].map(([, heading]) => heading);
    expect(headings).not.toContain('Commands');
    expect(headings.length).toBeGreaterThan(6);
    const commands = [...help.matchAll(/^ {2}([a-z-]+)(?: |$)/gmu)].map(([, command]) => command);
    for (const command of ['ingest', 'ask', 'trace', 'keys', 'help']) expect(commands).toContain(command);
  }, 120_000);
});
