// What readers make of the samples, as one hash for each kind: that two hashes differ says that a reader was changed. Warnings do not count:
// a better sentence is no reason to read a library again.

import { parsedDocument } from '@footnote/readers/canonical/canonical-text';
import { formatOfMime } from '@footnote/readers/media-types';
import { parseFile } from '@footnote/readers/registry/registry';
import { sha256 } from '../../src/core/ids.ts';
import { chunkDocument } from '../../src/ingest/chunk/chunk.ts';
import { currentEdition } from '../../src/ingest/read/reading-editions.ts';
import { readingSamples } from './reading-samples.ts';

export interface ReadingDigest {
  readonly edition: number;
  /** The first half of a SHA-256, hex. */
  readonly digest: string;
}

/** By kind, sorted; `cutting` is what all kinds go through after their reader. */
export type ReadingDigests = Readonly<Record<string, ReadingDigest>>;

export const cutting = 'cutting';

const digestOf = (value: unknown): string => sha256(JSON.stringify(value)).slice(0, 32);

export async function digestsNow(): Promise<ReadingDigests> {
  const readings = new Map<string, unknown[]>();
  for (const { name, bytes } of await readingSamples()) {
    const { warnings: _, attachments = [], ...reading } = await parseFile({ name, bytes });
    const kind = formatOfMime(reading.mime)?.mime ?? reading.mime;
    const inside = attachments.map((one) => ({ ...one, bytes: sha256(one.bytes) }));
    readings.set(kind, [...(readings.get(kind) ?? []), { name, reading, inside }]);
  }
  const kinds = [...readings].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return {
    [cutting]: { edition: currentEdition(cutting), digest: digestOf(cutSample()) },
    ...Object.fromEntries(
      kinds.map(([kind, some]) => [kind, { edition: currentEdition(kind), digest: digestOf(some) }] as const),
    ),
  };
}

/** Chunks of a document that no reader made: sections, long paragraphs, a table, code and boilerplate. */
function cutSample(): unknown {
  const pieces: {
    readonly kind: 'heading' | 'paragraph' | 'table-row' | 'code' | 'boilerplate';
    readonly text: string;
  }[] = ['One', 'Two', 'Three'].flatMap((title, section) => [
    { kind: 'heading' as const, text: title },
    ...Array.from({ length: 12 }, (_, at) => ({
      kind: 'paragraph' as const,
      text: `Sentence ${at} of section ${section} says what it says. ${'It goes on with more words. '.repeat(at)}`.trim(),
    })),
    { kind: 'table-row' as const, text: 'item | price' },
    { kind: 'table-row' as const, text: 'anvil | 40' },
    { kind: 'code' as const, text: 'print(1)\nprint(2)' },
    { kind: 'boilerplate' as const, text: 'Imprint and contact' },
  ]);
  let text = '';
  const blocks = pieces.map(({ kind, text: piece }) => {
    const start = text === '' ? 0 : text.length + 2;
    text = text === '' ? piece : `${text}\n\n${piece}`;
    return { kind, start, end: text.length };
  });
  const starts = blocks.filter(({ kind }) => kind === 'heading').map(({ start }) => start);
  const headings = starts.map((start, at) => ({
    level: 1,
    title: text.slice(start, text.indexOf('\n', start)),
    start,
    end: starts[at + 1] ?? text.length,
  }));
  const parsed = parsedDocument({ text, mime: 'text/markdown', headings, blocks, citeByLine: true });
  const identity = { documentId: 'd', textHash: sha256(text) };
  return [1000, 60].map((maxTokens) =>
    chunkDocument(parsed, { ...identity, maxTokens, overlapTokens: 20, minTokens: 30 }),
  );
}
