// Turns what a model wrote as a claim into plain text on one line: no image, link, tag, citation mark or control character of its own.
// Invariant: what comes out can make no client fetch anything; an address stays only where the cited passage has the very same one.
import { toInert } from '../../core/answers/inert-text.ts';
import { withSingleBlanks } from '../../text/one-line.ts';
import { outsideCode, withoutEmphasis } from '../claim-text.ts';

export interface PlainClaim {
  readonly text: string;
  /** What was taken away, for the trace: `image-removed`, `link-removed`, `markup-removed`, `mark-removed`, `character-removed`. */
  readonly notes: readonly string[];
}

/** Half a character, bytes that were none, a control in the middle of a word. */
const characters = /\ufffd|(?![\s\u0085])\p{Cc}/gu;
/** What is taken away outside of code; `kept` is left of it. */
const removals = (
  [
    ['image-removed', /!\[[^[\]]*\](?:\((?:[^()]|\([^()]*\))*\)|\[[^[\]]*\])?/gu],
    ['link-removed', /(?<!!)\[(?<kept>[^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/gu],
    ['link-removed', /^[ \t]*\[[^[\]]+\]:\s*\S+.*$/gmu],
    ['markup-removed', /<!--[\s\S]*?(?:-->|$)/gu],
    ['markup-removed', /<(?<tag>script|style|iframe|svg|object)\b[\s\S]*?(?:<\/\k<tag>\s*>|$)/giu],
    ['markup-removed', /<\/?[a-z][^>]*(?:>|$)/giu],
  ] as const
).map(([note, pattern]) => [note, outsideCode(pattern)] as const);
const marks = outsideCode(/\s?\[\d{1,3}(?:\s*[,–-]\s*\d{1,3})*\]|\s?【[^】]{0,40}】/gu);

/**
 * True where a passage, on one line, has the brackets right behind the same word or between the same words, or a sentence of it begins with them: they are
 * no mark of a citation. A text that stands free in a claim and a passage before one same word only could be a mark of each.
 */
function isWritten(found: string, at: number, text: string, passages: readonly string[]): boolean {
  const isFree = at === 0 || /^\s/u.test(found);
  const word = isFree ? /(?<!\S)\S*$/u : /(?<![\p{L}\p{N}_)\]])[\p{L}\p{N}_)\]]*$/u;
  const before = word.exec(text.slice(Math.max(0, at - 40), at))?.[0] ?? '';
  const behind = /^\s?[\p{L}\p{N}_]+/u.exec(text.slice(at + found.length, at + found.length + 40))?.[0] ?? '';
  if (isFree ? behind === '' : before === '') return false;
  const written = withSingleBlanks(`${before}${found}${behind}`);
  if (before !== '') return passages.some((passage) => passage.includes(written));
  return passages.some((passage) =>
    ['. ', ': ', '! ', '? '].some((end) => `. ${passage}`.includes(`${end}${written}`)),
  );
}

/** Plain text of a claim; empty where nothing was said. What `passages` have in brackets is no mark of a citation. Total. */
export function toPlainClaim(written: string, passages: readonly string[] = []): PlainClaim {
  const notes = new Set<string>();
  let folded: readonly string[] | undefined;
  const onOneLines = (): readonly string[] => (folded ??= passages.map(withSingleBlanks));
  let text = written.normalize('NFC').replace(/^\s*(?:[-*•]\s+)+/u, '');
  const take = (note: string, without: string): void => {
    if (without !== text) notes.add(note);
    text = without;
  };
  // What is taken away may bring together what then is markup: "![a![b](c)](d)".
  for (let round = 0, before = ''; round < 4 && before !== text; round += 1) {
    before = text;
    take('character-removed', text.replace(characters, ''));
    for (const [note, remove] of removals)
      take(
        note,
        remove(text, (_, { kept = ' ' }) => kept),
      );
    const said = text;
    take(
      'mark-removed',
      marks(said, (found, _, at) => (isWritten(found, at, said, onOneLines()) ? found : '')),
    );
    take('markup-removed', withoutEmphasis(text));
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
