// Items of a structured answer as they are written: whole, once, in order, never taken back, and never more than the final value has.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createDeadline } from '../../../../src/core/deadline.ts';
import type { LanguageModel } from '../../../../src/models/language/language-model.ts';
import { createScriptedModel, type ScriptedReply } from '../../../../src/models/language/scripted-model.ts';
import { createItemReader } from '../../../../src/models/language/structured/items.ts';
import { type StructuredPart, streamStructured } from '../../../../src/models/language/structured/stream.ts';
import { hostileBehaviours, seededRandom } from '../../../../testkit/models/hostile-gallery.ts';
import { openFakeProvider } from '../../../fakes/fake-provider.ts';

const itemSchema = z.strictObject({ text: z.string().min(1), ids: z.array(z.int()).min(1) });
const schema = z.strictObject({ note: z.string().optional(), claims: z.array(itemSchema).max(5) });
type Item = z.output<typeof itemSchema>;
type Part = StructuredPart<Item, z.output<typeof schema>>;
const claims: Item[] = [
  { text: 'The tower {is} "330" metres tall.', ids: [1] },
  { text: 'It was built in 1889]}, they say \\ wrote.', ids: [2, 3] },
];
const honest = JSON.stringify({ note: 'claims: [{', claims });
const request = {
  name: 'claims',
  schema,
  itemSchema,
  list: 'claims',
  maxOutputTokens: 400,
  messages: [{ role: 'user' as const, content: 'How tall is the tower?' }],
};
async function collect(
  model: LanguageModel,
  timeoutMs = 10_000,
): Promise<{ items: Item[]; end: Part | undefined; kinds: string }> {
  const items: Item[] = [];
  let end: Part | undefined;
  let kinds = '';
  for await (const part of streamStructured(model, request, { deadline: createDeadline(timeoutMs) })) {
    kinds += part.type[0];
    if (part.type === 'item') items.push(part.item);
    else end = part;
  }
  return { items, end, kinds };
}
const scripted = (...replies: readonly (string | ScriptedReply)[]) =>
  createScriptedModel(replies.map((reply) => ({ reply })));

describe('createItemReader', () => {
  it('gives the items of any JSON, cut anywhere, as JSON.parse has them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), { maxLength: 5 }),
        fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 3 }),
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom(undefined, 1),
        (list, others, size, indent) => {
          const { list: _, ...before } = others;
          const text = JSON.stringify({ ...before, list }, null, indent);
          const reader = createItemReader('list');
          const items: unknown[] = [];
          for (let start = 0; start < text.length; start += size)
            items.push(...reader.push(text.slice(start, start + size)));
          expect(items).toEqual(JSON.parse(JSON.stringify(list)));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('gives an item with its last bracket, and nothing of what comes later or elsewhere', () => {
    const reader = createItemReader('claims');
    expect(reader.push('```json\n{"other":[{"a":1}],"claims" : [ {"a":')).toEqual([]);
    expect(reader.push('"}"}')).toEqual([{ a: '}' }]);
    expect(reader.push(', {"b":[{"claims":[{}]}]}] }')).toEqual([{ b: [{ claims: [{}] }] }]);
    expect(reader.push('{"claims":[{"c":1}]}')).toEqual([]);
    expect(createItemReader('claims').push('<think>{"claims":[{"a":1}]}</think>')).toEqual([]);
    expect(createItemReader('claims').push('{"claims":[{"a":1]}')).toEqual([]);
  });
});

describe('streamStructured', () => {
  it('gives each claim before the end, then the whole', async () => {
    const { items, end, kinds } = await collect(scripted(honest));
    expect(items).toEqual(claims);
    expect(kinds).toBe('iie');
    expect(end).toMatchObject({ outcome: { ok: true, value: { claims }, wasRepaired: false } });
  });

  it('gives the first claim while the second is being written', async () => {
    const provider = await openFakeProvider('openai', [{ text: honest, hangAfter: 20, pieceCharacters: 8 }]);
    for await (const part of streamStructured(provider.model, request, { deadline: createDeadline(10_000) })) {
      expect(part).toEqual({ type: 'item', item: claims[0] });
      break;
    }
    await provider.server.whenLeft(1);
    await provider.close();
  });

  it('gives claims after thoughts once the whole is known', async () => {
    const wrong = '{"claims":[{"text":"No.","ids":[9]}]}';
    const { items, end } = await collect(scripted(`<think>${wrong}</think>${honest}`));
    expect(items).toEqual(claims);
    expect(end).toMatchObject({ outcome: { ok: true } });
  });

  it('repairs once, but not behind what was shown', async () => {
    const repaired = scripted('{"claims":[{"text":""}]}', honest);
    expect(await collect(repaired)).toMatchObject({ items: claims, end: { outcome: { ok: true, wasRepaired: true } } });
    repaired.assertFinished();
    const shown = scripted(`{"claims":[${JSON.stringify(claims[0])},{"text":""}]}`);
    expect(await collect(shown)).toMatchObject({
      items: [claims[0]],
      end: { outcome: { ok: false, failure: { reason: 'wrong-shape' } } },
    });
    shown.assertFinished();
    const gap = scripted(`{"claims":[${JSON.stringify(claims[0])},{"text":""},${JSON.stringify(claims[1])}]}`);
    expect((await collect(gap)).items).toEqual([claims[0]]);
  });

  it('asks the next of a list where the answer is of no use, but not behind what was shown', async () => {
    const told: string[] = [];
    const list = (...models: readonly LanguageModel[]): LanguageModel => ({
      ...(models[0] as LanguageModel),
      after: () => (models.length > 1 ? list(...models.slice(1)) : undefined),
    });
    const answerOf = async (...models: readonly LanguageModel[]) => {
      told.length = 0;
      const items: Item[] = [];
      let end: Part | undefined;
      const asked = { ...request, gaveWay: ({ code }: { readonly code: string }) => void told.push(code) };
      for await (const part of streamStructured(list(...models), asked, { deadline: createDeadline(10_000) }))
        if (part.type === 'item') items.push(part.item);
        else end = part;
      if (end?.type !== 'end') throw new Error('it had no end');
      return { items, outcome: end.outcome };
    };
    const useless: readonly (readonly [string | ScriptedReply, string])[] = [
      ['The tower is tall.', 'model-not-json'],
      ['{"claims":[{"text":""}]}', 'model-wrong-shape'],
      [honest.slice(0, 40), 'model-cut'],
      ['', 'model-empty'],
      [{ text: '', finish: 'refusal' }, 'model-refused'],
      [{ text: '', finish: 'content-filter' }, 'model-filtered'],
    ];
    for (const [reply, code] of useless) {
      const { items, outcome } = await answerOf(scripted(reply), scripted(honest));
      expect(items).toEqual(claims);
      expect(told).toEqual([code]);
      expect(outcome.attempts.map((attempt) => attempt.code)).toEqual([code, undefined]);
    }
    // The last one sees its mistake once.
    const last = scripted('Tall.', honest);
    expect((await answerOf(scripted('It is tall.'), last)).items).toEqual(claims);
    last.assertFinished();
    const shown = await answerOf(scripted(`{"claims":[${JSON.stringify(claims[0])},{"text":""}]}`), scripted());
    expect([shown.items, told]).toEqual([[claims[0]], []]);
  });

  it('fails when a second answer takes back what was shown', async () => {
    const longer = JSON.stringify({ claims: [{ text: 'x'.repeat(500), ids: [1] }] });
    const { items, end } = await collect(scripted(`${honest} ${longer}`));
    expect(items).toEqual(claims);
    expect(end).toMatchObject({ outcome: { ok: false, failure: { reason: 'wrong-shape' } } });
  });

  it.each(hostileBehaviours.filter(({ isEndless }) => !isEndless))('survives $name', async ({ reply, isHonest }) => {
    const random = seededRandom(7);
    const provider = await openFakeProvider('openai', ({ body }, index) =>
      reply({ index, honest, random, prompt: JSON.stringify(body) }),
    );
    const { items, end, kinds } = await collect(provider.model);
    expect(kinds).toMatch(/^i*e$/);
    if (end?.type !== 'end') throw new Error('it had no end');
    if (end.outcome.ok) expect(items).toEqual(end.outcome.value.claims);
    if (isHonest) expect(items).toEqual(claims);
    await provider.close();
  });
});
