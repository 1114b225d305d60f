// An answer that does not assert: its text opens with the sentence that says so, and whoever checks or erases it knows that sentence from one field.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderAnswer } from '../../src/answer/render.ts';
import { wholeReasons } from '../../src/answer/whole-answer.ts';
import { loadConfig } from '../../src/config.ts';
import type { Answer } from '../../src/core/answer.ts';
import { answerOpening } from '../../src/core/answers/closest-passages.ts';
import { eraseFromAnswer } from '../../src/core/answers/erased-answer.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { closestBelow } from '../../src/passages/sureness.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

const texts = [
  'The harbour of Lysefjord was deepened by the port authority in 1931. Dredging took two summers. The port authority paid for it.',
  'The port authority of Lysefjord has nine members. Its chair is elected by the town council for three years.',
  'Ferries leave the harbour of Lysefjord every hour in summer. In winter they leave twice a day.',
  'The lighthouse above the harbour was lit in 1874. It has been without a keeper since the autumn of 1988.',
];
const opening = answerOpening({ closestPassages: true, claims: [], version: 6 });
const sure = 'When was the harbour of Lysefjord deepened?';
const unsure = 'Which ferries pass the lighthouse in winter?';
let folder: string;
let opened: OpenedFootnote;
let footnote: Footnote;

const noTurn = (): undefined => undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-closest-'));
  opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
  footnote = opened.forScope(localScope());
  for (const [at, text] of texts.entries())
    await footnote.documents.add({ text, mime: 'text/plain', uri: `harbour-${at}.txt`, source: 'notes' });
});
afterAll(async () => {
  await opened.close();
  await rm(folder, { recursive: true });
});

describe('an answer of the closest passages', () => {
  it('opens with the sentence that says so, in the text and in the stream', async () => {
    const deltas: string[] = [];
    const answer = await footnote.ask(
      { question: unsure },
      { onEvent: (event) => event.type === 'delta' && deltas.push(event.text) },
    );
    expect(answer.confidence).toBeLessThan(closestBelow);
    expect(answer).toMatchObject({ closestPassages: true, abstained: false });
    expect(answer.claims.length).toBeGreaterThan(0);
    expect(answer.answer.startsWith(opening)).toBe(true);
    expect(deltas.join('')).toBe(answer.answer);
    expect((await footnote.answers.verify(answer)).ok).toBe(true);
  });

  it('is not what a sure answer is', async () => {
    const answer = await footnote.ask({ question: sure });
    expect(answer.confidence).toBeGreaterThanOrEqual(closestBelow);
    expect(answer.closestPassages).toBeUndefined();
    expect(answer.answer).not.toContain(opening);
    expect(answer.answer).toContain('The harbour of Lysefjord was deepened');
  });

  it('leads with no sentence that gives no number where one was asked for', async () => {
    const answer = await footnote.ask({ question: 'How many ferries leave Lysefjord?' });
    expect(answer.claims[0]).toMatchObject({ form: 'paragraph' });
    expect(answer.claims[0]?.text).not.toMatch(/\d/u);
  });

  it('is checked: the sentence must stand there, and nowhere without the field', async () => {
    const answer = await footnote.ask({ question: unsure });
    expect(await wholeReasons(answer, noTurn)).toEqual([]);
    const untold = { ...answer, answer: answer.answer.slice(opening.length) };
    expect(await wholeReasons(untold, noTurn)).toEqual(['closest-passages-untold']);
    const { closestPassages: _, ...asserted } = answer;
    expect((await wholeReasons(asserted, noTurn)).join()).toContain('text-without-claim');
  });

  it('keeps its sentence where a part of it is erased, and loses it where nothing is left', async () => {
    const answer = await footnote.ask({ question: unsure });
    const ids = [...new Set(answer.citations.map(({ documentId }) => documentId))];
    expect(ids.length).toBeGreaterThan(1);
    const without = (gone: readonly string[]): Answer | undefined =>
      eraseFromAnswer(answer, ({ documentId }) => gone.includes(documentId), '2026-11-23T00:00:00.000Z');
    const part = without(ids.slice(0, 1)) as Answer;
    expect(part.answer.startsWith(opening)).toBe(true);
    expect(await wholeReasons(part, noTurn)).toEqual([]);
    const none = without(ids) as Answer;
    expect(none.abstained).toBe(true);
    expect(none.closestPassages).toBeUndefined();
    expect(none.answer).not.toContain(opening.trim());
  });
});

it('renders the sentence only where there is a claim', () => {
  const request = { evidence: [], closestPassages: true, spanUrl: () => '/' };
  expect(renderAnswer({ ...request, claims: [] }).text).toBe('');
});
