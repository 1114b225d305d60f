// A fake reply in the shape of Anthropic's Messages API (docs.anthropic.com, "Messages" and "Streaming messages"): whole, or the
// event stream with its pings.
import type { SeenRequest, Wire } from '../../src/testing/fake-http.ts';
import { type FakeReply, namedEvent, piecesOf, reportedUsage, sendReply } from '../../src/testing/fake-reply.ts';

type Json = Readonly<Record<string, unknown>>;

export const renderAnthropic = (reply: FakeReply, request: SeenRequest): Wire =>
  sendReply(reply, request, {
    refusal: ({ type, code, message }) => anthropicError(type ?? code ?? 'api_error', message ?? 'It failed.'),
    whole: messageOf,
    events: (given, body) => messageEvents(given, body).map(namedEvent),
  });

const anthropicError = (type: string, message: string): Json => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_1',
});

const stopOf = (reply: FakeReply): string => {
  if (reply.refusal !== undefined || reply.stop === 'content-filter') return 'refusal';
  if (reply.stop === 'length') return 'max_tokens';
  return reply.toolCalls?.length ? 'tool_use' : 'end_turn';
};
const textOf = (reply: FakeReply): string | undefined => reply.text ?? reply.refusal;

function inputOf(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return {};
  }
}

function messageOf(reply: FakeReply, request: Json): Json {
  const usage = reportedUsage(reply) ?? { input: 0, output: 0 };
  const text = textOf(reply);
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: request['model'] ?? 'fake',
    content: [
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...(reply.toolCalls ?? []).map(({ id, name, arguments: written }) => ({
        type: 'tool_use',
        id,
        name,
        input: inputOf(written),
      })),
    ],
    stop_reason: stopOf(reply),
    stop_sequence: null,
    usage: { input_tokens: usage.input, output_tokens: usage.output },
  };
}

function messageEvents(reply: FakeReply, request: Json): Json[] {
  const usage = reportedUsage(reply) ?? { input: 0, output: 0 };
  const events: Json[] = [
    {
      type: 'message_start',
      message: {
        ...messageOf({}, request),
        content: [],
        stop_reason: null,
        usage: { input_tokens: usage.input, output_tokens: 1 },
      },
    },
    { type: 'ping' },
  ];
  let index = 0;
  const text = textOf(reply);
  if (text !== undefined) {
    events.push({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } });
    for (const piece of piecesOf(reply, text))
      events.push({ type: 'content_block_delta', index, delta: { type: 'text_delta', text: piece } });
    if (reply.streamError) return [...events, anthropicError(reply.streamError.code, reply.streamError.message)];
    events.push({ type: 'content_block_stop', index });
    index += 1;
  }
  for (const { id, name, arguments: written } of reply.toolCalls ?? []) {
    events.push({ type: 'content_block_start', index, content_block: { type: 'tool_use', id, name, input: {} } });
    for (const piece of piecesOf(reply, written))
      events.push({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: piece } });
    events.push({ type: 'content_block_stop', index });
    index += 1;
  }
  events.push({
    type: 'message_delta',
    delta: { stop_reason: stopOf(reply), stop_sequence: null },
    usage: { output_tokens: usage.output },
  });
  events.push({ type: 'message_stop' });
  return events;
}
