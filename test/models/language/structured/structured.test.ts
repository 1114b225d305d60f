// Structured output: what passes, what is repaired once, and how the rest fails, by a scripted model and by the gallery of hostile
// ones through the real adapters.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createDeadline } from '../../../../src/core/deadline.ts';
import { FootnoteError, isFootnoteError } from '../../../../src/core/errors.ts';
import type { CallOptions } from '../../../../src/models/language/call-options.ts';
import { createScriptedModel, type ScriptedStep } from '../../../../src/models/language/scripted-model.ts';
import { findJson } from '../../../../src/models/language/structured/json.ts';
import { generateStructured, toDegradation } from '../../../../src/models/language/structured/structured.ts';
import { hostileBehaviours, seededRandom } from '../../../../testkit/models/hostile-gallery.ts';
import { openFakeProvider } from '../../../fakes/fake-provider.ts';

const schema = z.strictObject({
  claims: z.array(z.strictObject({ text: z.string().min(1), ids: z.array(z.int().min(1).max(5)).min(1) })).max(5),
});
const good = { claims: [{ text: 'The tower is 330 metres tall and was built in 1889 for the fair.', ids: [2] }] };
const honest = JSON.stringify(good);
const request = {
  name: 'claims',
  schema,
  maxOutputTokens: 400,
  messages: [
    { role: 'system' as const, content: 'Answer by claims. SECRET-INSTRUCTION.' },
    { role: 'user' as const, content: 'How tall is the tower?' },
  ],
};
const within = (timeoutMs = 10_000): CallOptions => ({ deadline: createDeadline(timeoutMs) });
async function ask(
  steps: readonly (ScriptedStep | string)[],
  more: Partial<typeof request> & {
    language?: { code: string; textOf: (value: z.output<typeof schema>) => string };
  } = {},
) {
  const model = createScriptedModel(steps.map((step) => (typeof step === 'string' ? { reply: step } : step)));
  const outcome = await generateStructured(model, { ...request, ...more }, within());
  model.assertFinished();
  return { outcome, requests: model.requests };
}

describe('a value', () => {
  it.each([
    ['bare', honest],
    ['fenced', `\`\`\`json\n${honest}\n\`\`\``],
    ['followed by text', `${honest}\n\nI hope this helps {unless not}.`],
    ['after prose with brackets', `As [1] says:\n${honest}`],
    ['after thoughts', `<think>{"claims":[]}</think>${honest}`],
  ])('%s is read', async (_what, text) => {
    const { outcome, requests } = await ask([text]);
    expect(outcome).toMatchObject({ ok: true, value: good, wasRepaired: false });
    expect(requests[0]?.json).toMatchObject({
      name: 'claims',
      schema: { type: 'object', required: ['claims'], additionalProperties: false },
    });
    expect(requests[0]?.json?.schema).not.toHaveProperty('$schema');
  });

  it.each([
    ['prose', 'The tower is 330 metres tall.', 'was not one JSON value'],
    ['damaged JSON', '{"claims": [}', 'was not one JSON value'],
    ['nothing', '  ', 'was empty'],
    ['half of it', honest.slice(0, 40), 'was cut off'],
    ['another type', '{"claims":[{"text":"a","ids":["1"]}]}', 'claims.0.ids.0'],
    ['a key too many', '{"claims":[],"sure":true}', 'does not meet the schema'],
  ])('is repaired once after %s, which the model is told', async (_what, wrong, told) => {
    const { outcome, requests } = await ask([wrong, { expect: told, reply: honest }]);
    expect(outcome).toMatchObject({ ok: true, value: good, wasRepaired: true, texts: [wrong, honest] });
    expect(requests[1]?.messages.slice(0, 2)).toEqual(request.messages);
    expect(outcome.usage.outputTokens).toBeGreaterThan(15);
  });
});

describe('a failure', () => {
  it.each([
    ['refused', [{ reply: { text: 'I cannot help.', finish: 'refusal' } }]],
    ['filtered', [{ reply: { text: honest, finish: 'content-filter' } }]],
    ['cut', [{ reply: { text: honest.slice(0, 30), finish: 'length' } }, { reply: { text: '', finish: 'length' } }]],
    ['empty', [{ reply: '' }, { reply: '' }]],
    ['not-json', [{ reply: 'No.' }, { reply: 'Never.' }]],
    ['wrong-shape', [{ reply: '[]' }, { reply: '{"claims":7}' }]],
    ['unavailable', [{ reply: { error: new FootnoteError('rate-limited', 'Too many requests.') } }]],
    ['unavailable', [{ reply: { error: new FootnoteError('quota-exceeded', 'No money left.') } }]],
  ] as const)('is typed: %s', async (reason, steps) => {
    const { outcome } = await ask(steps);
    if (outcome.ok) throw new Error('it passed');
    expect(outcome.failure.reason).toBe(reason);
    expect(outcome.failure.detail).not.toContain('Never');
    expect(toDegradation(outcome.failure, 'answer', 'Answered from the documents word by word.')).toMatchObject({
      component: 'answer',
      code: outcome.failure.error?.code ?? `model-${reason}`,
    });
  });

  it('passes through where the request itself has ended', async () => {
    for (const code of ['cancelled', 'deadline-exceeded'] as const)
      await expect(ask([{ reply: { error: new FootnoteError(code, 'Over.') } }])).rejects.toMatchObject({ code });
  });
});

describe('findJson', () => {
  it('takes no part of a cut answer for the answer', () => {
    for (let end = 1; end < honest.length; end++)
      expect(findJson(honest.slice(0, end)), honest.slice(0, end)).toMatchObject({ ok: false });
    expect(findJson(`Here: ${honest.slice(0, -1)}`)).toMatchObject({ ok: false, why: 'cut' });
  });
  it('reads strings with brackets, and bounds depth', () => {
    expect(findJson('x {"a":"}\\"{ ]","b":[{"c":"\\\\"}]} y')).toEqual({
      ok: true,
      value: { a: '}"{ ]', b: [{ c: '\\' }] },
      isBare: false,
    });
    expect(findJson('['.repeat(200_000))).toMatchObject({ ok: false, why: 'too-deep' });
    expect(findJson(`${'['.repeat(60)}${']'.repeat(60)}`).ok).toBe(true);
  });
  it('is linear in text without end', () => {
    const startedAt = process.cpuUsage();
    expect(findJson('["'.repeat(500_000)).ok).toBe(false);
    expect(findJson('{} '.repeat(200_000)).ok).toBe(true);
    expect(process.cpuUsage(startedAt).user).toBeLessThan(2_000_000);
  });
});

describe('scripted model', () => {
  it('fails on a call that is not expected, even if the caller swallows it', async () => {
    const model = createScriptedModel([{ expect: 'the weather', reply: 'Rain.' }]);
    const outcome = generateStructured(model, request, within());
    await expect(outcome).rejects.toMatchObject({ code: 'internal' });
    expect(() => model.assertFinished()).toThrow(/not the one/);
    const short = createScriptedModel([]);
    await short.generate(request, within()).catch(() => undefined);
    expect(() => short.assertFinished()).toThrow(/more than/);
  });
  it('fails with a step left', () => {
    expect(() => createScriptedModel([{ reply: 'a' }, { reply: 'b' }]).assertFinished()).toThrow(/2 of 2 steps/);
  });
});

describe('hostile models', () => {
  const seeds = process.env['FOOTNOTE_TEST_LONG'] === undefined ? 3 : 200;
  const leastBehaviours = 25;

  it('are many, and each has its name', () => {
    expect(new Set(hostileBehaviours.map(({ name }) => name)).size).toBe(hostileBehaviours.length);
    expect(hostileBehaviours.length).toBeGreaterThanOrEqual(leastBehaviours);
  });

  it.each(hostileBehaviours)(
    '$name: $what',
    async ({ reply, isHonest, isEndless }) => {
      for (const name of ['openai', 'compatible', 'anthropic'] as const)
        for (let seed = 0; seed < seeds; seed++) {
          const random = seededRandom(seed);
          const provider = await openFakeProvider(name, ({ body }, index) =>
            reply({ index, honest, random, prompt: JSON.stringify(body) }),
          );
          const timeoutMs = isEndless ? 120 : 600_000;
          const startedAt = performance.now();
          const outcome = await generateStructured(provider.model, request, within(timeoutMs)).catch(
            (error: unknown) => error,
          );
          let text = '';
          let ends = 0;
          const streamed = await (async () => {
            for await (const part of provider.model.stream(request, within(timeoutMs)))
              if (part.type === 'delta') text += part.text;
              else {
                ends += 1;
                expect(part.result.text).toBe(text);
              }
          })().catch((error: unknown) => error);
          if (isEndless) expect(performance.now() - startedAt).toBeLessThan(2 * timeoutMs + 60_000);
          expect(provider.server.requests.length).toBeLessThanOrEqual(3);

          if (isFootnoteError(outcome)) expect([outcome.code, isEndless]).toEqual(['deadline-exceeded', true]);
          else if (outcome instanceof Error) throw outcome;
          else if ((outcome as { ok: boolean }).ok)
            expect(schema.safeParse((outcome as { value: unknown }).value).success).toBe(true);
          else expect((outcome as { failure: { detail: string } }).failure.detail).not.toContain('SECRET');
          if (isHonest) expect(outcome).toMatchObject({ ok: true, value: good });
          if (streamed !== undefined) expect(isFootnoteError(streamed)).toBe(true);
          else expect(ends).toBe(1);
          expect(text.length).toBeLessThanOrEqual(request.maxOutputTokens * 12);
          expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
          await provider.close();
        }
    },
    300_000 + seeds * 3000,
  );
});
