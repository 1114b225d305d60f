// A question that asks several things, at the terminal: its parts are shown as they are thought through, and each is answered or named.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerSchema } from '../../src/core/answer.ts';
import { writePressNotes } from '../../testkit/press-notes.ts';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

let place: Workplace;
beforeAll(async () => {
  place = await openWorkplace();
  await writePressNotes(join(place.folder, 'notes'));
  expect((await place.run(['ingest', 'notes'])).code).toBe(0);
}, 60_000);
afterAll(() => place.remove());

const question = 'Compare the Arnold press and the Bendix press in price, and say which came first.';

it('shows the plan beside the answer, with what each part came to', async () => {
  const { code, out, err } = await place.run(['ask', question]);
  expect(code).toBe(0);
  expect(err).toContain('The question has 4 parts:\n├─ 1  What is the price of the Arnold press?\n');
  expect(err).toMatch(/^ {3}1 ✓ /mu);
  expect(err).toMatch(/^ {3}2 ! No passage found is sure to answer it\./mu);
  expect(`${out}${err}`).toContain('No model weighs what was found: "Which came first?"');
  expect(out).toContain('900 crowns');
  expect(out).toContain('1911');
  expect(out).toContain('1934');
  expect(out).toMatch(/^Not said outright by these documents, .*"What is the price of the Bendix press\?"/mu);
  expect(out).not.toContain('├─');
}, 60_000);

it('gives JSON alone to who asks for JSON, with its parts', async () => {
  const { out, err } = await place.run(['ask', question, '--json']);
  expect(err).toBe('');
  const { parts = [] } = answerSchema.parse(JSON.parse(out));
  expect(parts.map(({ claims, missing }) => claims.length > 0 && !missing)).toEqual([true, false, true, true]);
}, 60_000);

it('says nothing of a plan where one thing is asked', async () => {
  expect((await place.run(['ask', 'What is the price of the Arnold press?'])).err).toBe('');
}, 60_000);
