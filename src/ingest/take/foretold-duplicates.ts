// Which documents a text would be linked with that a dry run only looks at: those that are recorded, and those that the same run would
// bring. Invariant: nothing is written, and memory is bounded; what is found is what the real run would link.
import {
  documentsPerKey,
  duplicateOf,
  type Fingerprint,
  keysOf,
  soughtKeysOf,
  type VersionFacts,
} from '../../core/documents/fingerprint.ts';
import type { DocumentRepository, DocumentWrite, DuplicateLink } from '../../db/record.ts';

/** Of one run, about 3 kB each; later ones are compared with these and with what is recorded. */
const mostDocuments = 20_000;
/** Those told of a file; the document itself names more. */
export const toldDuplicates = 5;

interface Foreseen extends VersionFacts, Fingerprint {
  readonly id: string;
}

export interface ForetoldDuplicates {
  /** A document that the run would write. */
  add(write: DocumentWrite): void;
  /** Most similar first, at most 5. To be asked when the run has ended. */
  of(documentId: string): Promise<readonly DuplicateLink[]>;
}

export function createForetoldDuplicates(
  documents: Pick<DocumentRepository, 'duplicates' | 'similar'>,
): ForetoldDuplicates {
  const foreseen = new Map<string, Foreseen>();
  const byKey = new Map<number, Foreseen[]>();
  const byWords = new Map<string, Foreseen[]>();

  const among = (one: Foreseen): readonly DuplicateLink[] => {
    const others = new Set([
      ...soughtKeysOf(one).flatMap((key) => byKey.get(key) ?? []),
      ...(byWords.get(one.wordsHash) ?? []),
    ]);
    others.delete(one);
    return [...others].flatMap((other) => {
      const link = duplicateOf(one, other);
      return link ? [{ documentId: other.id, title: other.title, uri: other.uri, ...link }] : [];
    });
  };

  return {
    add({ document, fingerprint }) {
      if (fingerprint === undefined || foreseen.size >= mostDocuments || foreseen.has(document.id)) return;
      const { id, uri, title, version } = document;
      const one: Foreseen = { id, uri, title, version, ...fingerprint };
      foreseen.set(id, one);
      for (const key of keysOf(fingerprint)) append(byKey, key, one);
      append(byWords, fingerprint.wordsHash, one);
    },
    async of(documentId) {
      const one = foreseen.get(documentId);
      const recorded = one ? await documents.similar(one, one) : await documents.duplicates(documentId);
      // What the run would write anew is compared as it would be.
      const links = [...(one ? among(one) : []), ...recorded.filter((link) => !foreseen.has(link.documentId))];
      return links
        .toSorted((a, b) => b.similarity - a.similarity || (a.documentId < b.documentId ? -1 : 1))
        .slice(0, toldDuplicates);
    },
  };
}

function append<Key>(lists: Map<Key, Foreseen[]>, key: Key, one: Foreseen): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [one]);
  else if (list.length < documentsPerKey) list.push(one);
}
