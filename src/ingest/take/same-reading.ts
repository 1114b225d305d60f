// Whether a document that was read again came out as it stands in the record. Invariant: true only where neither its text nor its structure, facts
// or chunks differ, so that whoever leaves it as it is loses nothing of what its parser has learnt.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { DocumentRecord } from '../../core/document.ts';
import { toFootnoteError } from '../../core/errors.ts';
import type { DocumentStructure, DocumentWrite } from '../../db/repositories/changes.ts';
import type { DocumentRepository } from '../../db/repositories/documents.ts';

/** As it would come back from the packed lists of the record. */
const kept = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** As it would come back from a row of the record, which holds no half of a character. */
const keptRow = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, member) => (typeof member === 'string' ? member.toWellFormed() : member)));

/** What the reading decided, without what each write says anew. */
function factsOf({ revision: _, updatedAt: __, chunkCount: ___, reading: ____, ...facts }: DocumentRecord): unknown {
  return keptRow(facts);
}

/** Members of a list that are compared without a turn for others: some 3 ms. */
const comparedTogether = 2000;
/** And chunks, which hold their text. */
const chunksTogether = 200;

type Lists = { readonly [name in keyof DocumentStructure]?: readonly unknown[] | undefined };

async function isSameStructure(recorded: Lists, read: Lists): Promise<boolean> {
  const [before, now] = [new Map(Object.entries(recorded)), new Map(Object.entries(read))];
  for (const name of new Set([...before.keys(), ...now.keys()])) {
    const [one, other] = [before.get(name) ?? [], now.get(name) ?? []];
    if (one.length !== other.length) return false;
    for (let at = 0; at < other.length; at += comparedTogether) {
      if (at > 0) await nextTurn();
      if (!isDeepStrictEqual(one.slice(at, at + comparedTogether), kept(other.slice(at, at + comparedTogether))))
        return false;
    }
  }
  return true;
}

/** Whether writing it would change nothing but the revision. */
export async function isSameReading(
  documents: Pick<DocumentRepository, 'structure' | 'chunks'>,
  present: DocumentRecord,
  write: DocumentWrite,
): Promise<boolean> {
  if (!isDeepStrictEqual(factsOf(present), factsOf(write.document))) return false;
  try {
    return await isSameContent(documents, present, write);
  } catch (thrown) {
    // What is damaged is written anew.
    if (toFootnoteError(thrown).code === 'data-corrupt') return false;
    throw thrown;
  }
}

async function isSameContent(
  documents: Pick<DocumentRepository, 'structure' | 'chunks'>,
  present: DocumentRecord,
  { structure, chunks }: DocumentWrite,
): Promise<boolean> {
  if (!(await isSameStructure((await documents.structure(present.id)) ?? {}, structure))) return false;
  const recorded = new Map((await documents.chunks(present.id)).map((chunk) => [chunk.id, chunk]));
  if (recorded.size !== chunks.length) return false;
  for (const [at, chunk] of chunks.entries()) {
    if (at % chunksTogether === chunksTogether - 1) await nextTurn();
    const before = recorded.get(chunk.id);
    if (!isDeepStrictEqual(before, keptRow(chunk))) return false;
  }
  return true;
}
