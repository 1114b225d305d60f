// The evidence of a saved answer, gathered from the record and from its trace. Invariants: whoever makes a report sees no more than they may
// read; texts are those that were read then, and the report says where the record holds another edition now.
import type { Answer, Citation } from '../../core/answer.ts';
import {
  type EvidenceReport,
  type ReportDocument,
  type ReportPassage,
  reportVersion,
} from '../../core/answers/evidence-report.ts';
import type { DocumentRecord } from '../../core/document.ts';
import { sha256 } from '../../core/ids.ts';
import { memoryTitle } from '../../core/memory.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';
import type { RankedRow } from '../../retrieval/rank.ts';
import { splitsCharacter } from '../record/document-view.ts';
import { traceOfWorkspace } from '../sources/workspace.ts';
import { rowsIn, traceFactsOf } from './trace-facts.ts';

/** Of what is told around a quote, on each side, UTF-16 code units. */
const aroundLength = 700;

export interface ReportHead {
  readonly program: string;
  readonly writtenAt: string;
  readonly layout: number;
}

/** A document that no record holds: it came with the request. */
const isPassing = ({ documentId }: Pick<Citation, 'documentId'>): boolean => traceOfWorkspace(documentId) !== undefined;

/** What stands around a span, cut where no character is cut. */
function around(text: string, { start, end }: { readonly start: number; readonly end: number }) {
  let from = Math.max(0, start - aroundLength);
  if (splitsCharacter(text, from)) from -= 1;
  let to = Math.min(text.length, end + aroundLength);
  if (splitsCharacter(text, to)) to += 1;
  return { before: text.slice(from, start), after: text.slice(end, to) };
}

function factsOf(document: DocumentRecord, citation: Citation, standing: ReportDocument['standing']): ReportDocument {
  const { revision, version, publishedAt, updatedAt, contentHash, textHash, sourceType, mime } = document;
  return {
    id: document.id,
    title: citation.title,
    uri: citation.uri,
    source: citation.source,
    kind: sourceType,
    mime,
    revision,
    ...(version !== undefined && { version }),
    ...(publishedAt !== undefined && { publishedAt }),
    updatedAt,
    contentHash,
    textHash,
    standing,
  };
}

type Gathered = { readonly document: ReportDocument; readonly passage: ReportPassage };

function createGathering(record: TenantRecord, read: ReadonlyMap<string, RankedRow>) {
  const { documents } = record;
  const texts = new Map<string, Promise<string | undefined>>();
  const textOf = (id: string): Promise<string | undefined> => {
    const reading = texts.get(id) ?? documents.text(id);
    texts.set(id, reading);
    return reading;
  };

  async function ofMemory(citation: Citation, memoryId: string): Promise<Gathered> {
    const { index, title, uri, source, start, end, quote } = citation;
    const memory = await record.memoryById(memoryId);
    const isSame = memory?.text.slice(start, end) === quote;
    const document: ReportDocument = {
      id: memoryId,
      title: memory ? memoryTitle(memory) : title,
      uri,
      source,
      kind: 'memory',
      ...(memory && { updatedAt: memory.updatedAt, textHash: sha256(memory.text) }),
      standing: memory ? (isSame ? 'same' : 'changed') : 'gone',
    };
    return {
      document,
      passage: {
        index,
        headings: [],
        ...(memory && isSame ? around(memory.text, citation) : { before: '', after: '' }),
      },
    };
  }

  return async (citation: Citation): Promise<Gathered> => {
    const { index, documentId, chunkId, title, uri, source, start, end, memoryId } = citation;
    if (memoryId !== undefined) return ofMemory(citation, memoryId);
    const passing = isPassing(citation);
    const now = passing ? undefined : await documents.get(documentId);
    const current = now ? (await documents.chunksById([chunkId]))[0] : undefined;
    const then = read.get(chunkId) ?? current;
    const edition = then?.document ?? (current ? now : undefined);
    const isSame = current !== undefined && edition?.textHash === now?.textHash;
    const standing = passing ? 'passing' : !now ? 'gone' : isSame ? 'same' : 'changed';
    const bare: ReportDocument = { id: documentId, title, uri, source, standing };
    // What was read then is shown to whom the document is shown now.
    const isShown = standing !== 'gone';
    const chunk = isShown ? then?.chunk : undefined;
    const whole = standing === 'same' ? await textOf(documentId) : undefined;
    const place = chunk && { start: start - chunk.start, end: end - chunk.start };
    const nearby = place ? around(chunk.text, place) : { before: '', after: '' };
    return {
      document: edition && isShown ? factsOf(edition, citation, standing) : bare,
      passage: {
        index,
        ...(chunk && { chunkHash: chunk.hash }),
        headings: [...(chunk?.headingPath ?? [])],
        ...(whole === undefined ? nearby : around(whole, { start, end })),
      },
    };
  };
}

/** Throws what the record throws; a trace that is gone leaves its part of the report away. */
export async function gatherReport(answer: Answer, record: TenantRecord, head: ReportHead): Promise<EvidenceReport> {
  const saved = await record.traces.get(answer.traceId);
  const gather = createGathering(record, rowsIn(saved?.events ?? []));
  const byDocument = new Map<string, ReportDocument>();
  const passages: ReportPassage[] = [];
  for (const citation of answer.citations) {
    const { document, passage } = await gather(citation);
    passages.push(passage);
    if (!byDocument.has(document.id)) byDocument.set(document.id, document);
  }
  return {
    format: 'footnote-report',
    version: reportVersion,
    layout: head.layout,
    program: head.program,
    writtenAt: head.writtenAt,
    answer,
    documents: [...byDocument.values()],
    passages,
    ...(saved && { trace: traceFactsOf(saved) }),
  };
}
