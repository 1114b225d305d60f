import { describe, expect, it } from 'vitest';
import type { UndecidedClaim } from '../../../src/answer/claims/draft.ts';
import { createAdmission } from '../../../src/answer/judge/admission.ts';
import { createChanceJudge } from '../../../src/answer/judge/chance-judge.ts';
import { createJudging } from '../../../src/answer/judge/judge-claims.ts';
import { FootnoteError } from '../../../src/core/errors.ts';
import type { FootnoteEvent } from '../../../src/core/events.ts';
import type { LanguageModel } from '../../../src/models/language/language-model.ts';
import { createScriptedModel } from '../../../src/models/language/scripted-model.ts';
import { callContext } from '../../../testkit/request-context.ts';
import { modelText, runModelTurn } from '../model-turn.ts';

const claimOf = (text: string) => ({
  text,
  quotes: [{ title: 'Pier', before: 'Long ago. ', quote: 'The pier is 340 metres long.', after: ' It is closed.' }],
});

function judgeOf(provider: 'gguf' | 'onnx', replies: readonly string[], leastYes?: number) {
  const plain = createScriptedModel(
    replies.map((reply) => ({ reply })),
    { provider },
  );
  const model = { ...plain, ...(leastYes !== undefined && { leastYes }) };
  return { judge: createChanceJudge({ model }), requests: plain.requests };
}

describe('a judge that gives chances', () => {
  it.each([
    ['onnx', '{"contradiction":0.1,"entailment":0.85,"neutral":0.05}', 'supported'],
    ['onnx', '{"contradiction":0.6,"entailment":0.3,"neutral":0.1}', 'unsupported'],
    ['onnx', '{"contradiction":0.1,"entailment":0.6,"neutral":0.3}', 'undecided'],
    ['gguf', '{"Yes":0.91,"No":0.09}', 'supported'],
    ['gguf', '{"Yes":0.02,"No":0.98}', 'undecided'],
    ['gguf', '{}', 'undecided'],
  ] as const)('is heard where it is sure: %s, %s', async (provider, reply, verdict) => {
    const { judge } = judgeOf(provider, [reply], 0.9);
    const { verdicts } = await judge.judge([claimOf('The pier is long.')], { ...callContext(), shareMs: 5_000 });
    expect(verdicts).toMatchObject([{ verdict }]);
  });

  it('asks about one claim at a time, with its quote and what stands around it, and leaves each call in the trace', async () => {
    const events: FootnoteEvent[] = [];
    const { judge, requests } = judgeOf('onnx', ['{"entailment":1}', '{"entailment":0}']);
    const call = { ...callContext({ sink: (event) => events.push(event) }), shareMs: 5_000 };
    const { verdicts } = await judge.judge([claimOf('It is long.'), claimOf('It is short.')], call);
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['supported', 'undecided']);
    expect(requests.map(({ messages }) => messages.map(({ content }) => content))).toEqual([
      ['Pier. Long ago. The pier is 340 metres long. It is closed.', 'It is long.'],
      ['Pier. Long ago. The pier is 340 metres long. It is closed.', 'It is short.'],
    ]);
    const traced = events.flatMap((event) => (event.type === 'call' ? [event.call] : []));
    expect(traced.map(({ port, method }) => [port, method])).toEqual([
      ['answer.judge', 'judge-pair@1'],
      ['answer.judge', 'judge-pair@1'],
    ]);
  });

  it('has nothing to say where no chances come', async () => {
    for (const reply of ['Yes', '{"Yes":"high"}', '[]']) {
      const { judge } = judgeOf('gguf', [reply], 0.5);
      const { verdicts, failure } = await judge.judge([claimOf('x')], { ...callContext(), shareMs: 5_000 });
      expect([verdicts, failure?.code]).toEqual([[], 'upstream-invalid']);
    }
  });

  it('leaves claims as the rules left them where it is not sure, and nothing is told as missing', async () => {
    const { judge } = judgeOf('onnx', ['{"entailment":0.5,"neutral":0.5}', '{"entailment":0.5,"neutral":0.5}']);
    const context = callContext();
    const judging = createJudging({ judge, context });
    const claim = { text: 'The pier is long.', support: 0.6, relevance: 1, spans: [] };
    const undecided: UndecidedClaim = { ...claim, degree: 'reworded' };
    expect((await judging.decide(claim, [])).isRefused).toBe(false);
    const admission = createAdmission({ judge, context });
    expect((await admission.admit(undecided)).kept).toBeUndefined();
    expect([...judging.degraded(), ...admission.degraded()]).toEqual([]);
  });

  it('keeps what it said of claims before a call failed, and fails the others alone', async () => {
    const error = new FootnoteError('upstream-unavailable', 'It died.');
    const model = createScriptedModel([{ reply: '{"entailment":0.9}' }, { reply: { error } }], { provider: 'onnx' });
    const judge = createChanceJudge({ model });
    const admission = createAdmission({ judge, context: callContext() });
    const claim = { support: 0.6, relevance: 1, spans: [], degree: 'reworded' } as const;
    const admitted = await Promise.all(
      ['It is long.', 'It is old.', 'It is wet.'].map((text) => admission.admit({ ...claim, text })),
    );
    expect(admitted.map(({ kept, reasons }) => [kept?.judgedBy, reasons[0]])).toEqual([
      ['onnx:script', 'judged-supported: entailment 0.90'],
      [undefined, 'not-judged: upstream-unavailable'],
      [undefined, 'not-judged: upstream-unavailable'],
    ]);
    expect(admission.degraded()).toMatchObject([{ detail: expect.stringContaining('2 claims were worded') }]);
    expect(model.requests).toHaveLength(2);
  });

  it('of a list has no word where another model served: what counts was measured of the first', async () => {
    const failing = { reply: { error: new FootnoteError('upstream-unavailable', 'It is down.') } };
    const first = createScriptedModel([failing], { id: 'a', provider: 'gguf' });
    const second = createScriptedModel([{ reply: '{"Yes":1,"No":0}' }], { id: 'b', provider: 'gguf' });
    const model: LanguageModel = {
      ...first,
      leastYes: 0.9,
      generate: (request, call) => first.generate(request, call).catch(() => second.generate(request, call)),
    };
    const { verdicts } = await createChanceJudge({ model }).judge([claimOf('It is long.')], {
      ...callContext(),
      shareMs: 5_000,
    });
    expect(verdicts).toEqual([{ verdict: 'undecided', reason: 'gguf:b served' }]);
  });

  it.each(['unlike', 'confirmed'] as const)('of a writer is no judge of what is %s', async (degree) => {
    const { judge, requests } = judgeOf('gguf', ['{"Yes":1,"No":0}'], 0.9);
    const admission = createAdmission({ judge, context: callContext() });
    const claim = { text: 'The pier is long.', support: 0.6, relevance: 1, spans: [] };
    expect(await admission.admit({ ...claim, degree })).toEqual({ reasons: [] });
    expect(requests).toEqual([]);
    expect((await admission.admit({ ...claim, degree: 'reworded' })).kept?.kind).toBe('judged');
  });

  it('of a writer is not asked about a claim that stands: it refuses none', async () => {
    const { judge, requests } = judgeOf('gguf', ['{"Yes":0,"No":1}'], 0.9);
    const text = 'The pier is 340 metres long.';
    const { answer } = await runModelTurn({
      question: 'How long is the pier?',
      passages: [{ id: 'c1', documentId: 'doc-1', title: 'Pier', text, score: 5 }],
      model: createScriptedModel([{ reply: modelText([[text, [1, text]]]) }]),
      options: { judge, admitting: judge },
    });
    expect(answer.claims).toMatchObject([{ text, kind: 'quoted' }]);
    expect(requests).toEqual([]);
  });
});
