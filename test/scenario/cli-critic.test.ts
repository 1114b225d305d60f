// The steps that look at a draft, at the terminal and over HTTP: what each does is shown as it happens, and stands in the trace.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerSchema } from '../../src/core/answer.ts';
import { writePressNotes } from '../../testkit/press-notes.ts';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

let place: Workplace;
beforeAll(async () => {
  place = await openWorkplace();
  await writePressNotes(join(place.folder, 'notes'));
  const settings =
    'enableCritic: true\nenableAssessment: true\nenableMultiAgent: true\nmultiAgentComplexityThreshold: 0.6\n';
  await writeFile(join(place.folder, 'footnote.yaml'), settings);
  expect((await place.run(['ingest', 'notes'])).code).toBe(0);
}, 60_000);
afterAll(() => place.remove());

it('shows workers and critic beside the answer, and their words in the JSON', async () => {
  const question = 'Compare the Arnold press and the Bendix press in price, and say which came first.';
  const { code, out, err } = await place.run(['ask', question]);
  expect(code).toBe(0);
  expect(err).toContain('The question has 6 parts:');
  expect(err).toMatch(/✓ retrieval-specialist \(retrieve-\d\): \d+ tokens/u);
  expect(err).toMatch(/✓ fact-checker \(check-\d+\): \d+ tokens/u);
  expect(err).toMatch(/^critic 1 /mu);
  expect(out).toContain('900 crowns');
  expect(out).toContain('Not answered by these documents: "What is the price of the Bendix press?"');
  const json = answerSchema.parse(JSON.parse((await place.run(['ask', question, '--json'])).out));
  expect(json.critique).toMatchObject({ rounds: 1, coverage: 0.6 });
}, 60_000);

it('has the flags in force in every trace', async () => {
  const { traceId } = answerSchema.parse(
    JSON.parse((await place.run(['ask', 'What is the price of the Arnold press?', '--json'])).out),
  );
  const { out } = await place.run(['trace', 'show', traceId, '--json']);
  expect(out).toMatch(/"ENABLE_CRITIC"/u);
  expect(out).toMatch(/"ENABLE_MULTI_AGENT"/u);
  expect(out).toMatch(/"type":\s*"critic"/u);
}, 60_000);
