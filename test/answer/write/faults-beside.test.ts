// What fails beside the model while its claims are checked: the encoder, and the record.
import { describe, expect, it } from 'vitest';
import type { SpanReader } from '../../../src/answer/claims/draft.ts';
import { FootnoteError } from '../../../src/core/errors.ts';
import type { PassageScorer } from '../../../src/models/encoder/passage-scorer.ts';
import { createScriptedModel, type ScriptedStep } from '../../../src/models/language/scripted-model.ts';
import { evidenceOf } from '../../../testkit/evidence-of.ts';
import { type ModelTurn, modelText, readerOf, runModelTurn } from '../model-turn.ts';

const length = 'The pier of Brenna is 340 metres long.';
const opened = 'It was opened on 3 May 1872 by the county of Harrow.';
const closing = 'The pier is closed to lorries above 7.5 tonnes, and it carries 1,240 visitors a day.';
const passages = [
  { id: 'c1', documentId: 'doc-1', title: 'Pier of Brenna', text: `${length} ${opened}`, score: 5 },
  { id: 'c2', documentId: 'doc-2', title: 'Traffic', text: closing, score: 3 },
];
const question = 'How long is the pier of Brenna?';
const run = (steps: readonly ScriptedStep[], turn: Partial<ModelTurn>) =>
  runModelTurn({ question, passages, model: createScriptedModel(steps), ...turn });

describe('what went wrong beside the model is told', () => {
  const claim = 'In Brenna there is a pier with a length of 340 metres.';

  it('once, where no encoder could grade a claim in words of its own', async () => {
    const score = async () => {
      throw new FootnoteError('upstream-unavailable', 'The encoder died.');
    };
    const passageScorer: PassageScorer = { id: 'broken', score, match: score, leastMatch: score };
    const text = modelText([
      [claim, [1, length]],
      ['The length of the pier that stands in Brenna comes to 340 metres.', [1, length]],
    ]);
    const { answer } = await run([{ reply: text }], { passageScorer, options: { isInOwnWords: true } });
    const told = answer.degraded.filter(({ effect }) => effect.includes('graded by their words'));
    expect(told).toMatchObject([{ component: 'encoder', code: 'upstream-unavailable' }]);
  });

  it('is not asked about a claim in another language than the encoder knows', async () => {
    const asked: string[] = [];
    const score = async (query: string, texts: readonly string[]) => {
      asked.push(query);
      return texts.map(() => 0.5);
    };
    const passageScorer: PassageScorer = { id: 'all', score, match: score, leastMatch: score };
    const german = 'Der Pier, der in Brenna steht, hat eine Länge von 340 Metern.';
    const text = modelText([
      [claim, [1, length]],
      [german, [1, length]],
    ]);
    await run([{ reply: text }], { passageScorer, options: { isInOwnWords: true } });
    expect(asked).toContain(claim);
    expect(asked).not.toContain(german);
  });

  it('and a document that is damaged is no contradiction: the other passages stand', async () => {
    const read = readerOf(passages.map(evidenceOf));
    const readSpan: SpanReader = async (reference) => {
      if (reference.documentId === 'doc-1') throw new FootnoteError('data-corrupt', 'Its hash is another.');
      return read(reference);
    };
    const text = modelText([
      [length, [1, length]],
      [opened, [1, opened]],
    ]);
    const { answer, events } = await run([{ reply: text }], { readSpan });
    expect(answer).toMatchObject({ abstained: false });
    expect(answer.claims.every(({ form }) => form !== undefined)).toBe(true);
    const told = answer.degraded.filter(({ code }) => code === 'data-corrupt');
    expect(told).toMatchObject([{ component: 'record', detail: expect.stringContaining('doc-1') }]);
    expect(events.filter(({ type }) => type === 'verdict')).not.toHaveLength(0);
  });
});
