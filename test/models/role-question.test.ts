import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createDeadline } from '../../src/core/deadline.ts';
import { FootnoteError } from '../../src/core/errors.ts';
import type { FootnoteEvent } from '../../src/core/events.ts';
import type { CallOptions } from '../../src/models/language/call-options.ts';
import type { LanguageModel } from '../../src/models/language/language-model.ts';
import { createScriptedModel } from '../../src/models/language/scripted-model.ts';
import { createModelBudget } from '../../src/models/money/model-budget.ts';
import { askRole, type RoleCall } from '../../src/models/role-question.ts';
import { callContext } from '../../testkit/request-context.ts';

const question = {
  port: 'answer.judge',
  prompt: 'colour@1',
  messages: [{ role: 'user' as const, content: 'Which colour?' }],
  schema: z.strictObject({ colour: z.enum(['red', 'blue']) }),
  maxOutputTokens: 100,
};

function callOf(call: Partial<RoleCall> = {}) {
  const events: FootnoteEvent[] = [];
  const sink = (event: FootnoteEvent): void => void events.push(event);
  return { events, call: { ...callContext({ sink }), shareMs: 5_000, ...call } };
}
const hanging: LanguageModel = { ...createScriptedModel([]), generate: () => new Promise(() => undefined) };

describe('askRole', () => {
  it('gives the checked value and what it cost; each call is in the trace with prompt and answer', async () => {
    const model = createScriptedModel([{ reply: 'red' }, { reply: '{"colour": "red"}' }]);
    const { events, call } = callOf();
    const asked = await askRole(model, question, call);
    expect(asked).toMatchObject({ ok: true, value: { colour: 'red' } });
    expect(asked.spent.inputTokens).toBeGreaterThan(0);
    expect(model.requests[0]?.json?.name).toBe('colour_1');
    expect(events).toMatchObject([
      { type: 'call', call: { port: 'answer.judge', method: 'colour@1', response: { text: 'red' } } },
      { type: 'call', call: { request: { model: 'scripted:script' }, response: { text: '{"colour": "red"}' } } },
    ]);
  });

  it('hands the budget on', async () => {
    const seen: CallOptions[] = [];
    const model: LanguageModel = {
      ...createScriptedModel([]),
      generate: async (request, options) => {
        seen.push(options);
        return createScriptedModel([{ reply: '{"colour": "blue"}' }]).generate(request, options);
      },
    };
    const budget = createModelBudget({ calls: 1 }, { name: 'this request' });
    await askRole(model, question, { ...callOf().call, budget });
    expect(seen[0]?.budget).toBe(budget);
  });

  it('says as a value what went wrong', async () => {
    const refused = await askRole(createScriptedModel([{ reply: { finish: 'refusal' } }]), question, callOf().call);
    expect(refused).toMatchObject({ ok: false, failure: { code: 'model-refused' } });
    const error = new FootnoteError('quota-exceeded', 'Nothing is left for this request.');
    const { events, call } = callOf();
    const unpaid = await askRole(createScriptedModel([{ reply: { error } }]), question, call);
    expect(unpaid).toMatchObject({
      ok: false,
      failure: { code: 'quota-exceeded', detail: error.message },
      spent: { inputTokens: 0 },
    });
    expect(events).toMatchObject([{ call: { error: { code: 'quota-exceeded' } } }]);
  });

  it('ends with its share where the model heeds nothing, and counts the prompt', async () => {
    const { events, call } = callOf({ shareMs: 10 });
    const late = await askRole(hanging, question, call);
    expect(late).toMatchObject({ ok: false, failure: { code: 'deadline-exceeded' } });
    expect(late.spent.inputTokens).toBeGreaterThan(0);
    expect(events).toMatchObject([{ call: { error: { code: 'deadline-exceeded' } } }]);
  });

  it('throws when the request itself is over', async () => {
    const gone = new AbortController();
    const asking = askRole(hanging, question, callOf({ deadline: createDeadline(10_000, gone.signal) }).call);
    gone.abort(new Error('left'));
    await expect(asking).rejects.toMatchObject({ code: 'cancelled' });
    const over = callOf({ deadline: createDeadline(0) }).call;
    await expect(askRole(createScriptedModel([]), question, over)).rejects.toMatchObject({ code: 'deadline-exceeded' });
  });
});
