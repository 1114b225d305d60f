// Every prompt that left the machine is in the trace of its question, with its parameters, what came back, its tokens and its time:
// streamed answers and repairs, and whatever other roles ask. The provider is the referee: what it was sent is looked for in the trace.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { answerOf, type FakeProviderServer, type FakeRequest, startFakeOpenAI } from '../../src/testing/index.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

const sentence = 'The lighthouse of Cabo Frio is 43 metres tall.';
let folder: string;
let fake: FakeProviderServer;
let opened: OpenedFootnote;
let footnote: Footnote;
let say: (request: FakeRequest) => string;

/** What roles beside the answer are asked for: refused with words, so that the repair is asked for too. */
const isAnswer = ({ body }: FakeRequest): boolean => JSON.stringify(body).includes('"claims"');

beforeAll(async () => {
  fake = await startFakeOpenAI((request) => (isAnswer(request) ? say(request) : 'I would rather not say.'));
  folder = await mkdtemp(join(tmpdir(), 'footnote-traced-prompts-'));
  const roles = { MODEL_JUDGE: 'compatible:fake', MODEL_ROUTER: 'compatible:fake', MODEL_RERANK: 'compatible:fake' };
  const environment = { FOOTNOTE_DATA: join(folder, 'data'), BUDGET_REQUEST: 'none', ...fake.environment, ...roles };
  opened = await openFootnote(loadConfig({ folder, environment }));
  footnote = opened.forScope(localScope());
  for (const name of ['tower', 'pier'])
    await footnote.documents.add({
      text: `# The ${name}\n\n${sentence.replace('lighthouse', name === 'tower' ? 'lighthouse' : 'old pier')}\n`,
      mime: 'text/markdown',
      uri: `${name}.md`,
      source: 'notes',
    });
});
afterAll(async () => {
  await opened.close();
  await fake.close();
  await rm(folder, { recursive: true });
});

interface TracedCall {
  readonly port: string;
  readonly request: { readonly messages?: readonly { readonly content: string }[]; readonly maxOutputTokens?: number };
  readonly response?: { readonly text?: string; readonly usage?: { readonly inputTokens: number } };
  readonly latencyMs: number;
}

/** Asks, and gives the prompts that the provider saw with the calls of models that the trace has. */
async function traced(
  question: string,
): Promise<{ sent: readonly string[]; calls: readonly TracedCall[]; log: string }> {
  const before = fake.requests.length;
  const answer = await footnote.ask({ question });
  const trace = await footnote.traces.get(answer.traceId);
  const log = JSON.stringify(trace);
  const calls = trace.events.flatMap(({ event }) =>
    event.type === 'call' && (event.call.request as Partial<TracedCall['request']> | null)?.messages
      ? [event.call as unknown as TracedCall]
      : [],
  );
  return { sent: fake.requests.slice(before).map(({ prompt }) => prompt), calls, log };
}
const promptsOf = (calls: readonly TracedCall[]): string[] =>
  calls.map(({ request }) => (request.messages ?? []).map(({ content }) => content).join('\n'));

describe('the trace of a question', () => {
  it('has each prompt that was sent, and what came back', async () => {
    say = () => answerOf([{ text: sentence, quote: sentence }]);
    const { sent, calls, log } = await traced('How tall is the lighthouse of Cabo Frio?');
    expect(sent.length).toBeGreaterThan(3);
    // Once, the reranker's too, which is a language model here.
    expect(promptsOf(calls).toSorted()).toEqual(sent.toSorted());
    expect(log).not.toContain('"port":"reranker"');
    // The judge answers with prose, and is asked once more.
    expect(calls.filter(({ port }) => port === 'answer.judge').length).toBeGreaterThan(1);
    const [answering] = calls.filter(({ port }) => port === 'answer.model');
    expect(answering).toMatchObject({
      request: { model: 'compatible:fake', maxOutputTokens: 1500, messages: [{ role: 'system' }, { role: 'user' }] },
      response: {
        text: say({ path: '', prompt: '', body: {} }),
        usage: { inputTokens: expect.any(Number), isEstimated: false },
      },
      latencyMs: expect.any(Number),
    });
    expect(log).not.toContain('fake-key-of-openai');
    expect(log).not.toContain(fake.address);
  });

  it('has the prompt of a repair, and both texts', async () => {
    let count = 0;
    say = () => (count++ === 0 ? 'The lighthouse is tall, I think.' : answerOf([{ text: sentence, quote: sentence }]));
    const { sent, calls } = await traced('How high is the lighthouse of Cabo Frio?');
    expect(count).toBe(2);
    expect(promptsOf(calls)).toEqual(expect.arrayContaining([...sent]));
    const answers = calls.filter(({ port }) => port === 'answer.model');
    expect(answers.map(({ response }) => response?.text?.slice(0, 10))).toEqual(['The lighth', '{"claims":']);
    expect(promptsOf(answers)[1]).toContain('Your answer was not one JSON value.');
  });

  it('has the question for a claim that holds, behind one that does not', async () => {
    const forged = sentence.replace('43', '48');
    say = ({ prompt }) => answerOf(prompt.includes('Return the claim as') ? [] : [{ text: forged, quote: sentence }]);
    const { sent, calls } = await traced('What is the height of the lighthouse of Cabo Frio?');
    const answers = calls.filter(({ port }) => port === 'answer.model');
    expect(answers).toHaveLength(2);
    expect(promptsOf(answers)[1]).toContain('Return the claim as');
    expect(promptsOf(calls)).toEqual(expect.arrayContaining([...sent]));
  });
});
