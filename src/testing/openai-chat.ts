// A fake reply in the shape of OpenAI's chat completions, which Azure's deployments, Ollama, vLLM and llama.cpp speak as well. The
// shapes are checked against OpenAI's own specification in test/testing/openai-shapes.test.ts.
import type { SeenRequest, Wire } from './fake-http.ts';
import { createdAt, type FakeReply, piecesOf, reportedUsage, sendReply } from './fake-reply.ts';
import { openaiError } from './openai-responses.ts';

type Json = Readonly<Record<string, unknown>>;

export const renderChat = (reply: FakeReply, request: SeenRequest): Wire =>
  sendReply(reply, request, {
    refusal: openaiError,
    whole: completionOf,
    events(given, body) {
      const events = completionChunks(given, body).map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
      return given.streamError ? events : [...events, 'data: [DONE]\n\n'];
    },
  });

const finishOf = (reply: FakeReply): string => {
  if (reply.stop === 'length') return 'length';
  if (reply.stop === 'content-filter') return 'content_filter';
  return reply.toolCalls?.length ? 'tool_calls' : 'stop';
};
const callsOf = (reply: FakeReply): Json[] =>
  (reply.toolCalls ?? []).map(({ id, name, arguments: written }) => ({
    id,
    type: 'function',
    function: { name, arguments: written },
  }));
const usageOf = (reply: FakeReply): Json | undefined => {
  const usage = reportedUsage(reply);
  return (
    usage && { prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: usage.input + usage.output }
  );
};

/** The `chat.completion` object. */
export function completionOf(reply: FakeReply, request: Json): Json {
  const usage = usageOf(reply);
  const calls = callsOf(reply);
  return {
    id: 'chatcmpl_1',
    object: 'chat.completion',
    created: createdAt,
    model: request['model'] ?? 'fake',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: reply.text ?? null,
          refusal: reply.refusal ?? null,
          ...(calls.length > 0 ? { tool_calls: calls } : {}),
        },
        logprobs: null,
        finish_reason: finishOf(reply),
      },
    ],
    ...(usage ? { usage } : {}),
  };
}

/** The chunks of a stream, without the closing `[DONE]`. */
export function completionChunks(reply: FakeReply, request: Json): Json[] {
  const shell = {
    id: 'chatcmpl_1',
    object: 'chat.completion.chunk',
    created: createdAt,
    model: request['model'] ?? 'fake',
  };
  const chunk = (delta: Json, finish_reason: string | null = null): Json => ({
    ...shell,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  });
  const chunks = [chunk({ role: 'assistant', content: '', refusal: null })];
  for (const content of piecesOf(reply, reply.text ?? '')) chunks.push(chunk({ content }));
  for (const refusal of piecesOf(reply, reply.refusal ?? '')) chunks.push(chunk({ refusal }));
  for (const [index, call] of callsOf(reply).entries()) {
    const { name, arguments: written } = call['function'] as { name: string; arguments: string };
    chunks.push(chunk({ tool_calls: [{ index, ...call, function: { name, arguments: '' } }] }));
    for (const piece of piecesOf(reply, written))
      chunks.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
  }
  if (reply.streamError) return [...chunks, openaiError({ ...reply.streamError, type: 'server_error' })];
  chunks.push(chunk({}, finishOf(reply)));
  const usage = usageOf(reply);
  const wantsUsage = (request['stream_options'] as Json | undefined)?.['include_usage'] === true;
  if (wantsUsage && usage) chunks.push({ ...shell, choices: [], usage });
  return chunks;
}
