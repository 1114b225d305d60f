// What a report tells of the making of an answer, read from its trace: what was asked, where it was searched, which models were called, what was
// dropped and why. Pure.

import type { ReportTrace } from '../../core/answers/evidence-report.ts';
import type { FootnoteEvent, LoggedEvent, PortCall } from '../../core/events.ts';
import type { SavedTrace } from '../../core/trace-file.ts';
import type { RankedRow } from '../../retrieval/rank.ts';

type Of<Type extends FootnoteEvent['type']> = Extract<FootnoteEvent, { type: Type }>;

const allOf = <Type extends FootnoteEvent['type']>(events: readonly LoggedEvent[], type: Type): readonly Of<Type>[] =>
  events.flatMap(({ event }) => (event.type === type ? [event as Of<Type>] : []));

const firstOf = <Type extends FootnoteEvent['type']>(
  events: readonly LoggedEvent[],
  type: Type,
): Of<Type> | undefined => allOf(events, type)[0];

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

const words = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The first argument of a call that was recorded as a list of them. */
const firstArgument = ({ request }: PortCall): Readonly<Record<string, unknown>> =>
  fieldsOf(Array.isArray(request) ? request[0] : request);

/** Chunks with their documents as the request read them, by the id of the chunk. */
export function rowsIn(events: readonly LoggedEvent[]): ReadonlyMap<string, RankedRow> {
  const rows = new Map<string, RankedRow>();
  const isRow = (value: unknown): value is RankedRow => {
    const { chunk, document } = fieldsOf(value);
    return typeof fieldsOf(chunk)['text'] === 'string' && typeof fieldsOf(document)['id'] === 'string';
  };
  for (const { call } of allOf(events, 'call')) {
    const { response } = call;
    // Who reads chunks hands back a list of them; who searches what is kept nowhere hands them back with their hits.
    for (const list of [response, fieldsOf(response)['hits']])
      if (Array.isArray(list))
        for (const item of list)
          for (const row of [item, fieldsOf(item)['row']]) if (isRow(row)) rows.set(row.chunk.id, row);
  }
  return rows;
}

function searchesIn(calls: readonly PortCall[]): ReportTrace['searches'] {
  return calls.flatMap((call) => {
    const { port, method, response, error, latencyMs } = call;
    if (method !== 'search' || !/^(?:store\.|web|workspace)/u.test(port)) return [];
    const asked = firstArgument(call);
    const { hits } = fieldsOf(response);
    const query = words(asked['text']) ?? words(Array.isArray(call.request) ? call.request[0] : undefined) ?? '';
    const mode = words(asked['mode']);
    return [
      {
        store: port.replace(/^store\./u, ''),
        query,
        latencyMs,
        ...(mode !== undefined && { mode }),
        ...(Array.isArray(hits) && { hits: hits.length }),
        ...(error && { error: error.code }),
      },
    ];
  });
}

function modelCallsIn(calls: readonly PortCall[]): ReportTrace['modelCalls'] {
  return calls.flatMap(({ port, request, error, latencyMs }) => {
    const { model, messages } = fieldsOf(request);
    if (typeof model !== 'string' || !Array.isArray(messages)) return [];
    return [{ role: port, model, latencyMs, ...(error && { error: error.code }) }];
  });
}

export function traceFactsOf({ trace, events }: SavedTrace): ReportTrace {
  const request = firstOf(events, 'request');
  const asked = fieldsOf(request?.body);
  const environment = firstOf(events, 'environment');
  const followUp = firstOf(events, 'follow-up');
  const question = words(asked['question']) ?? words(asked['content']);
  const calls = allOf(events, 'call').map(({ call }) => call);
  const rows = rowsIn(events);
  const intentReason = firstOf(events, 'intent')?.reason;
  const erased = firstOf(events, 'erased');
  return {
    id: trace.id,
    // Answers are made by requests alone.
    kind: trace.kind,
    startedAt: trace.startedAt,
    ...(question !== undefined && { question }),
    ...(followUp && followUp.resolved !== question && { resolved: followUp.resolved }),
    ...(environment && { program: environment.program, node: environment.node, config: environment.config }),
    flags: [...(environment?.flags ?? [])],
    ...(intentReason !== undefined && { intentReason }),
    stages: events.flatMap(({ atMs, event }) => (event.type === 'status' ? [{ stage: event.stage, atMs }] : [])),
    searches: searchesIn(calls),
    modelCalls: modelCallsIn(calls),
    droppedClaims: allOf(events, 'verdict').flatMap(({ claim, kept, support, reasons }) =>
      kept ? [] : [{ text: claim, support, reasons: [...reasons] }],
    ),
    leftOut: allOf(events, 'left-out').flatMap(({ stage, passages }) =>
      passages.flatMap(({ reason, chunkIds }) =>
        chunkIds.map((chunkId) => {
          const title = rows.get(chunkId)?.document.title;
          return { chunkId, stage, reason, ...(title !== undefined && { title }) };
        }),
      ),
    ),
    ...(erased && { erasedEvents: erased.events }),
  };
}
