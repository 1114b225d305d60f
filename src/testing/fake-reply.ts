// What a fake provider says, free of any vendor's protocol, and how its bytes travel. The renderers beside this file put it into
// the shapes of OpenAI Responses, OpenAI chat completions (Azure's and compatible servers' too) and Anthropic messages.
import type { SeenRequest, Wire } from './fake-http.ts';

export interface FakeToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON, or what a broken model takes for it. */
  readonly arguments: string;
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

export const isStream = (request: SeenRequest): boolean => request.body['stream'] === true;

/** A whole JSON answer on the wire. */
export function sendJson(
  reply: FakeReply,
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Wire {
  return travel(reply, [JSON.stringify(body)], {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    isStream: false,
  });
}

/** Server-sent events on the wire; each element is the whole text of an event. */
export function sendEvents(reply: FakeReply, events: readonly string[]): Wire {
  const comments = reply.comments ? [': keep-alive\n\n'.repeat(reply.comments)] : [];
  return travel(reply, [...comments, ...events], {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    isStream: true,
  });
}

export function sendRaw(reply: FakeReply, { contentType, body }: { contentType: string; body: string }): Wire {
  return travel(reply, [body], { status: 200, headers: { 'content-type': contentType }, isStream: false });
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
