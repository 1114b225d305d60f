// A suite is run on two states of a handbook by the real command line: the gate lets the same through and refuses what lost an answer.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openFakeServer } from '../../src/testing/fake-http.ts';
import { renderChat } from '../../src/testing/openai-chat.ts';
import { openFoundrySimulator } from '../../testkit/foundry/foundry-simulator.ts';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

let place: Workplace;
beforeAll(async () => {
  place = await openWorkplace();
});
afterAll(() => place.remove());

const questions = Array.from({ length: 12 }, (_, at) => ({
  id: `q${at}`,
  question: `How many days of leave does grade ${at + 1} receive?`,
  answers: [`${20 + at} days`],
}));
const handbook = (count: number): string =>
  ['# Leave', ...questions.slice(0, count).map((_, at) => `Grade ${at + 1} receives ${20 + at} days of leave.`)].join(
    '\n\n',
  );

function writeSuite(): void {
  mkdirSync(join(place.folder, 'suite/docs'), { recursive: true });
  writeFileSync(join(place.folder, 'suite/docs/leave.md'), handbook(12));
  const missing = { id: 'none', question: 'What does the moon weigh?', unanswerable: true };
  writeFileSync(
    join(place.folder, 'suite/cases.jsonl'),
    [...questions, missing].map((one) => `${JSON.stringify(one)}\n`).join(''),
  );
}

it('runs a suite twice, passes its gate, and is refused where answers are lost', async () => {
  writeSuite();
  const run = await place.run(['eval', 'run', 'suite', '--out', 'before', '--json']);
  expect(run).toMatchObject({ code: 0 });
  expect(run.json()).toMatchObject({
    questions: 13,
    summary: { 'citations verified': { mean: 1 }, groundedness: { mean: 1 } },
  });
  await place.run(['eval', 'run', 'suite', '--out', 'after']);
  const same = await place.run(['eval', 'compare', 'before', 'after', '--gate', '--json']);
  expect(same.code).toBe(0);
  expect(same.json()).toMatchObject({ refused: [], changed: [], questions: 13 });

  // What a fault would do: answers fall silent.
  const worse = JSON.parse(readFileSync(join(place.folder, 'after/run.json'), 'utf8'));
  for (const one of worse.results.slice(0, 8)) {
    one.abstained = true;
    one.measures = { 'runs through': 1, abstention: 0, completeness: 0 };
  }
  writeFileSync(join(place.folder, 'after/run.json'), JSON.stringify(worse));
  const refused = await place.run([
    'eval',
    'compare',
    'before',
    'after/run.json',
    '--gate',
    '--out',
    'difference',
    '--json',
  ]);
  expect(refused.code).toBe(1);
  expect(refused.json().refused.join()).toContain('completeness');
  expect(readFileSync(join(place.folder, 'difference/comparison.html'), 'utf8')).toContain('The gate refuses it');
  expect(readFileSync(join(place.folder, 'difference/comparison.junit.xml'), 'utf8')).toContain('<failure');
}, 120_000);

it('has Azure AI Foundry judge beside the rules, and says of how many answers it did not', async () => {
  writeSuite();
  const simulator = await openFoundrySimulator();
  simulator.knobs.polls = 0;
  simulator.knobs.results = 'lost';
  try {
    const env = {
      AZURE_FOUNDRY_EVALS_ENDPOINT: simulator.endpoint,
      AZURE_FOUNDRY_EVALS_API_KEY: 'foundry-key-0123456789',
      AZURE_FOUNDRY_API_VERSION: 'v1',
    };
    const run = await place.run(['eval', 'run', 'suite', '--out', 'judged', '--judges', 'foundry'], { env });
    expect(run.code).toBe(0);
    expect(run.err).toContain('azure-ai-foundry failed on 1 answer: Azure AI Foundry told nothing of a row.');
    const written = JSON.parse(readFileSync(join(place.folder, 'judged/run.json'), 'utf8'));
    expect(written.summary['groundedness by foundry']).toMatchObject({ mean: 0.75, cases: 11 });
    expect(written.summary['completeness by foundry']).toMatchObject({ mean: 0.75, cases: 11 });
    expect(written.summary['groundedness']).toMatchObject({ cases: 12 });
    for (const file of ['run.md', 'run.html'])
      expect(readFileSync(join(place.folder, 'judged', file), 'utf8')).toContain('azure-ai-foundry failed on 1 answer');
    const unset = await place.run(['eval', 'run', 'suite', '--judges', 'foundry']);
    expect(unset).toMatchObject({ code: 11, err: expect.stringContaining('AZURE_FOUNDRY_EVALS_ENDPOINT is not set') });
    expect(await place.run(['eval', 'run', 'suite', '--judges', 'oracle'])).toMatchObject({ code: 2 });
  } finally {
    await simulator.close();
  }
}, 120_000);

it('has a model judge beside the rules', async () => {
  writeSuite();
  const provider = await openFakeServer((request) => {
    const [answer = '', ...source] = [...JSON.stringify(request.body).matchAll(/grade \d+ receives? (\d+) days/giu)]
      .map(([, days]) => days)
      .toReversed();
    return renderChat({ text: JSON.stringify({ grade: source.includes(answer) ? 5 : 4, reason: 'Seen.' }) }, request);
  });
  try {
    const env = { OPENAI_BASE_URL: `${provider.address}/v1`, MODEL_JUDGE: 'compatible:kind' };
    const judged = ['eval', 'run', 'suite', '--out', 'by-model', '--judges', 'model'];
    expect(await place.run(judged, { env })).toMatchObject({ code: 0 });
    const written = JSON.parse(readFileSync(join(place.folder, 'by-model/run.json'), 'utf8'));
    const [judge] = written.judges.filter(({ name }: { name: string }) => name === 'groundedness by model');
    expect(judge).toEqual({ name: 'groundedness by model', by: 'compatible:kind', threshold: 0.5 });
    expect(written.summary['groundedness by model'].cases).toBe(12);
  } finally {
    await provider.close();
  }
}, 240_000);

it('makes a case of an answer that was given, which the suite then asks', async () => {
  writeSuite();
  await place.run(['ingest', 'suite/docs']);
  const asked = await place.run(['ask', questions[3]!.question, '--json']);
  const { traceId } = asked.json();
  const made = await place.run(['eval', 'from-trace', traceId, '--out', 'suite/cases.jsonl', '--json']);
  expect(made.json()).toMatchObject({ id: traceId, question: questions[3]!.question });
  const run = await place.run(['eval', 'run', 'suite', '--out', 'again', '--json']);
  expect(run.json()).toMatchObject({ questions: 14 });
  const saved = JSON.parse(readFileSync(join(place.folder, 'again/run.json'), 'utf8'));
  expect(saved.results.at(-1)).toMatchObject({ id: traceId, measures: { 'answer in the whole': 1 } });
  expect((await place.run(['eval', 'from-trace', 'trc_gone'])).code).not.toBe(0);
}, 120_000);

it('takes an answer to a test of its own in three commands, by its id alone, in a folder that is not there yet', async () => {
  writeSuite();
  await place.run(['ingest', 'suite/docs']);
  const { id, traceId } = (await place.run(['ask', questions[5]!.question, '--json'])).json();
  const silent = (await place.run(['ask', 'What does the moon weigh?', '--json'])).json();
  const shown = await place.run(['trace', 'show', id, '--json']);
  expect(shown.json()).toMatchObject({ trace: { id: traceId } });
  expect((await place.run(['replay', id, '--json'])).json()).toMatchObject({ traceId, same: true });
  const cases = 'made/of/answers/cases.jsonl';
  const made = await place.run(['eval', 'from-trace', id, '--out', cases, '--json']);
  expect(made.json()).toMatchObject({ id: traceId, documents: [expect.stringMatching(/^doc_/u)] });
  await place.run(['eval', 'from-trace', silent.id, '--out', cases]);
  const run = await place.run(['eval', 'run', 'made/of/answers', '--out', 'gated', '--gate', '--json']);
  expect(run).toMatchObject({ code: 0 });
  expect(run.json()).toMatchObject({ questions: 2 });

  // The document says something else now: the gate is shut.
  const corpus = join(place.folder, 'made/of/answers/corpus.jsonl');
  writeFileSync(corpus, readFileSync(corpus, 'utf8').replaceAll('25 days', '31 days'));
  const shut = await place.run(['eval', 'run', 'made/of/answers', '--out', 'gated', '--gate']);
  expect(shut.code).toBe(1);
  expect(shut.err).toContain(`${traceId} does not pass`);

  const twice = await place.run(['eval', 'from-trace', id, '--out', cases]);
  expect(twice).toMatchObject({ code: 5, err: expect.stringContaining('already') });
  expect((await place.run(['replay', './trace-gone.json'])).err).toContain('No such file');
  expect((await place.run(['replay', 'ans_gone'])).err).toContain('There is no trace or answer "ans_gone"');
}, 120_000);
