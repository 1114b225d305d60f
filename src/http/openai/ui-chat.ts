// A chat in the stream of the AI SDK's user interface: sources and text as they are verified, then the whole answer. Invariant: what a text part says of its
// marks counts in that text (UTF-16).
import { beginning } from '../../core/events.ts';
import type { Mark } from '../../core/marked-text.ts';
import { defined } from '../../core/values/defined.ts';
import { uiChat } from '../../operations/ui-chat.ts';
import { lenient } from '../foreign/chat-request.ts';
import { answerIn, openTelling, type Tell } from '../foreign/telling.ts';
import { askedOf, type OwnRoutes } from '../routes/routes.ts';
import type { Door } from '../wire/http-types.ts';
import { dataLine, type EventStream, problemIn, type WireEvent } from '../wire/sse.ts';
import { type Exchange, streamReply } from '../wire/stream-reply.ts';
import { createRunning } from './running.ts';

/** Of all that a message may consist of, what its author says, and what nobody here reads. */
const said: ReadonlySet<string> = new Set(['text', 'file']);

function frameOf(_id: string, event: WireEvent): string {
  const problem = problemIn(event);
  if (problem) return dataLine({ type: 'error', errorText: problem.detail });
  return event.type === 'end' ? 'data: [DONE]\n\n' : dataLine(event);
}

const protocol = { 'x-vercel-ai-ui-message-stream': 'v1' };

async function serve(
  tell: Tell,
  {
    requestId,
    stream,
    call,
  }: { readonly requestId: string; readonly stream: EventStream; readonly call: ReturnType<Door['callOf']> },
): Promise<WireEvent> {
  const part = (type: string, fields: object = {}): void => stream.append({ type, ...fields });
  const id = '1';
  const marks: Mark[] = [];
  const shown = new Set<number>();
  let isOpen = false;
  const begin = (): void => {
    if (isOpen) return;
    isOpen = true;
    part('start', { messageId: `msg_${requestId.slice('req_'.length)}` });
    part('start-step');
  };
  let isWriting = false;
  const told = await tell({
    ...call,
    signal: stream.signal,
    onEvent(event) {
      if (!beginning.has(event.type)) return;
      begin();
      if (event.type === 'status') part('data-stage', { data: { stage: event.stage }, transient: true });
    },
    onText(delta, own) {
      begin();
      for (const { citation, start, end, cited } of own) {
        marks.push({ start, end, citation });
        if (shown.has(citation)) continue;
        shown.add(citation);
        const { url, title, quote, page } = cited;
        const footnote = defined({ quote, start: cited.start, end: cited.end, page });
        part('source-url', { sourceId: String(citation), url, title, providerMetadata: { footnote } });
      }
      if (!isWriting) part('text-start', { id });
      isWriting = true;
      // A part keeps what was said of it last.
      part('text-delta', { id, delta, providerMetadata: { footnote: { marks: [...marks] } } });
    },
  });
  begin();
  if (isWriting) part('text-end', { id });
  const { of, finishReason } = told;
  if (of) part('data-answer', { id: of.answer.id, data: answerIn(of) });
  part('finish-step');
  const messageMetadata = of && { answerId: of.answer.id, traceId: of.answer.traceId, abstained: of.answer.abstained };
  part('finish', defined({ finishReason, messageMetadata }));
  return { type: 'end' };
}

export function uiChatRoutes(door: Door): OwnRoutes {
  const running = createRunning<EventStream>();

  async function ask(exchange: Exchange): Promise<unknown> {
    const { request, reply } = exchange;
    const { id, messages, model, footnote } = askedOf(uiChat.ask, request).body;
    const asking = {
      ...{ field: 'messages' as const, values: {}, model, footnote },
      messages: messages.map(({ role, parts }) => ({ role, content: parts.filter(({ type }) => said.has(type)) })),
    };
    const tell = await openTelling(door.footnoteOf(request), asking, 'marks');
    const call = door.callOf(request, reply);
    void reply.headers(protocol);
    return streamReply(
      door,
      exchange,
      (stream) =>
        running.during(request, [id, stream], async () => {
          const last = await serve(tell, { requestId: request.id, stream, call });
          await request.claim?.release();
          return last;
        }),
      frameOf,
    );
  }

  return [
    [uiChat.ask, { ...lenient, handle: ask }],
    [
      uiChat.follow,
      ({ request, reply }) => {
        const stream = running.find(request, askedOf(uiChat.follow, request).params.id);
        return stream ? door.streams.send(reply.headers(protocol), stream) : reply.code(204).send();
      },
    ],
  ];
}
