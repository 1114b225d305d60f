// Turns what a model wrote as a claim into plain text on one line: no image, link, tag, citation mark or control character of its own.
// Invariant: what comes out can make no client fetch anything; an address stays only where the cited passage has the very same one.
import { toInert } from '../../core/answers/inert-text.ts';

export interface PlainClaim {
  readonly text: string;
  /** What was taken away, for the trace: `image-removed`, `link-removed`, `markup-removed`, `mark-removed`, `character-removed`. */
  readonly notes: readonly string[];
}

const removals: readonly (readonly [note: string, pattern: RegExp, replacement: string])[] = [
  // Half a character, bytes that were none, a control in the middle of a word.
  ['character-removed', /\ufffd|(?![\s\u0085])\p{Cc}/gu, ''],
  ['image-removed', /!\[[^[\]]*\](?:\((?:[^()]|\([^()]*\))*\)|\[[^[\]]*\])?/gu, ' '],
  ['link-removed', /(?<!!)\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/gu, '$1'],
  ['link-removed', /^[ \t]*\[[^[\]]+\]:\s*\S+.*$/gmu, ' '],
  ['markup-removed', /<!--[\s\S]*?(?:-->|$)/gu, ' '],
  ['markup-removed', /<(script|style|iframe|svg|object)\b[\s\S]*?(?:<\/\1\s*>|$)/giu, ' '],
  ['markup-removed', /<\/?[a-z][^>]*(?:>|$)/giu, ' '],
  ['mark-removed', /\s?\[\d{1,3}(?:\s*[,–-]\s*\d{1,3})*\]|\s?【[^】]{0,40}】/gu, ''],
  ['markup-removed', /\*\*|__(?=\S)|(?<=\S)__/gu, ''],
];

/** Plain text of a claim; empty where nothing was said. Total. */
export function toPlainClaim(written: string): PlainClaim {
  const notes = new Set<string>();
  let text = written.normalize('NFC').replace(/^\s*(?:[-*•]\s+)+/u, '');
  // What is taken away may bring together what then is markup: "![a![b](c)](d)".
  for (let round = 0, before = ''; round < 4 && before !== text; round += 1) {
    before = text;
    for (const [note, pattern, replacement] of removals) {
      const without = text.replace(pattern, replacement);
      if (without !== text) notes.add(note);
      text = without;
    }
  }
  return {
    text: toInert(
      text
        // Not the byte order mark, which is white space to a regular expression: the verifier refuses what is hidden.
        .replace(/(?:(?!\ufeff)[\p{Cc}\s])+/gu, ' ')
        .replace(/ (?=[.,;:!?](?:\s|$))/gu, '')
        .trim(),
    ),
    notes: [...notes],
  };
}

const address =
  /(?:\b[a-z][a-z0-9+.-]{1,20}:\/\/|\/\/(?=[\w-]+\.)|\bwww\.)\S+|\b(?:javascript|vbscript|data|mailto|file|tel):\S+|\b(?:[\p{L}\d-]{1,63}\.){1,10}\p{L}{2,24}(?:[/?#]\S*)/giu;
/** What Markdown or HTML would read as something else than text. */
const markup = /!\[|\]\s?\(|\]\[|<[a-z/!]/iu;

/** Why the claim may not be shown over these quotes, or undefined. Addresses and markup must stand in a quote as they are. */
export function findLink(claim: string, quotes: readonly string[]): string | undefined {
  for (const [found] of claim.matchAll(address)) {
    const link = found.replace(/(?<![.,;:!?)\]'"”’])[.,;:!?)\]'"”’]+$/u, '');
    if (!quotes.some((quote) => quote.includes(link)))
      return 'link-not-in-quote: an address that the passage does not have';
  }
  if (markup.test(claim) && !quotes.some((quote) => quote.replace(/\s+/gu, ' ').includes(claim)))
    return 'markup-not-in-quote: text that a page would read as markup';
  return undefined;
}
