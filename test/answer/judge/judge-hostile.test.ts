// The gallery of hostile models in the seat of the judge: whatever it does, an answer has no claim that it would not have without a
// judge, what was not judged is disclosed, and the turn ends.
import { describe, expect, it } from 'vitest';
import { createModelJudge } from '../../../src/answer/judge/model-judge.ts';
import { createDeadline } from '../../../src/core/deadline.ts';
import { FootnoteError } from '../../../src/core/errors.ts';
import type { Finish } from '../../../src/models/language/generation.ts';
import type { LanguageModel } from '../../../src/models/language/language-model.ts';
import { createScriptedModel } from '../../../src/models/language/scripted-model.ts';
import { type HostileBehaviour, hostileBehaviours, seededRandom } from '../../../testkit/models/hostile-gallery.ts';
import { faultsOf, modelText, runModelTurn } from '../model-turn.ts';

const length = 'The pier of Brenna is 340 metres long.';
const closing = 'The pier is closed to lorries above 7.5 tonnes, and it carries 1,240 visitors a day.';
const passages = [
  { id: 'c1', documentId: 'doc-1', title: 'Pier of Brenna', text: length, score: 5 },
  { id: 'c2', documentId: 'doc-2', title: 'Traffic', text: closing, score: 3 },
];
const question = 'How long is the pier of Brenna?';
/** Two claims that hold and one that does not. */
const written = modelText([
  [length, [1, length]],
  ['It carries 1,420 visitors a day.', [2, closing]],
  ['It carries 1,240 visitors a day.', [2, closing]],
]);
const honest = JSON.stringify({ verdicts: [{ id: 1, verdict: 'supported', reason: 'as written' }] });

function judgeOf({ reply }: HostileBehaviour, seed: number): LanguageModel & { readonly calls: () => number } {
  const random = seededRandom(seed);
  let index = 0;
  return {
    ...createScriptedModel([]),
    calls: () => index,
    async generate(request, { deadline }) {
      const prompt = request.messages.map(({ content }) => content).join('\n');
      const sent = reply({ index, prompt, honest, random });
      index += 1;
      // Never answers, and heeds nobody.
      if (sent.hangAfter !== undefined || sent.betweenMs !== undefined) return new Promise(() => undefined);
      deadline.check();
      if (sent.cutAfter !== undefined) throw new FootnoteError('upstream-invalid', 'The answer broke off.');
      const text = (sent.text ?? '').slice(0, request.maxOutputTokens * 6);
      const stopped: Finish =
        sent.refusal !== undefined
          ? 'refusal'
          : sent.stop === 'length' || sent.stop === 'content-filter'
            ? sent.stop
            : sent.toolCalls
              ? 'tool-calls'
              : 'stop';
      return {
        text,
        finish: text.length < (sent.text ?? '').length ? 'length' : stopped,
        usage: { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0, isEstimated: true },
        model: 'test:hostile',
        attempts: [],
      };
    },
  };
}

async function run(judge?: LanguageModel, timeoutMs = 20_000) {
  const repair = { reply: '{"claims": [], "insufficient": true}' };
  const result = await runModelTurn({
    question,
    passages,
    model: createScriptedModel([{ reply: written }, repair, repair]),
    search: () => [],
    deadline: createDeadline(timeoutMs),
    ...(judge && { options: { judge: createModelJudge({ model: judge }) } }),
  });
  expect(await faultsOf(result)).toEqual([]);
  const verdicts = result.events.flatMap((event) => (event.type === 'verdict' ? [event] : []));
  return { ...result.answer, verdicts };
}

const seedsOf = ({ isEndless }: HostileBehaviour): readonly number[] => (isEndless ? [1] : [1, 2, 3, 4]);

describe('hostile models as judges', () => {
  it.each(hostileBehaviours.map((behaviour) => [behaviour.name, behaviour] as const))('%s', async (_, behaviour) => {
    const without = (await run()).claims.map(({ text }) => text);
    expect(without).toHaveLength(2);
    for (const seed of seedsOf(behaviour)) {
      const judge = judgeOf(behaviour, seed);
      const { claims, degraded, verdicts } = await run(judge, behaviour.isEndless ? 3_000 : 20_000);
      const shown = claims.map(({ text }) => text);
      // What was dropped may leave room for the document's own sentence.
      for (const text of shown) expect([...without, closing]).toContain(text);
      const isDisclosed = degraded.some(({ component }) => component === 'judge');
      const reasonsOf = (text: string): string =>
        verdicts.flatMap(({ claim, reasons }) => (claim === text ? reasons : [])).join('\n');
      for (const text of shown) if (!/^judged-supported/mu.test(reasonsOf(text))) expect(isDisclosed, text).toBe(true);
      for (const text of without) if (!shown.includes(text)) expect(reasonsOf(text)).toMatch(/^judged-unsupported/mu);
      expect(degraded.filter(({ component }) => component === 'judge').length).toBeLessThanOrEqual(1);
      if (behaviour.isHonest && !isDisclosed) expect(shown).toEqual(without);
      expect(judge.calls()).toBeLessThanOrEqual(12);
    }
  });
});
