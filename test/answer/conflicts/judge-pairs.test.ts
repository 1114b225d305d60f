// A model that judges conflicts: what it may add and what it may not, with honest, broken, hostile and obedient ones in its seat.
import { describe, expect, it } from 'vitest';
import { findConflicts } from '../../../src/answer/conflicts/find-conflicts.ts';
import { createConflictJudge } from '../../../src/answer/conflicts/judge-pairs.ts';
import { createDeadline } from '../../../src/core/deadline.ts';
import type { FootnoteEvent } from '../../../src/core/events.ts';
import type { LanguageModel } from '../../../src/models/language/language-model.ts';
import { createScriptedModel, type ScriptedStep } from '../../../src/models/language/scripted-model.ts';
import { claimOn } from '../../../testkit/claims-on.ts';
import { evidenceOf } from '../../../testkit/evidence-of.ts';
import { hostileBehaviours, seededRandom } from '../../../testkit/models/hostile-gallery.ts';
import { callContext } from '../../../testkit/request-context.ts';

const text = 'Caching lowers the latency of the gateway under load.';
const against = 'Under load the gateway shows higher latency once caching is on.';
const beside = 'Latency of the gateway is measured under load, with caching and without.';
const waits = (seconds: number): string => `The gateway waits ${seconds} seconds for a reply of the store.`;
const home = evidenceOf({ id: 'home', text: `Of gateways. ${text} ${waits(30)}`, title: 'Gateways' });
const evidence = [
  home,
  evidenceOf({ id: 'other', text: against, title: 'Field notes' }),
  evidenceOf({ id: 'beside', text: beside }),
  evidenceOf({ id: 'waits', text: waits(45) }),
];
const claims = [claimOn(home, text), claimOn(home, waits(30))];
const ruled = findConflicts(claims, evidence);
const said = (...verdicts: readonly (readonly [number, string])[]): string =>
  JSON.stringify({ verdicts: verdicts.map(([id, verdict]) => ({ id, verdict })) });

async function judged(model: LanguageModel, { shareMs = 5_000, timeoutMs = 60_000 } = {}) {
  const events: FootnoteEvent[] = [];
  const call = callContext({ sink: (event) => events.push(event), deadline: createDeadline(timeoutMs) });
  const result = await createConflictJudge({ model, shareMs })(claims, evidence, { ...call, ruled });
  return { ...result, events };
}

describe('a judge of conflicts', () => {
  it('adds a conflict of its own kind, in the words of the documents, in one call of the trace that shows no conflict of rules', async () => {
    expect(ruled.map(({ kind }) => kind)).toEqual(['number']);
    const model = createScriptedModel([{ reply: said([1, 'contradict'], [2, 'agree']) }]);
    const { found, degraded, events } = await judged(model);
    expect(found).toMatchObject([
      { kind: 'judged', judgedBy: 'scripted:script', positions: [{ statement: text }, { statement: against }] },
    ]);
    expect(degraded).toBeUndefined();
    expect(events).toMatchObject([{ type: 'call', call: { port: 'answer.conflicts', method: 'judge-conflicts@1' } }]);
    const prompt = model.requests[0]?.messages.map(({ content }) => content).join('\n') ?? '';
    expect(prompt).toContain(`<passage pair="1" side="A" part="sentence">\n| ${text}\n</passage>`);
    expect(prompt).toContain('side="B" part="title">\n| Field notes');
    expect(prompt).not.toContain('45 seconds');
  });

  it('adds nothing where pairs agree or are unrelated', async () => {
    const { found, degraded } = await judged(createScriptedModel([{ reply: said([1, 'unrelated'], [2, 'agree']) }]));
    expect([found, degraded]).toEqual([[], undefined]);
  });

  it('is not asked where there is no pair', async () => {
    const model = createScriptedModel([]);
    const judge = createConflictJudge({ model });
    expect(await judge(claims, [home], { ...callContext(), ruled: [] })).toEqual({ found: [] });
  });

  it('tells pairs without a verdict or with two that differ; ids that were not asked count for nothing', async () => {
    const steps: ScriptedStep[] = [
      { reply: said([1, 'contradict'], [1, 'agree'], [7, 'contradict'], [0, 'contradict']) },
    ];
    const { found, degraded } = await judged(createScriptedModel(steps));
    expect(found).toEqual([]);
    expect(degraded).toMatchObject({ component: 'conflict-judge', code: 'judge-unclear' });
    expect(degraded?.detail).toContain('2 pairs of sentences were not judged');
  });

  it.each([
    ['garbage', [{ reply: 'They do.' }, { reply: '[]' }], 'model-wrong-shape'],
    ['another verdict', [{ reply: said([1, 'delete']) }, { reply: said([1, 'delete']) }], 'model-wrong-shape'],
    [
      'more than was asked for',
      [{ reply: '{"verdicts": [], "claims": []}' }, { reply: '{"claims": []}' }],
      'model-wrong-shape',
    ],
    ['a refusal', [{ reply: { text: 'I will not.', finish: 'refusal' } }], 'model-refused'],
  ] as const)('%s leaves what rules found and is told', async (_, steps, code) => {
    const { found, degraded } = await judged(createScriptedModel([...steps]));
    expect(found).toEqual([]);
    expect(degraded).toMatchObject({ component: 'conflict-judge', code });
  });

  it('a silent one ends with its share of the time, and with the request', async () => {
    const silent: LanguageModel = { ...createScriptedModel([]), generate: () => new Promise(() => undefined) };
    const { found, degraded } = await judged(silent, { shareMs: 30 });
    expect([found, degraded?.code]).toEqual([[], 'deadline-exceeded']);
    const leaving = new AbortController();
    const call = callContext({ deadline: createDeadline(60_000, leaving.signal) });
    const asked = createConflictJudge({ model: silent })(claims, evidence, { ...call, ruled });
    leaving.abort();
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('hostile models as judges of conflicts', () => {
  const honest = said([1, 'contradict'], [2, 'contradict']);
  const sentences = new Set([text, against, beside]);
  it.each(hostileBehaviours.map((behaviour) => [behaviour.name, behaviour] as const))(
    'add at most conflicts between sentences that were handed over: %s',
    async (_, { reply, isEndless }) => {
      for (const seed of [1, 2, 3]) {
        const random = seededRandom(seed);
        let index = 0;
        const model: LanguageModel = {
          ...createScriptedModel([]),
          async generate({ messages }) {
            const sent = reply({ index, prompt: messages.map(({ content }) => content).join('\n'), honest, random });
            index += 1;
            if (sent.hangAfter !== undefined || sent.betweenMs !== undefined) return new Promise(() => undefined);
            return {
              text: sent.text ?? '',
              finish: sent.refusal === undefined ? 'stop' : 'refusal',
              usage: { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0, isEstimated: true },
              model: 'test:hostile',
              attempts: [],
            };
          },
        };
        const { found, degraded } = await judged(model, { shareMs: isEndless ? 50 : 5_000 });
        for (const { kind, judgedBy, about, positions } of found) {
          expect([kind, judgedBy]).toEqual(['judged', 'test:hostile']);
          expect(text).toContain(about.split(' ')[0]);
          for (const { statement } of positions) expect(sentences.has(statement)).toBe(true);
        }
        if (degraded) expect(degraded.component).toBe('conflict-judge');
        expect(index).toBeLessThanOrEqual(2);
      }
    },
  );
});
