// What a child process makes of a file or of a run of lines: parsed, cut into chunks, counted, hashed, its language found.
// Pure: the same input gives the same result, and nothing of the record is known here.

import { paragraphBlocks, parsedDocument } from '@footnote/readers/canonical/canonical-text';
import { type JsonlRecord, recordsOf } from '@footnote/readers/data/jsonl';
import { titleFromName } from '@footnote/readers/file-names';
import type { ParseInput } from '@footnote/readers/reader';
import { parseFile } from '@footnote/readers/registry/registry';
import type { Chunk, ParsedDocument } from '../../core/document.ts';
import { documentIdOf, sha256 } from '../../core/ids.ts';
import { defined } from '../../core/values/defined.ts';
import { detectLanguage } from '../../text/language/language.ts';
import { fingerprintOf } from '../../text/minhash.ts';
import { contentBeside, uncountedOf } from '../chunk/boilerplate.ts';
import { chunkDocument } from '../chunk/chunk.ts';
import { isSafeId, namesOfLine } from '../chunk/names.ts';
import type { Chunking, CutDocument, CutPlan, LinesJob, LinesRecord, LinesReply } from './parse.ts';
import { toReading } from './reading-editions.ts';

/** Source code has words of its own and is in no human language; an unsure guess is worse than none. */
function languageOf(title: string, parsed: ParsedDocument): string | undefined {
  if (parsed.blocks.some((block) => block.symbol !== undefined)) return undefined;
  const { language, reliable } = detectLanguage(`${title}\n${parsed.text.slice(0, 2000)}`);
  return reliable ? language : undefined;
}

function cut(
  parsed: ParsedDocument,
  { documentId, chunking, ...plan }: CutPlan & { readonly isOriginal: boolean; readonly kind?: string },
): CutDocument {
  const textHash = sha256(parsed.text);
  const title = plan.title ?? parsed.title;
  const shownTitle = title ?? titleFromName(plan.name);
  const language = plan.language ?? parsed.language ?? languageOf(shownTitle, parsed);
  const { text, mime, pages, headings, words, places, metadata, publishedAt, citeByLine, warnings, attachments } =
    parsed;
  return {
    text,
    textHash,
    mime,
    pages,
    headings,
    words,
    places,
    metadata,
    citeByLine,
    warnings,
    documentId,
    chunks:
      text.trim() === ''
        ? []
        : chunkDocument(parsed, { documentId, textHash, title: shownTitle, ...chunking }).map(withoutText),
    fingerprint: fingerprintOf(text, contentBeside(text, uncountedOf(parsed))),
    reading: toReading(plan.kind ?? mime),
    isOriginal: plan.isOriginal,
    ...(title !== undefined && { title }),
    ...(language !== undefined && { language }),
    ...(publishedAt !== undefined && { publishedAt }),
    ...(attachments?.length && { attachments }),
  };
}

/** The text of a chunk is a slice of the document's: it travels once. */
function withoutText({ text: _, documentId: __, ...chunk }: Chunk): CutDocument['chunks'][number] {
  return chunk;
}

/** Throws what the parser throws. `quick` takes the parser of linear time, where the type has one. */
export async function cutFile(input: ParseInput, plan: CutPlan, quick = false): Promise<CutDocument> {
  const parsed = await parseFile(input, quick);
  return cut(parsed, { ...plan, isOriginal: Buffer.from(parsed.text, 'utf8').equals(input.bytes) });
}

/** The documents of a run of JSONL lines, in order, each cut unless the job asks for their facts alone. */
export function readLines(job: LinesJob): LinesReply {
  const only = job.only && new Set(job.only);
  return [...recordsOf(job, only)].map((record) =>
    'error' in record ? { lineNumber: record.lineNumber, fault: record.error.message } : fromRecord(record, job),
  );
}

function fromRecord({ text: body, ...facts }: JsonlRecord, job: LinesJob): LinesRecord {
  const text = body.trim() === '' ? (facts.title ?? '') : body;
  if (text.trim() === '' || job.chunking === undefined) return { ...facts, hasText: text.trim() !== '' };
  return { ...facts, hasText: true, cut: cutLine(text, facts, { ...job, chunking: job.chunking }) };
}

function cutLine(
  text: string,
  facts: Omit<JsonlRecord, 'text'>,
  { source, fileUri, chunking }: LinesJob & { readonly chunking: Chunking },
): CutDocument {
  const { name, ownUri } = namesOfLine(facts, fileUri);
  // The id that the document will most likely get: another one costs only new ids for its chunks.
  const documentId =
    facts.id !== undefined && isSafeId(facts.id) ? facts.id : documentIdOf(source, facts.uri ?? ownUri);
  const parsed = parsedDocument({ text, mime: 'text/plain', blocks: paragraphBlocks(text), citeByLine: false });
  const { title, language } = facts;
  return cut(
    parsed,
    defined({ documentId, chunking, name, kind: 'application/jsonl', isOriginal: true, title, language }),
  );
}
