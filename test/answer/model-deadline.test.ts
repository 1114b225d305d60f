// A request whose time passes while claims of its answer are checked, shown, or kept back for a claim that holds as it was written: what was
// verified by then is the answer, the same in stream and answer, and nothing is released after that.
import { describe, expect, it } from 'vitest';
import { createDeadline } from '../../src/core/deadline.ts';
import { FootnoteError } from '../../src/core/errors.ts';
import type { FootnoteEvent } from '../../src/core/events.ts';
import type { StreamPart } from '../../src/models/language/generation.ts';
import type { LanguageModel } from '../../src/models/language/language-model.ts';
import { createScriptedModel } from '../../src/models/language/scripted-model.ts';
import { endingDeadline } from '../core/ending-deadline.ts';
import { faultsOf, type ModelTurn, runModelTurn } from './model-turn.ts';

const length = 'The pier of Brenna is 340 metres long.';
const closing = 'The pier is closed to lorries above 7.5 tonnes, and it carries 1,240 visitors a day.';
const passages = [
  { id: 'c1', documentId: 'doc-1', title: 'Pier of Brenna', text: length, score: 5 },
  { id: 'c2', documentId: 'doc-2', title: 'Traffic', text: closing, score: 3 },
];
const question = 'How long is the pier of Brenna?';

type Written = readonly [text: string, id: number, quote: string];
const honest: Written = ['The pier of Brenna is 340 metres long.', 1, length];
const other: Written = [closing, 2, closing];
/** More than its quote says: the quote stands in its place, kept back until a claim holds as it was written. */
const embroidered: Written = ['The long pier of Brenna delights guests with happy views for 340 metres.', 1, length];
/** Contradicts its quote: refused, whatever is tried. */
const forged: Written = ['The pier of Brenna is 430 metres long.', 1, length];

/** Writes claims one after the other; `hangsAfter` so many it says nothing more until its call is ended. */
function writer(claims: readonly Written[], hangsAfter = Number.POSITIVE_INFINITY): LanguageModel {
  const pieces = claims.map(([text, id, quote]) => JSON.stringify({ text, quotes: [{ id, quote }] }));
  const text = `{"claims": [${pieces.join(',')}], "insufficient": false}`;
  const usage = { inputTokens: 10, outputTokens: 10, cachedInputTokens: 0, reasoningTokens: 0, isEstimated: false };
  return {
    ...createScriptedModel([]),
    generate: async () => {
      throw new FootnoteError('upstream-unavailable', 'Only its stream serves.');
    },
    async *stream(_request, { deadline }): AsyncGenerator<StreamPart, void, void> {
      let said = '{"claims": [';
      yield { type: 'delta', text: said };
      for (const [at, piece] of pieces.entries()) {
        if (at === hangsAfter)
          await new Promise((_resolve, reject) => {
            const fail = (): void => reject(deadline.signal.reason as Error);
            if (deadline.signal.aborted) fail();
            else deadline.signal.addEventListener('abort', fail, { once: true });
          });
        const next = `${at > 0 ? ',' : ''}${piece}`;
        said += next;
        yield { type: 'delta', text: next };
        // Lets whoever reads work on what came so far.
        await new Promise((resolve) => setImmediate(resolve));
      }
      yield { type: 'delta', text: text.slice(said.length) };
      yield { type: 'end', result: { text, finish: 'stop', usage, model: 'scripted:script', attempts: [] } };
    },
  };
}

/** Ends the request at the `nth` event that `isEnd` is true of. */
async function run(
  model: LanguageModel,
  isEnd: (event: FootnoteEvent) => boolean,
  { nth = 1, ...turn }: Partial<ModelTurn> & { readonly nth?: number } = {},
) {
  const { deadline, end } = endingDeadline(20_000);
  let seen = 0;
  const afterEnd: FootnoteEvent[] = [];
  const result = await runModelTurn({
    question,
    passages,
    model,
    deadline,
    onEvent(event) {
      if (deadline.signal.aborted) afterEnd.push(event);
      if (isEnd(event) && ++seen === nth) end();
    },
    ...turn,
  });
  expect(await faultsOf(result)).toEqual([]);
  const verdicts = result.events.flatMap((event) => (event.type === 'verdict' ? [event] : []));
  return { ...result, afterEnd, verdicts };
}
const isVerdict = ({ type }: FootnoteEvent): boolean => type === 'verdict';
const late = { component: 'answer-model', code: 'deadline-exceeded' };

describe('when the time of a request passes', () => {
  it('after a claim was shown, that claim is the answer', async () => {
    const { answer } = await run(writer([honest, other], 1), isVerdict);
    expect(answer.answer).toBe(`${length} [1]`);
    expect(answer.degraded).toMatchObject([late]);
  });

  it('with claims kept back, they are shown, and the answer says that the rest is missing', async () => {
    const { answer, verdicts } = await run(writer([embroidered, other], 1), isVerdict);
    expect(verdicts.map(({ kept, reasons }) => [kept, reasons[0]?.split(':')[0]])).toEqual([[true, 'shown-as-quoted']]);
    expect(answer.answer).toBe(`${length} [1]`);
    expect(answer.degraded).toMatchObject([late, { component: 'answer-model', code: 'claims-replaced' }]);
  });

  it('with claims kept back and others refused, those that were verified are shown', async () => {
    const { answer, verdicts } = await run(writer([forged, embroidered, other], 2), isVerdict, { nth: 2 });
    expect(verdicts.map(({ kept }) => kept)).toEqual([false, true]);
    expect(answer.answer).toBe(`${length} [1]`);
    expect(answer.degraded.map(({ code }) => code)).toContain('deadline-exceeded');
  });

  it('while the next claim comes in, what was verified by then is shown all the same', async () => {
    for (const [claims, nth] of [
      [[honest, other], 1],
      [[embroidered, other], 1],
      [[forged, embroidered, other], 2],
    ] as const) {
      const { answer, afterEnd } = await run(writer(claims), isVerdict, { nth });
      expect(answer.answer).toBe(`${length} [1]`);
      expect(answer.degraded).toContainEqual(expect.objectContaining(late));
      expect(afterEnd.filter(isVerdict)).toEqual([]);
    }
  });

  it('or its caller leaves, nothing kept back is shown', async () => {
    const leaving = new AbortController();
    const shown: string[] = [];
    const asked = runModelTurn({
      question,
      passages,
      model: writer([embroidered, other], 1),
      deadline: createDeadline(20_000, leaving.signal),
      onEvent(event) {
        if (event.type === 'delta') shown.push(event.text);
        if (event.type === 'verdict') leaving.abort();
      },
    });
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
    expect(shown).toEqual([]);
  });

  it('with nothing verified, that is the end of the request', async () => {
    await expect(run(writer([forged, other], 1), isVerdict)).rejects.toMatchObject({ code: 'deadline-exceeded' });
  });
});
