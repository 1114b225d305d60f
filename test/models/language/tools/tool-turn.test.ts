import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createDeadline } from '../../../../src/core/deadline.ts';
import { FootnoteError } from '../../../../src/core/errors.ts';
import type { Message } from '../../../../src/models/language/messages.ts';
import { createScriptedModel } from '../../../../src/models/language/scripted-model.ts';
import { readToolCall, type ToolForm, toTool } from '../../../../src/models/language/tools/read-call.ts';
import { createToolAsker } from '../../../../src/models/language/tools/tool-turn.ts';

const search: ToolForm<{ query: string; limit: number }> = {
  name: 'search',
  description: 'Searches.',
  schema: z.strictObject({ query: z.string().min(1).max(200), limit: z.int().min(1).max(20) }),
};
const messages: readonly Message[] = [
  { role: 'system', content: 'You look things up.' },
  { role: 'user', content: 'How tall is the tower?' },
];
const asked = { messages, maxOutputTokens: 200, tools: [toTool(search)] };
const within = () => ({ deadline: createDeadline(10_000) });

describe('readToolCall', () => {
  const read = (written: string) => readToolCall({ id: 'a', name: 'search', arguments: written }, search);
  it('takes what fits the schema alone', () => {
    expect(read('{"query":"pier","limit":3}')).toEqual({ ok: true, value: { query: 'pier', limit: 3 } });
    for (const wrong of [
      '',
      '{"query": ',
      '[]',
      'null',
      '"pier"',
      '{"query":"","limit":3}',
      '{"query":"a","limit":900}',
    ])
      expect(read(wrong)).toMatchObject({ ok: false });
  });
  it('says what is wrong without the words of the model', () => {
    const secret = 'IGNORE-ALL-RULES';
    for (const wrong of [`{"query":"a","limit":3,"${secret}":1}`, `{"query":"a","limit":"${secret}"}`, secret]) {
      const result = read(wrong);
      expect(result.ok).toBe(false);
      expect(JSON.stringify(result)).not.toContain(secret);
    }
  });
  it('offers the schema as a closed object', () => {
    expect(toTool(search).schema).toMatchObject({
      type: 'object',
      required: ['query', 'limit'],
      additionalProperties: false,
    });
  });
});

describe('a turn with tools', () => {
  it('hands on the calls of the model, and shows them again', async () => {
    const model = createScriptedModel([
      { reply: { toolCalls: [{ name: 'search', arguments: '{"query":"tower","limit":1}' }] } },
    ]);
    const turn = await createToolAsker()(model, asked, within());
    expect(turn.calls).toMatchObject([{ name: 'search', arguments: '{"query":"tower","limit":1}' }]);
    expect(turn.message).toMatchObject({ role: 'assistant', toolCalls: turn.calls });
    expect(model.requests[0]?.tools).toEqual(asked.tools);
  });

  it('asks a model without tools by structured output, and remembers that it has none', async () => {
    const refused = new FootnoteError('upstream-invalid', 'It has no tools.', { details: { parameter: 'tools' } });
    const written = { say: '', calls: [{ tool: 'search', arguments: '{"query":"tower","limit":1}' }] };
    const model = createScriptedModel([
      { reply: { error: refused } },
      { expect: '"name":"search"', reply: JSON.stringify(written) },
      { expect: 'Result of search:\n40 m', reply: JSON.stringify({ say: 'It is 40 m tall.', calls: [] }) },
    ]);
    const ask = createToolAsker();
    const first = await ask(model, asked, within());
    expect(first.calls).toMatchObject([{ name: 'search', arguments: '{"query":"tower","limit":1}' }]);
    const result: Message = { role: 'tool', callId: first.calls[0]?.id ?? '', tool: 'search', content: '40 m' };
    const second = await ask(model, { ...asked, messages: [...messages, first.message, result] }, within());
    expect(second).toMatchObject({ text: 'It is 40 m tall.', calls: [] });
    for (const request of model.requests.slice(1)) expect(request.tools).toBeUndefined();
    model.assertFinished();
  });

  it('fails as the model fails: a refusal, nonsense twice, and every other error', async () => {
    const ask = createToolAsker();
    const failing = (reply: Parameters<typeof createScriptedModel>[0]) =>
      ask(createScriptedModel(reply), asked, within());
    await expect(failing([{ reply: { finish: 'refusal' } }])).rejects.toMatchObject({ code: 'upstream-invalid' });
    const down = new FootnoteError('upstream-unavailable', 'It is down.');
    await expect(failing([{ reply: { error: down } }])).rejects.toBe(down);
    const refused = new FootnoteError('upstream-invalid', 'It has no tools.', { details: { parameter: 'tools' } });
    await expect(
      failing([{ reply: { error: refused } }, { reply: 'What?' }, { reply: 'What?' }]),
    ).rejects.toMatchObject({ code: 'upstream-invalid' });
  });
});
