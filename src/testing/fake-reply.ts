// What a fake provider says, free of any vendor's protocol, and how its bytes travel. The renderers beside this file put it into
// the shapes of OpenAI Responses, OpenAI chat completions (Azure's and compatible servers' too) and Anthropic messages.
import type { SeenRequest, Wire } from './fake-http.ts';

export interface FakeToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON, or what a broken model takes for it. */
  readonly arguments: string;
}

/** A search that a provider's model made by itself, as OpenAI tells it. */
export interface FakeFileSearch {
  readonly queries: readonly string[];
  /** Null: it does not say what was found. */
  readonly results:
    | readonly {
        readonly file_id: string;
        readonly filename: string;
        readonly score: number;
        readonly text: string;
        readonly attributes: Readonly<Record<string, string | number | boolean>>;
      }[]
    | null;
}

export interface FakeError {
  readonly status: number;
  readonly code?: string;
  readonly type?: string;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface FakeReply {
  readonly text?: string;
  readonly refusal?: string;
  readonly toolCalls?: readonly FakeToolCall[];
  /** Before its text; of the Responses API alone. */
  readonly fileSearches?: readonly FakeFileSearch[];
  readonly stop?: 'stop' | 'length' | 'content-filter';
  /** As reported; `none` leaves it out where the protocol allows. */
  readonly usage?: { readonly input: number; readonly output: number } | 'none';
  /** An answer with an error status. */
  readonly error?: FakeError;
  /** An error event after the text of a stream. */
  readonly streamError?: { readonly code: string; readonly message: string };
  /** The body as it is, in place of all above. */
  readonly raw?: { readonly contentType: string; readonly body: string };

  /** Characters of a delta; 8 unless told. */
  readonly pieceCharacters?: number;
  readonly delayMs?: number;
  readonly betweenMs?: number;
  /** Events (streams) or bytes (whole answers) that are sent before the connection is cut, or goes silent. */
  readonly cutAfter?: number;
  readonly hangAfter?: number;
  /** Events or bytes after which the answer ends, as if it were whole. */
  readonly endAfter?: number;
  /** Bytes of a write: characters are split across writes. */
  readonly writeBytes?: number;
  /** Comments of server-sent events before the first event. */
  readonly comments?: number;
}

export const createdAt = 1_790_000_000;

export const piecesOf = (reply: FakeReply, text: string): string[] => {
  const size = reply.pieceCharacters ?? 8;
  const pieces: string[] = [];
  for (let start = 0; start < text.length; start += size) pieces.push(text.slice(start, start + size));
  return pieces;
};

export const reportedUsage = (reply: FakeReply): { input: number; output: number } | undefined =>
  reply.usage === 'none' ? undefined : (reply.usage ?? { input: 20, output: 10 });

type Json = Readonly<Record<string, unknown>>;

/** A vendor's shapes. */
export interface FakeForm {
  readonly refusal: (error: FakeError) => Json;
  readonly whole: (reply: FakeReply, request: Json) => Json;
  /** Each element is the whole text of an event. */
  readonly events: (reply: FakeReply, request: Json) => readonly string[];
}

/** A server-sent event that is named by its type. */
export const namedEvent = (event: Json): string =>
  `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`;

/** The reply as the request wants it: whole or in events, an error, or what was given to be sent as it is. */
export function sendReply(reply: FakeReply, { body }: SeenRequest, form: FakeForm): Wire {
  const { raw, error } = reply;
  if (raw)
    return travel(reply, [raw.body], { status: 200, headers: { 'content-type': raw.contentType }, isStream: false });
  if (error) return sendJson(reply, form.refusal(error), error.status, error.headers);
  return body['stream'] === true
    ? sendEvents(reply, form.events(reply, body))
    : sendJson(reply, form.whole(reply, body));
}

/** A whole JSON answer on the wire. */
function sendJson(reply: FakeReply, body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Wire {
  return travel(reply, [JSON.stringify(body)], {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    isStream: false,
  });
}

function sendEvents(reply: FakeReply, events: readonly string[]): Wire {
  const comments = reply.comments ? [': keep-alive\n\n'.repeat(reply.comments)] : [];
  return travel(reply, [...comments, ...events], {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    isStream: true,
  });
}

interface Head {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly isStream: boolean;
}

function travel(reply: FakeReply, parts: readonly string[], { status, headers, isStream: inEvents }: Head): Wire {
  const limit = reply.cutAfter ?? reply.hangAfter ?? reply.endAfter;
  let chunks: (string | Uint8Array)[] = [...parts];
  if (limit !== undefined) chunks = inEvents ? parts.slice(0, limit) : [Buffer.from(parts.join('')).subarray(0, limit)];
  if (reply.writeBytes !== undefined) {
    const bytes = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk as string)));
    chunks = [];
    for (let start = 0; start < bytes.length; start += reply.writeBytes)
      chunks.push(bytes.subarray(start, start + reply.writeBytes));
  }
  return {
    status,
    headers,
    chunks,
    ...(reply.delayMs === undefined ? {} : { delayMs: reply.delayMs }),
    ...(reply.betweenMs === undefined ? {} : { betweenMs: reply.betweenMs }),
    ending: reply.cutAfter !== undefined ? 'cut' : reply.hangAfter !== undefined ? 'hang' : 'end',
  };
}
