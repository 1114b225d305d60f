// The bytes under which the log of a request is kept: packed fast when it is saved, and by the upkeep packed anew onto the texts that the
// record holds anyway, which are then named by their rows and not copied. Invariant: a log that was packed is read back whole or not at all:
// what it leans on is checked by the checksum of the whole.
import { zstdDecompressSync } from 'node:zlib';
import type { LoggedEvent } from '../../core/events.ts';
import { printJson } from '../../core/traces/kept-json.ts';
import { packText } from '../packed.ts';
import { first, type Steps } from '../statements.ts';

/** `JSON.stringify(events)`; what calls were given that carries its JSON is not read again. */
function toEventsJson(events: readonly LoggedEvent[]): string {
  const texts = events.map((logged) => {
    const { seq, atMs, event } = logged;
    if (event.type !== 'call') return JSON.stringify(logged);
    const facts = Object.entries(event.call).flatMap(([name, value]) => {
      const text = printJson(value);
      return text === undefined ? [] : `"${name}":${text}`;
    });
    const call = `{${facts.join(',')}}`;
    return `{"seq":${seq},"atMs":${JSON.stringify(atMs)},"event":{"type":"call","call":${call}}}`;
  });
  return `[${texts.join(',')}]`;
}

export const packEvents = (events: readonly LoggedEvent[]): Uint8Array => packText(toEventsJson(events), 'fast');

/** A chunk whose text a log leans on. */
export interface LeanRow {
  readonly row: number;
  readonly id: string;
  readonly documentId: string;
  readonly text: string;
}

/** What the texts of chunks look like inside the JSON of a log. */
export function dictionaryOf(rows: readonly LeanRow[]): Buffer {
  const pieces = rows.map(
    ({ id, documentId, text }) =>
      `{"chunkId":${JSON.stringify(id)},"documentId":${JSON.stringify(documentId)},${JSON.stringify(text)}`,
  );
  return Buffer.from(`${usual}${pieces.join('')}`);
}

/** How logs go on, whatever they are of: what every small one would have to say again. A change of it makes what was packed unreadable. */
const usual =
  '"explanation":{"terms":[],"filter":null,"total":,"notes":[]},"error":{"code":"","message":""},"degraded":[{"component":"","code":"","detail":"","effect":""}],"type":"verdict","claim":"","support":1,"kept":true,"reasons":[]}},{"type":"citation","citation":{"index":1,"documentId":"doc_","chunkId":"chk_","title":"","uri":"","url":"http://127.0.0.1:4180/v1/documents/doc_/view?start=&end=","source":"","lines":[1,2],"quote":"","start":0,"end":0,"score":0.,"alsoIn":[]}}},{"type":"delta","text":"[1]"}},{"type":"done","answer":{"id":"ans_","version":2,"traceId":"trc_","mode":"hybrid","intent":"factual_lookup","answer":"","claims":[{"text":"","citations":[1],"support":1,"kind":"quoted"}],"citations":[],"conflicts":[],"sources":[{"documentId":"doc_","chunkId":"chk_","title":"","uri":"","score":0.,"contextTokens":,"cited":true}],"abstained":false,"ragEnabled":true,"confidence":0.,"coverage":1,"routing":{"sources":[],"reason":"all sources: none was named"},"degraded":[],"usage":{"inputTokens":0,"outputTokens":0,"embeddingTokens":0,"toolCalls":1,"costUsd":0},"timings":{"retrievalMs":,"contextMs":,"composeMs":,"verifyMs":,"totalMs":}}}},{"chunk":{"id":"chk_","ordinal":0,"start":0,"end":0,"hash":"","headingPath":[],"tokens":0},"document":{"id":"doc_","source":"","sourceType":"docs","uri":"","path":"","title":"","mime":"text/markdown","language":"en","revision":1,"updatedAt":"2026-01-01T00:00:00.000Z","contentHash":"","textHash":"","textLength":0,"chunkCount":1,"metadata":{},"citeByLine":true,"warnings":[]}},{"seq":1,"atMs":0.,"event":{"type":"request","kind":"ask","body":{"question":""},"at":"2026-01-01T00:00:00.000Z","version":1}},{"type":"status","stage":"understanding"}},{"type":"status","stage":"searching"}},{"type":"status","stage":"reading"}},{"type":"status","stage":"answering"}},{"type":"status","stage":"verifying"}},{"type":"intent","intent":"factual_lookup","reason":"a question about facts"}},{"type":"routing","sources":[],"reason":"all sources: none was named"}},{"type":"retrieval","mode":"hybrid","resultCount":10,"latencyMs":}},{"type":"call","call":{"request":[{"text":"","mode":"lexical","limit":50,"vector":{"float32":""},"space":"","response":{"hits":[{"chunkId":"chk_","documentId":"doc_","score":0.,"scores":{"lexical":0.,"vector":0.},"rank":1}],"degraded":[]},"port":"store.embedded","method":"search","latencyMs":0."port":"store.embedded","method":"vectorsOf"."port":"store.embedded","method":"statistics"."port":"record.documents","method":"chunksById"."port":"record.documents","method":"hashes"."port":"record.documents","method":"withDuplicates"."port":"record.sources","method":"besideOthers"."port":"record.spans","method":"readSpan"."port":"semantics","method":"current"."port":"embedding","method":"embed"."port":"budget","method":"took"."port":"budget","method":"servedRoles","hash":"';

/** What a trace leans on, in its order; undefined where something of it is gone with its document. */
export function* leanedOn(chunks: string): Steps<readonly LeanRow[] | undefined> {
  const found: LeanRow[] = [];
  for (const row of JSON.parse(chunks) as readonly number[]) {
    const one = yield* first<LeanRow>(
      `SELECT row, id, document_id AS "documentId", text FROM chunk WHERE row = ?1
       UNION ALL SELECT chunk, chunk_id, document_id, text FROM trace_text WHERE chunk = ?1 AND text IS NOT NULL LIMIT 1`,
      row,
    );
    if (!one) return undefined;
    found.push(one);
  }
  return found;
}

export interface PackedTrace {
  readonly packed: Uint8Array;
  /** Null: it leans on nothing. */
  readonly chunks: string | null;
}

/** The JSON of a log; undefined where it is damaged, or leans on what is gone. */
export function* unpackTrace({ packed, chunks }: PackedTrace): Steps<Buffer | undefined> {
  try {
    if (chunks === null) return zstdDecompressSync(packed);
    const leans = yield* leanedOn(chunks);
    return leans && zstdDecompressSync(packed, { dictionary: dictionaryOf(leans) });
  } catch {
    return undefined;
  }
}
