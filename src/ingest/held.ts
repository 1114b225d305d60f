// Pages whose text lost most of its words are not written at once: whether they are what they were is told by the whole run. Invariant: what is
// held is bounded; what found no room is left for the next run.
import type { GateSign } from '@footnote/readers/web/links';
import type { DocumentRecord } from '../core/document.ts';
import type { DocumentWrite } from '../db/repositories/changes.ts';
import type { TenantRecord } from '../db/tenant-record.ts';
import { forEachComparedWord } from '../text/shingles.ts';
import type { Replaced } from './doubts.ts';

/** Of pages that wait, their texts and files. */
const mostCharacters = 64 << 20;
/** Shares of the words that were recorded: a page with fewer waits, and of its text nothing is left where there are fewer still. */
const [fewWordsLeft, noWordsLeft] = [0.5, 0.2];
/** Enough of a text to tell what it is. */
const comparedCharacters = 200_000;

export interface HeldPage {
  readonly replaced: Replaced;
  readonly documentId: string;
  /** As its connector tells versions apart. */
  readonly version: string | undefined;
  /** Absent: it asks not to be kept, so it goes. */
  readonly write?: DocumentWrite | 'later';
}

export interface ArrivedPage {
  readonly uri: string;
  readonly version: string | undefined;
  readonly text: string;
  readonly write?: DocumentWrite;
  signs(): Promise<readonly GateSign[]>;
}

function wordsOf(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  forEachComparedWord(text.slice(0, comparedCharacters), (word) => void words.add(word));
  return words;
}

export function createHeld(documents: Pick<TenantRecord['documents'], 'text'>) {
  const pages: HeldPage[] = [];
  let characters = 0;
  return {
    pages,
    /** Whether a page has to wait for the end of the run: it lost more than half of the words that are recorded of it. */
    async hold({ id }: Pick<DocumentRecord, 'id'>, arrived: ArrivedPage): Promise<boolean> {
      // What is damaged is replaced.
      const before = (await documents.text(id).catch(() => undefined)) ?? '';
      const [words, wordsBefore] = [wordsOf(arrived.text), wordsOf(before)];
      const left = words.intersection(wordsBefore).size / Math.max(1, wordsBefore.size);
      if (left >= fewWordsLeft || wordsBefore.size === 0) return false;
      const { uri, version, text, write } = arrived;
      const signs = await arrived.signs();
      const isLost = left < noWordsLeft || 2 * text.length < before.length;
      const replaced = { uri, words, isLost, signs };
      const size = write ? write.text.length * 2 + (write.file?.length ?? 0) : 0;
      const hasRoom = characters + size <= mostCharacters;
      if (hasRoom) characters += size;
      pages.push({ replaced, documentId: id, version, ...(write && { write: hasRoom ? write : 'later' }) });
      return true;
    },
  };
}

export type Held = ReturnType<typeof createHeld>;
