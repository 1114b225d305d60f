// A fake reply in the shape of OpenAI's Responses API: whole, or the event stream in the order that the service sends it. The
// shapes are checked against OpenAI's own specification in test/testing/openai-shapes.test.ts.
import type { SeenRequest, Wire } from './fake-http.ts';
import { createdAt, type FakeReply, namedEvent, piecesOf, reportedUsage, sendReply } from './fake-reply.ts';

type Json = Readonly<Record<string, unknown>>;

export const renderResponses = (reply: FakeReply, request: SeenRequest): Wire =>
  sendReply(reply, request, {
    refusal: openaiError,
    whole: responseOf,
    events: (given, body) => responseEvents(given, body).map(namedEvent),
  });

export const openaiError = ({ message, code, type }: { message?: string; code?: string; type?: string }): Json => ({
  error: { message: message ?? 'It failed.', type: type ?? 'invalid_request_error', param: null, code: code ?? null },
});

const messageItem = (content: readonly Json[], status: string): Json => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status,
  content,
});
const textPart = (text: string): Json => ({ type: 'output_text', text, annotations: [], logprobs: [] });
const fileSearchType = 'file_search_call';
const refusalPart = (refusal: string): Json => ({ type: 'refusal', refusal });

function itemsOf(reply: FakeReply): Json[] {
  const calls = (reply.toolCalls ?? []).map((call, index) => ({
    id: `fc_${index + 1}`,
    type: 'function_call',
    call_id: call.id,
    name: call.name,
    arguments: call.arguments,
    status: 'completed',
  }));
  const searches = (reply.fileSearches ?? []).map((search, index) => ({
    id: `fs_${index + 1}`,
    type: fileSearchType,
    status: 'completed',
    ...search,
  }));
  const status = reply.stop === undefined || reply.stop === 'stop' ? 'completed' : 'incomplete';
  if (reply.refusal !== undefined) return [...searches, messageItem([refusalPart(reply.refusal)], status), ...calls];
  return [...searches, ...(reply.text === undefined ? [] : [messageItem([textPart(reply.text)], status)]), ...calls];
}

/** The `Response` object. */
export function responseOf(reply: FakeReply, request: Json): Json {
  const usage = reportedUsage(reply);
  const isWhole = reply.stop === undefined || reply.stop === 'stop';
  return {
    ...shell(request),
    status: isWhole ? 'completed' : 'incomplete',
    completed_at: isWhole ? createdAt + 1 : null,
    incomplete_details: isWhole ? null : { reason: reply.stop === 'length' ? 'max_output_tokens' : 'content_filter' },
    output: itemsOf(reply),
    ...(usage ? { usage: usageOf(usage) } : {}),
  };
}

const usageOf = ({ input, output }: { input: number; output: number }): Json => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: input + output,
});

const shell = (request: Json): Json => ({
  id: 'resp_1',
  object: 'response',
  created_at: createdAt,
  status: 'in_progress',
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: request['max_output_tokens'] ?? null,
  model: request['model'] ?? 'fake',
  output: [],
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  store: request['store'] ?? true,
  temperature: 1,
  text: request['text'] ?? { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  truncation: 'disabled',
  metadata: {},
});

/** The events of a stream, numbered. */
export function responseEvents(reply: FakeReply, request: Json): Json[] {
  const events: Json[] = [];
  const send = (event: Json): void => void events.push({ ...event, sequence_number: events.length });
  send({ type: 'response.created', response: shell(request) });
  send({ type: 'response.in_progress', response: shell(request) });
  for (const [output_index, item] of itemsOf(reply).entries()) {
    const place = { item_id: item['id'], output_index };
    if (item['type'] === fileSearchType) {
      send({
        type: 'response.output_item.added',
        output_index,
        item: { ...item, status: 'in_progress', results: null },
      });
      for (const step of ['in_progress', 'searching', 'completed'])
        send({ type: `response.${fileSearchType}.${step}`, ...place });
    } else if (item['type'] === 'function_call') {
      send({
        type: 'response.output_item.added',
        output_index,
        item: { ...item, arguments: '', status: 'in_progress' },
      });
      const written = String(item['arguments']);
      for (const delta of piecesOf(reply, written))
        send({ type: 'response.function_call_arguments.delta', ...place, delta });
      send({ type: 'response.function_call_arguments.done', ...place, name: item['name'], arguments: written });
    } else {
      const [part] = item['content'] as readonly Json[];
      const isRefusal = part?.['type'] === 'refusal';
      const written = String(isRefusal ? part['refusal'] : part?.['text']);
      const at = { ...place, content_index: 0 };
      send({ type: 'response.output_item.added', output_index, item: messageItem([], 'in_progress') });
      send({ type: 'response.content_part.added', ...at, part: isRefusal ? refusalPart('') : textPart('') });
      for (const delta of piecesOf(reply, written))
        send(
          isRefusal
            ? { type: 'response.refusal.delta', ...at, delta }
            : { type: 'response.output_text.delta', ...at, delta, logprobs: [] },
        );
      if (reply.streamError) break;
      send(
        isRefusal
          ? { type: 'response.refusal.done', ...at, refusal: written }
          : { type: 'response.output_text.done', ...at, text: written, logprobs: [] },
      );
      send({ type: 'response.content_part.done', ...at, part });
    }
    send({ type: 'response.output_item.done', output_index, item });
  }
  if (reply.streamError) {
    send({ type: 'error', code: reply.streamError.code, message: reply.streamError.message, param: null });
    return events;
  }
  const response = responseOf(reply, request);
  send({ type: response['status'] === 'completed' ? 'response.completed' : 'response.incomplete', response });
  return events;
}
