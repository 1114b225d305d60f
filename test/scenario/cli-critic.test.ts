// Steps that need a model, switched on without one, at the terminal and over HTTP: the answer is the same as without them and says once what was
// not done; the doctor says what to set.
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

const undoneIn = ({ degraded }: ReturnType<typeof answerSchema.parse>): readonly string[] =>
  degraded.flatMap(({ component, code }) => (code === 'needs-model' ? [component] : []));

it('answers without them and says so once', async () => {
  const question = 'Compare the Arnold press and the Bendix press in price, and say which came first.';
  const { code, out, err } = await place.run(['ask', question]);
  expect(code).toBe(0);
  expect(err).not.toMatch(/^critic 1 /mu);
  expect(out).toContain('900 crowns');
  const json = answerSchema.parse(JSON.parse((await place.run(['ask', question, '--json'])).out));
  expect(undoneIn(json)).toEqual(['critic', 'team', 'decomposition']);
  expect(json.degraded.find(({ component }) => component === 'critic')?.detail).toContain('Set MODEL_CRITIC');
  expect(json.critique).toBeUndefined();
}, 60_000);

it('says of the team only where a question would have had one, and keeps the flags in the trace', async () => {
  const answer = answerSchema.parse(
    JSON.parse((await place.run(['ask', 'What is the price of the Arnold press?', '--json'])).out),
  );
  expect(undoneIn(answer)).toEqual(['critic']);
  const { out } = await place.run(['trace', 'show', answer.traceId, '--json']);
  expect(out).toMatch(/"ENABLE_CRITIC"/u);
  expect(out).toMatch(/"ENABLE_MULTI_AGENT"/u);
}, 60_000);

it('names them in the doctor, with what to set', async () => {
  const { out } = await place.run(['doctor']);
  expect(out).toMatch(/critic: ENABLE_CRITIC is on, and the step needs a model\.\n\s+Set MODEL_CRITIC/u);
  expect(out).toMatch(/team: ENABLE_MULTI_AGENT is on, and the step needs a model\./u);
}, 60_000);
