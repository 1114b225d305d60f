// Event streams of providers through `withMergedDeltas`: what comes in one read is joined, and nothing else changes.
import { describe, expect, it } from 'vitest';
import { withMergedDeltas } from '../../../src/models/language/merged-deltas.ts';
import type { SeenRequest, Wire } from '../../../src/testing/fake-http.ts';
import type { FakeReply } from '../../../src/testing/fake-reply.ts';
import { renderChat } from '../../../src/testing/openai-chat.ts';
import { renderResponses } from '../../../src/testing/openai-responses.ts';
import { renderAnthropic } from '../../../testkit/models/anthropic-messages.ts';
import { seededRandom } from '../../../testkit/models/hostile-gallery.ts';

/** What a client reads of a body that comes in these reads, read by read. */
async function readsOf(reads: readonly (string | Uint8Array)[], contentType = 'text/event-stream'): Promise<string[]> {
  let at = 0;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        const next = reads[at++];
        if (next === undefined) controller.close();
        else controller.enqueue(new Uint8Array(Buffer.from(next)));
      },
    },
    { highWaterMark: 0 },
  );
  const fetch = withMergedDeltas(async () => new Response(body, { headers: { 'content-type': contentType } }));
  const response = await fetch('http://127.0.0.1/');
  const decoder = new TextDecoder();
  const seen: string[] = [];
  for await (const bytes of response.body as ReadableStream<Uint8Array>)
    seen.push(decoder.decode(bytes, { stream: true }));
  return seen;
}

type Json = Readonly<Record<string, unknown>>;

const asked: SeenRequest = {
  method: 'POST',
  path: '/',
  headers: {},
  body: { model: 'm', stream: true, stream_options: { include_usage: true } },
};
const streamOf = (render: (reply: FakeReply, request: SeenRequest) => Wire, reply: FakeReply): string =>
  render(reply, asked).chunks.map(String).join('');

const dataOf = (events: string): Json[] =>
  events
    .split('\n\n')
    .flatMap((event) => /^data: (\{.*\})$/mu.exec(event)?.[1] ?? [])
    .map((data) => JSON.parse(data) as Json);

/** The text that an event says, in any of the protocols. */
function saidBy(event: Json): string | undefined {
  if (event['type'] === 'response.output_text.delta') return String(event['delta']);
  const { delta, choices } = event as { delta?: Json; choices?: readonly { delta?: Json }[] };
  const said = delta?.['type'] === 'text_delta' ? delta['text'] : choices?.[0]?.delta?.['content'];
  return typeof said === 'string' && said !== '' ? said : undefined;
}
const othersOf = (events: readonly Json[]): Json[] => events.filter((event) => saidBy(event) === undefined);

describe.each([
  ['responses', renderResponses],
  ['chat', renderChat],
  ['anthropic', renderAnthropic],
] as const)('the stream of %s', (_name, render) => {
  const text = 'Der Leuchtturm “Cabo Frio” 🗼 ist 43 m hoch.\nThat is "all".';
  const whole = streamOf(render, { text, pieceCharacters: 4 });

  it('has its text in one event where it comes in one read, and all else as it was', async () => {
    const before = dataOf(whole);
    const after = dataOf((await readsOf([whole])).join(''));
    expect(before.filter((event) => saidBy(event) !== undefined).length).toBeGreaterThan(8);
    expect(after.map(saidBy).filter((said) => said !== undefined)).toEqual([text]);
    expect(othersOf(after)).toEqual(othersOf(before));
  });

  it('says the same however its bytes are cut, and waits for no read that it does not need', async () => {
    const bytes = Buffer.from(whole);
    const random = seededRandom(7);
    for (let round = 0; round < 200; round++) {
      const reads: Uint8Array[] = [];
      for (let start = 0; start < bytes.length; ) {
        const end = start + 1 + Math.floor(random() * 300);
        reads.push(bytes.subarray(start, end));
        start = end;
      }
      const seen = await readsOf(reads);
      const after = dataOf(seen.join(''));
      expect(after.map((event) => saidBy(event) ?? '').join('')).toBe(text);
      expect(othersOf(after)).toEqual(othersOf(dataOf(whole)));
      // Every read that brings the end of an event gives it on at once.
      const ends = reads.filter((_read, at) => {
        const [known, now] = [reads.slice(0, at), reads.slice(0, at + 1)].map((some) =>
          Buffer.concat(some).toString('latin1').split('\n\n'),
        );
        return (now?.length ?? 0) > (known?.length ?? 0);
      });
      expect(seen.length).toBeLessThanOrEqual(ends.length + 1);
      expect(seen.length).toBeGreaterThanOrEqual(ends.length);
    }
  });

  it('passes byte for byte where each read brings one event, and where lines end otherwise', async () => {
    const events = whole.split(/(?<=\n\n)/u);
    expect(await readsOf(events)).toEqual(events);
    const foreign = whole.replaceAll('\n', '\r\n');
    expect(await readsOf([foreign.slice(0, 700), foreign.slice(700)])).toEqual([
      foreign.slice(0, 700),
      foreign.slice(700),
    ]);
    expect((await readsOf([whole], 'application/json')).join('')).toBe(whole);
  });
});

describe('what is more than a piece of text', () => {
  const chunk = (delta: Json, more: Json = {}, event: Json = {}): string =>
    `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, ...more }], ...event })}\n\n`;
  const output = (delta: string, more: Json = {}): string =>
    `data: ${JSON.stringify({ type: 'response.output_text.delta', item_id: 'i', output_index: 0, content_index: 0, delta, ...more })}\n\n`;

  it.each([
    ['a reason to end', chunk({ content: 'a' }) + chunk({ content: 'b' }, { finish_reason: 'stop' })],
    ['usage', chunk({ content: 'a' }) + chunk({ content: 'b' }, {}, { usage: { prompt_tokens: 3 } })],
    ['an error', chunk({ content: 'a' }) + chunk({ content: 'b' }, {}, { error: { message: 'no' } })],
    ['thoughts', chunk({ content: 'a' }) + chunk({ content: 'b', reasoning_content: 'hm' })],
    ['a tool call', chunk({ content: 'a' }) + chunk({ content: 'b', tool_calls: [{ index: 0 }] })],
    ['probabilities', output('a') + output('b', { logprobs: [{ token: 'b' }] })],
    ['another part', output('a') + output('b', { content_index: 1 })],
    ['another choice', chunk({ content: 'a' }) + chunk({ content: 'b' }, { index: 1 })],
    ['a comment', `${chunk({ content: 'a' })}: keep-alive\n\n${chunk({ content: 'b' })}`],
    ['an id', `${chunk({ content: 'a' })}id: 7\n${chunk({ content: 'b' })}`],
    ['damaged', `${chunk({ content: 'a' })}data: {"choices":[{"delta":{"content":"b"}\n\n${chunk({ content: 'c' })}`],
    ['no JSON', `${chunk({ content: 'a' })}data: "delta"\n\ndata: [DONE]\n\n`],
  ])('passes as it is: %s', async (_name, events) => {
    expect((await readsOf([events])).join('')).toBe(events);
  });

  it('but the role, which some servers repeat with every piece', async () => {
    const pieces = ['a', 'b', 'c'].map((content) => chunk({ role: 'assistant', content })).join('');
    expect((await readsOf([pieces])).join('')).toBe(chunk({ role: 'assistant', content: 'abc' }));
  });

  it('is an event without its end: it comes as it was cut', async () => {
    const cut = `${output('a')}data: {"type":"response.outp`;
    expect(await readsOf([cut])).toEqual([output('a'), 'data: {"type":"response.outp']);
  });
});

describe('a server whose lines end in CR and LF', () => {
  it('is not waited for: what it sent comes at once', async () => {
    const event = 'data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\r\n\r\n';
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => controller.enqueue(new Uint8Array(Buffer.from(event))),
    });
    const headers = { 'content-type': 'text/event-stream' };
    const response = await withMergedDeltas(async () => new Response(body, { headers }))('http://127.0.0.1/');
    const reader = response.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe(event);
    await reader?.cancel();
  });
});

describe('who leaves', () => {
  it('ends the read below, and failures pass as they are', async () => {
    let left: unknown;
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => controller.enqueue(new Uint8Array(Buffer.from('data: {}\n\n'))),
      cancel(reason) {
        left = reason;
      },
    });
    const headers = { 'content-type': 'text/event-stream' };
    const leave = await withMergedDeltas(async () => new Response(body, { headers }))('http://127.0.0.1/');
    await leave.body?.cancel('enough');
    expect(left).toBe('enough');
    const broken = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => controller.error(new Error('cut off')),
    });
    const failing = await withMergedDeltas(async () => new Response(broken, { headers }))('http://127.0.0.1/');
    await expect(failing.text()).rejects.toThrow('cut off');
  });
});
