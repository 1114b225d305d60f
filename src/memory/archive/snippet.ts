// The piece of a turn that says most of a query: a window of its text around the words that were asked for, cut where words end.
import type { ArchiveMessage } from '../../core/archive.ts';
import { analyzeWords } from '../../text/analyze.ts';

const windowCharacters = 240;
/** A long message is looked through up to here. */
const searchedCharacters = 20_000;

export interface Snippet {
  readonly message: ArchiveMessage;
  readonly text: string;
}

export function snippetOf(
  messages: readonly ArchiveMessage[],
  terms: ReadonlySet<string>,
  language: string,
): Snippet | undefined {
  let best: { readonly message: ArchiveMessage; readonly start: number; readonly score: number } | undefined;
  for (const message of messages) {
    const words = analyzeWords(message.text.slice(0, searchedCharacters), { language }).filter(({ term }) =>
      terms.has(term),
    );
    for (const [at, { start }] of words.entries()) {
      const inside = words.slice(at).filter(({ end }) => end <= start + windowCharacters);
      const score = new Set(inside.map(({ term }) => term)).size + inside.length / 1000;
      if (best === undefined || score > best.score) best = { message, start, score };
    }
  }
  const [first] = messages;
  if (best)
    return { message: best.message, text: cut(best.message.text, Math.max(0, best.start - windowCharacters / 4)) };
  return first && { message: first, text: cut(first.text, 0) };
}

function cut(text: string, from: number): string {
  let start = Math.floor(from);
  if (start > 0) start = Math.max(0, text.lastIndexOf(' ', start) + 1);
  let end = Math.min(text.length, start + windowCharacters);
  if (end < text.length) {
    const space = text.lastIndexOf(' ', end);
    if (space > start + windowCharacters / 2) end = space;
  }
  const piece = text.slice(start, end).replace(/\s+/gu, ' ').trim().toWellFormed();
  return `${start > 0 ? '… ' : ''}${piece}${end < text.length ? ' …' : ''}`;
}
