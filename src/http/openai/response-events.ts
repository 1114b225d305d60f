// The events of a response in OpenAI's order, as it is made or once more from what is kept of it: the same pieces give the same events with the same numbers.
import { toInert } from '../../core/answers/inert-text.ts';
import type { ResponseObject } from '../../operations/openai-responses.ts';
import type { ForeignMark } from '../foreign/foreign-text.ts';
import { filePrefix } from '../foreign/models.ts';
import type { WireEvent } from '../wire/sse.ts';
import { fileNameOf } from './file-facts.ts';

export interface ResponseEvent extends WireEvent {
  readonly sequence_number: number;
}
export type Annotation = { readonly type: 'url_citation' | 'file_citation' } & Readonly<Record<string, unknown>>;
export type OutputItem = ResponseObject['output'][number];
/** A piece of the text: how long it is (UTF-16), and how many annotations it brings. */
export type Piece = readonly [length: number, annotations: number];

/** `isFiled`: each source is told as a file, too. */
export const annotationsOf = (marks: readonly ForeignMark[], isFiled: boolean): Annotation[] =>
  marks.flatMap(({ cited, from, to }): Annotation[] => [
    { type: 'url_citation', url: cited.url, title: toInert(cited.title), start_index: from, end_index: to },
    ...(isFiled
      ? [
          {
            type: 'file_citation' as const,
            file_id: filePrefix + cited.documentId,
            filename: fileNameOf(cited),
            index: from,
          },
        ]
      : []),
  ]);

export const outputText = (text: string, annotations: readonly Annotation[]) => ({
  type: 'output_text' as const,
  text,
  annotations,
  logprobs: [],
});
type OutputText = ReturnType<typeof outputText>;

export const textIn = ({ output }: ResponseObject): OutputText => {
  const [part] = (output.at(-1)?.['content'] ?? []) as readonly OutputText[];
  return part ?? outputText('', []);
};

/** The ids of what a response holds follow from its own. */
export const itemOf = (id: string, kind: 'fs' | 'msg'): string => `${kind}_${id.slice('resp_'.length)}`;

/** `begun`: the response as it is while nothing of it is there. `end` and `fail` give the last event, which the stream ends with. */
export function createResponseLog(begun: ResponseObject, searches: boolean, append: (event: ResponseEvent) => void) {
  let sequence = -1;
  let annotated = 0;
  let stage: 'waiting' | 'searching' | 'found' | 'writing' = 'waiting';
  const event = (type: string, fields: object): ResponseEvent => {
    sequence += 1;
    return { type: `response.${type}`, sequence_number: sequence, ...fields };
  };
  const tell = (type: string, fields: object): void => append(event(type, fields));
  const search = { item_id: itemOf(begun.id, 'fs'), output_index: 0 };
  const message = { id: itemOf(begun.id, 'msg'), type: 'message', role: 'assistant' };
  const output_index = searches ? 1 : 0;
  const place = { item_id: message.id, output_index, content_index: 0 };

  const begin = (): void => {
    if (stage !== 'waiting') return;
    stage = 'searching';
    for (const type of ['created', 'in_progress']) tell(type, { response: begun });
    if (!searches) return;
    const item = { id: search.item_id, type: 'file_search_call', status: 'in_progress', queries: [], results: null };
    tell('output_item.added', { output_index: 0, item });
    for (const type of ['in_progress', 'searching']) tell(`file_search_call.${type}`, search);
  };
  const found = (call: OutputItem | undefined): void => {
    begin();
    if (stage !== 'searching') return;
    stage = 'found';
    if (!call) return;
    tell('file_search_call.completed', search);
    tell('output_item.done', { output_index: 0, item: call });
  };
  const write = (): void => {
    if (stage === 'writing') return;
    stage = 'writing';
    tell('output_item.added', { output_index, item: { ...message, status: 'in_progress', content: [] } });
    tell('content_part.added', { ...place, part: outputText('', []) });
  };
  return {
    begin,
    /** What was searched for; ignored after the first time. */
    found,
    piece(delta: string, annotations: readonly Annotation[]): void {
      write();
      tell('output_text.delta', { ...place, delta, logprobs: [] });
      for (const annotation of annotations) {
        tell('output_text.annotation.added', { ...place, annotation_index: annotated, annotation });
        annotated += 1;
      }
    },
    end(response: ResponseObject): ResponseEvent {
      write();
      const part = textIn(response);
      tell('output_text.done', { ...place, text: part.text, logprobs: [] });
      tell('content_part.done', { ...place, part });
      tell('output_item.done', { output_index, item: response.output.at(-1) });
      return event(response.status, { response });
    },
    fail: (response: ResponseObject): ResponseEvent => event('failed', { response }),
  };
}

export interface Recorded {
  readonly response: ResponseObject;
  readonly pieces: readonly Piece[];
}

export function eventsOf({ response, pieces }: Recorded): readonly ResponseEvent[] {
  const events: ResponseEvent[] = [];
  const { footnote: _, ...rest } = response;
  const none = { output: [], completed_at: null, incomplete_details: null, usage: null };
  const call = response.output.find(({ type }) => type === 'file_search_call');
  const log = createResponseLog({ ...rest, ...none, status: 'in_progress' }, call !== undefined, (event) => {
    events.push(event);
  });
  log.found(call);
  const { text, annotations } = textIn(response);
  let [said, cited] = [0, 0];
  for (const [length, count] of pieces) {
    log.piece(text.slice(said, said + length), annotations.slice(cited, cited + count));
    said += length;
    cited += count;
  }
  events.push(log.end(response));
  return events;
}
