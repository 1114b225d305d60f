// The documents with which a dry run would link a text: recorded ones, and others that the same run would write.
// Invariant: nothing is written, and memory is bounded; what is found is what the real run would link.

import {
  documentsPerKey,
  duplicateOf,
  type Fingerprint,
  keysOf,
  soughtKeysOf,
  type VersionFacts,
} from '../../core/documents/fingerprint.ts';
import type { DuplicateLink } from '../../core/documents/runs.ts';
import type { DocumentWrite } from '../../db/repositories/changes.ts';
import type { DocumentRepository } from '../../db/repositories/documents.ts';

/** Of one run, about 3 kB each; later ones are compared with these and with what is recorded. */
const mostDocuments = 20_000;
/** Those told of a file; the document itself names more. */
export const toldDuplicates = 5;

interface PlannedDocument extends VersionFacts, Fingerprint {
  readonly id: string;
}

export interface DryRunDuplicates {
  /** A document that the run would write. */
  add(write: DocumentWrite): void;
  /** Most similar first, at most 5. To be asked when the run has ended. */
  of(documentId: string): Promise<readonly DuplicateLink[]>;
}

export function createDryRunDuplicates(
  documents: Pick<DocumentRepository, 'duplicates' | 'similar'>,
): DryRunDuplicates {
  const planned = new Map<string, PlannedDocument>();
  const byKey = new Map<number, PlannedDocument[]>();
  const byWords = new Map<string, PlannedDocument[]>();

  const among = (one: PlannedDocument): readonly DuplicateLink[] => {
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
      if (fingerprint === undefined || planned.size >= mostDocuments || planned.has(document.id)) return;
      const { id, uri, title, version } = document;
      const one: PlannedDocument = { id, uri, title, version, ...fingerprint };
      planned.set(id, one);
      for (const key of keysOf(fingerprint)) append(byKey, key, one);
      append(byWords, fingerprint.wordsHash, one);
    },
    async of(documentId) {
      const one = planned.get(documentId);
      const recorded = one ? await documents.similar(one, one) : await documents.duplicates(documentId);
      // What the run would write anew is compared as it would be.
      const links = [...(one ? among(one) : []), ...recorded.filter((link) => !planned.has(link.documentId))];
      return links
        .toSorted((a, b) => b.similarity - a.similarity || (a.documentId < b.documentId ? -1 : 1))
        .slice(0, toldDuplicates);
    },
  };
}

function append<Key>(lists: Map<Key, PlannedDocument[]>, key: Key, one: PlannedDocument): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [one]);
  else if (list.length < documentsPerKey) list.push(one);
}
