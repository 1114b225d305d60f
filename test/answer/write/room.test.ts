import { describe, expect, it } from 'vitest';
import { FootnoteError } from '../../../src/core/errors.ts';
import type { GenerateRequest } from '../../../src/models/language/generation.ts';
import { countPromptTokens } from '../../../src/models/language/model-usage.ts';
import { createScriptedModel, type ScriptedStep } from '../../../src/models/language/scripted-model.ts';
import { tokenizerOf } from '../../../src/models/language/tokenizer-of.ts';
import { countTokens } from '../../../src/text/tokens/tokens.ts';
import { faultsOf, modelText, runModelTurn } from '../model-turn.ts';

const question = 'How long is the pier of Brenna?';
const english = Array.from({ length: 30 }, (_, at) => ({
  id: `m${at}`,
  text: `Pier ${at} of Brenna is ${at + 100} metres long. ${`Much is told of it in volume ${at}. `.repeat(7)}`,
  score: 30 - at,
}));
const arabic = english.map(({ id, score }, at) => ({
  id,
  score,
  text: `رصيف برينا رقم ${at} طويل، ${'يروى عنه الكثير في الكتاب '.repeat(20)}وطوله ${at + 100} مترا.`,
}));
const insufficient = '{"claims": [], "insufficient": true}';
const tooLarge = (details: Record<string, unknown>): ScriptedStep => ({
  reply: { error: new FootnoteError('too-large', 'The text is longer than the model reads.', { details }) },
});
const passagesIn = ({ messages }: GenerateRequest): number =>
  messages.at(-1)?.content.match(/<passage /gu)?.length ?? 0;

describe('a prompt', () => {
  for (const [language, passages] of [
    ['English', english],
    ['Arabic', arabic],
  ] as const)
    it.each([3_600, 6_000, 12_000])(
      `leaves room for the answer in a window of %i tokens (${language})`,
      async (contextTokens) => {
        const model = createScriptedModel([{ reply: insufficient }], { id: 'qwen3:8b', contextTokens });
        await runModelTurn({ question, passages, model, contextTokens: 50_000 });
        const [request] = model.requests;
        if (!request) throw new Error('The model was not asked.');
        const { count, margin } = await tokenizerOf('scripted', 'qwen3:8b');
        const text = request.messages.map(({ content }) => content).join('\n');
        expect(passagesIn(request)).toBeGreaterThan(0);
        expect(countPromptTokens(request, count) * margin(text) + request.maxOutputTokens).toBeLessThanOrEqual(
          contextTokens,
        );
      },
    );

  it('is fuller where the tokenizer is known', async () => {
    const shown = async (id: string): Promise<number> => {
      const model = createScriptedModel([{ reply: insufficient }], { id, contextTokens: 4_000 });
      await runModelTurn({ question, passages: english, model, contextTokens: 50_000 });
      return countTokens(model.requests[0]?.messages.at(-1)?.content ?? '');
    };
    expect(await shown('gpt-4o')).toBeGreaterThan(1.3 * (await shown('qwen3:8b')));
  });

  it('is shorter once the provider reported more tokens than were counted', async () => {
    const reply = { text: insufficient, usage: { inputTokens: 12_000, isEstimated: false } };
    const model = createScriptedModel([{ reply }, { reply: insufficient }], { contextTokens: 8_000 });
    for (let turn = 0; turn < 2; turn += 1)
      await runModelTurn({ question, passages: english, model, contextTokens: 50_000 });
    const [first, second] = model.requests.map(({ messages }) => countTokens(messages.at(-1)?.content ?? ''));
    expect(second).toBeLessThan(0.8 * (first ?? 0));
    expect(second).toBeGreaterThan(200);
  });
});

describe('a refusal for length', () => {
  const sentence = 'Pier 0 of Brenna is 100 metres long.';
  const answer: ScriptedStep = { reply: modelText([[sentence, [1, sentence]]]) };

  it('is answered once with as much less as the provider said, and told', async () => {
    const model = createScriptedModel([tooLarge({ limitTokens: 8_000, askedTokens: 8_600 }), answer]);
    const result = await runModelTurn({ question, passages: english, model, contextTokens: 2_000 });
    expect(await faultsOf(result)).toEqual([]);
    model.assertFinished();
    const [first = 0, second = 0] = model.requests.map(({ messages }) => countTokens(messages.at(-1)?.content ?? ''));
    expect(first - second).toBeGreaterThanOrEqual(600);
    expect(first - second).toBeLessThan(1_000);
    expect(result.answer.claims.map(({ text }) => text)).toEqual([sentence]);
    expect(result.answer.degraded).toMatchObject([{ component: 'answer-model', code: 'context-shrunk' }]);
    expect(result.events.filter(({ type }) => type === 'degraded').length).toBe(1);
  });

  it('halves the passages where it names no size', async () => {
    const model = createScriptedModel([tooLarge({}), answer]);
    await runModelTurn({ question, passages: english, model, contextTokens: 2_000 });
    const [first = 0, second = 0] = model.requests.map(passagesIn);
    expect(second).toBeLessThan(first);
    expect(second).toBeGreaterThan(0);
  });

  it('is not tried a third time: passages of the documents stand', async () => {
    const model = createScriptedModel([tooLarge({}), tooLarge({})]);
    const result = await runModelTurn({ question, passages: english, model, contextTokens: 2_000 });
    expect(await faultsOf(result)).toEqual([]);
    model.assertFinished();
    expect(result.answer.degraded.map(({ code }) => code)).toEqual(['context-shrunk', 'too-large']);
  });

  it('is remembered: the next question fits at once', async () => {
    const model = createScriptedModel([
      tooLarge({ limitTokens: 3_600, askedTokens: 3_700 }),
      answer,
      { reply: insufficient },
    ]);
    for (let turn = 0; turn < 2; turn += 1)
      await runModelTurn({ question, passages: english, model, contextTokens: 50_000 });
    const { count, margin } = await tokenizerOf('scripted', 'script');
    const last = model.requests[2] as GenerateRequest;
    expect(countPromptTokens(last, count) * margin('') + last.maxOutputTokens).toBeLessThanOrEqual(3_600);
  });
});

describe('a sentence that stands for a chunk', () => {
  it('is cited as a span of the document where the model quotes it', async () => {
    const sentence = 'In volume 9 the pier of Brenna is 340 metres long.';
    const filler = (at: number): string =>
      `Matters of the harbour of year ${1800 + at} are told in this place. `.repeat(12);
    const passages = Array.from({ length: 10 }, (_, at) => ({
      id: `v${at}`,
      title: `Volume ${at}`,
      text: `${filler(at)}${at === 9 ? `${sentence} ` : `Volume ${at} tells of the pier. `}${filler(at + 20)}`,
      start: 5_000,
      score: 20 - at,
    }));
    let id = 0;
    const reply = ({ messages }: GenerateRequest): string => {
      const prompt = messages.at(-1)?.content ?? '';
      const found = /<passage id="(\d+)"[^\n]*part="one sentence">\n\| In volume 9 [^\n]*\n<\/passage>/u.exec(prompt);
      id = Number(found?.[1] ?? 0);
      return modelText([[sentence, [id, sentence]]]);
    };
    const model = createScriptedModel([{ reply }]);
    const result = await runModelTurn({ question, passages, model, contextTokens: 1_100 });
    expect(id).toBeGreaterThan(0);
    expect(await faultsOf(result)).toEqual([]);
    const start = 5_000 + (passages[9]?.text.indexOf(sentence) ?? 0);
    expect(result.answer.citations).toMatchObject([
      { chunkId: 'v9', start, end: start + sentence.length, quote: sentence },
    ]);
  });
});

describe('a model of whose words nothing holds', () => {
  it('is followed no further than its quotes, which stand in the place of its claims', async () => {
    const passages = [
      { id: 'a', text: 'The pier of Brenna is 340 metres long. It was built of larch.', score: 3 },
      { id: 'b', text: 'Visitors praise the view that the pier of Brenna offers at dusk.', score: 2 },
    ];
    const plain = await runModelTurn({ question, passages, model: createScriptedModel([{ reply: insufficient }]) });
    expect(plain.answer.answer).toContain('340 metres');
    const view = 'Visitors praise the view that the pier of Brenna offers at dusk.';
    const model = createScriptedModel([
      {
        reply: modelText([
          ['Dusk at the pier of Brenna is lovely according to long queues of happy guests.', [2, view]],
          ['The pier of Brenna is 390 metres long.', [1, 'The pier of Brenna is 390 metres long.']],
        ]),
      },
      { reply: insufficient },
      { reply: insufficient },
    ]);
    const result = await runModelTurn({ question, passages, model });
    expect(await faultsOf(result)).toEqual([]);
    expect(result.answer.claims.map(({ text }) => text)).toEqual([view]);
    // Sure of what the model gave, not of what stands beside it.
    expect(result.answer.confidence).toBeLessThan(0.7);
    expect(result.answer.answer).not.toContain('390');
    const texts = result.answer.claims.map(({ text }) => text);
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.length).toBeLessThanOrEqual(3);
    expect(result.answer.degraded.map(({ code }) => code)).toContain('claims-unsupported');
  });
});
