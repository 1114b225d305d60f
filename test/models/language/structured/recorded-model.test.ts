// Every prompt, its parameters and all that came back, of calls that were whole, streamed, repaired, refused, and left.

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createDeadline } from '../../../../src/core/deadline.ts';
import { FootnoteError } from '../../../../src/core/errors.ts';
import type { FootnoteEvent, PortCall } from '../../../../src/core/events.ts';
import { recordedModel } from '../../../../src/models/language/recorded-model.ts';
import { createScriptedModel, type ScriptedStep } from '../../../../src/models/language/scripted-model.ts';
import { streamStructured } from '../../../../src/models/language/structured/stream.ts';
import { generateStructured } from '../../../../src/models/language/structured/structured.ts';
import { createModelBudget } from '../../../../src/models/money/model-budget.ts';
import { createLanguageReranker } from '../../../../src/models/rerank/rerank-by-language-model.ts';
import { callContext } from '../../../../testkit/request-context.ts';

const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Where is Brenna?' },
] as const;
const request = { messages, maxOutputTokens: 50, temperature: 0.5 };
const options = () => ({ deadline: createDeadline(10_000), budget: createModelBudget({}, { name: 'test' }) });

function recorded(steps: readonly ScriptedStep[]) {
  const events: FootnoteEvent[] = [];
  const model = recordedModel(
    createScriptedModel(steps),
    { port: 'judge.model', prompt: 'judge@1' },
    callContext({ sink: (event) => events.push(event) }),
  );
  const calls = (): PortCall[] => events.flatMap((event) => (event.type === 'call' ? [event.call] : []));
  return { model, calls };
}

describe('recordedModel', () => {
  it('keeps system, user, model, parameters, answer, tokens and time of a whole call', async () => {
    const { model, calls } = recorded([
      { reply: { text: 'By the sea.', usage: { inputTokens: 12, outputTokens: 4 } } },
    ]);
    const result = await model.generate(request, options());
    expect(result.text).toBe('By the sea.');
    expect(calls()).toEqual([
      {
        port: 'judge.model',
        method: 'judge@1',
        request: { model: 'scripted:script', messages, maxOutputTokens: 50, temperature: 0.5 },
        response: result,
        latencyMs: expect.any(Number),
      },
    ]);
    expect(calls()[0]?.response).toMatchObject({ usage: { inputTokens: 12, outputTokens: 4 }, finish: 'stop' });
    expect(JSON.stringify(calls())).not.toContain('deadline');
  });

  it('keeps the same of a stream, once it is over', async () => {
    const { model, calls } = recorded([{ reply: 'By the sea, in the north.' }]);
    for await (const part of model.stream(request, options())) if (part.type === 'delta') expect(calls()).toEqual([]);
    expect(calls()).toMatchObject([
      { request: { messages, temperature: 0.5 }, response: { text: 'By the sea, in the north.', finish: 'stop' } },
    ]);
  });

  it('keeps what a broken stream had said, and why it broke', async () => {
    const error = new FootnoteError('upstream-unavailable', 'It broke off.');
    const { model, calls } = recorded([{ reply: { deltas: ['By the'], error } }, { reply: { error } }]);
    await expect(Array.fromAsync(model.stream(request, options()))).rejects.toBe(error);
    await expect(model.generate(request, options())).rejects.toBe(error);
    const told = { code: 'upstream-unavailable', message: 'It broke off.' };
    expect(calls()).toMatchObject([{ response: { text: 'By the' }, error: told }, { error: told }]);
    expect(calls()[1]).not.toHaveProperty('response');
  });

  it('keeps both prompts of an answer that was repaired', async () => {
    const { model, calls } = recorded([{ reply: '{"place": 7}' }, { reply: '{"place": "sea"}' }]);
    const schema = z.strictObject({ place: z.string() });
    const asked = await generateStructured(model, { name: 'place', schema, messages, maxOutputTokens: 50 }, options());
    expect(asked).toMatchObject({ ok: true, wasRepaired: true });
    const [first, second] = calls().map((call) => call.request as { messages: readonly object[]; json: object });
    expect(first?.messages).toHaveLength(2);
    expect(second?.messages.slice(2)).toMatchObject([
      { role: 'assistant', content: '{"place": 7}' },
      { role: 'user', content: expect.stringContaining('place') },
    ]);
    expect(first?.json).toMatchObject({ name: 'place', schema: { type: 'object' } });
  });

  it('keeps a stream that its reader left, before the reader goes on', async () => {
    const { model, calls } = recorded([{ reply: '{"places": ["sea", "pier", "hill"]}' }]);
    const itemSchema = z.string();
    const schema = z.strictObject({ places: z.array(itemSchema) });
    const asked = { name: 'places', list: 'places', schema, itemSchema, messages, maxOutputTokens: 50 };
    for await (const part of streamStructured(model, asked, options())) if (part.type === 'item') break;
    expect(calls()).toHaveLength(1);
    expect(calls()[0]?.response).toHaveProperty('text', expect.stringContaining('"sea"'));
  });

  it('reports a call that does not heed its end in the moment it is ended', async () => {
    const events: FootnoteEvent[] = [];
    const deaf = { ...createScriptedModel([]), generate: () => new Promise<never>(() => undefined) };
    const model = recordedModel(
      deaf,
      { port: 'p', prompt: 'x@1' },
      callContext({ sink: (event) => events.push(event) }),
    );
    const ending = new AbortController();
    void model.generate(request, { ...options(), signal: ending.signal });
    ending.abort(new DOMException('late', 'TimeoutError'));
    expect(events).toMatchObject([{ call: { request: { messages }, error: { code: 'deadline-exceeded' } } }]);
  });

  it('keeps the prompts of a reranker, where its caller has a trace', async () => {
    const events: FootnoteEvent[] = [];
    const grades = '{"grades": [{"id": 1, "grade": 1}, {"id": 2, "grade": 3}]}';
    const reranker = createLanguageReranker(
      createScriptedModel([{ reply: 'No.' }, { reply: grades }, { reply: grades }]),
    );
    const asked = { query: 'Where is Brenna?', texts: ['By a hill.', 'Brenna is by the sea.'] };
    const context = callContext({ sink: (event) => events.push(event) });
    await reranker.rerank(asked, { ...options(), recorded: (model, as) => recordedModel(model, as, context) });
    const prompts = events.map((event) => JSON.stringify(event.type === 'call' && event.call.request));
    expect(prompts).toHaveLength(2);
    expect(prompts[0]).toContain('Brenna is by the sea.');
    expect(prompts[1]).toContain('Your answer was not one JSON value.');
    await reranker.rerank(asked, options());
    expect(events).toHaveLength(2);
  });
});
