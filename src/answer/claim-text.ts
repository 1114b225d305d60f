// Writes a piece of a document as a sentence for people: on one line, without the marks of Markdown, with words that the end
// of a line cut in two made whole. Whatever the verifier would not accept against the exact text is left as it stands; the
// quote of the citation is never touched.

import { toInert } from '../core/answers/inert-text.ts';
import { withoutAnchors } from '../text/anchors.ts';
import { joinLineEndHyphens } from '../text/line-end-hyphens.ts';
import { withSingleBlanks } from '../text/one-line.ts';
import { standingText } from '../text/struck-text.ts';
import { supportOf } from './support.ts';

/** Marks that Markdown repeats on each line of a quotation are layout, like the line breaks. */
const quotationMark = /(^|\n)[ \t]*(?:>[ \t]?)+/g;

/** The piece as a claim; `reference` is the text around it, which shows how hyphenated words are written. Pure. */
export function claimTextOf(quoted: string, reference: string = quoted): string {
  const piece = standingText(quoted);
  const exact = withSingleBlanks(piece.replace(quotationMark, (mark, line: string) => (line === '' ? mark : ' ')));
  const joined = joinLineEndHyphens(piece.replace(quotationMark, '$1'), reference);
  for (const written of [
    withSingleBlanks(withoutMarkdown(joined)),
    withSingleBlanks(withoutMarkdown(exact)),
    withSingleBlanks(joined),
  ])
    if (written !== '' && (written === exact || supportOf(written, piece).verdict === 'supported'))
      return toInert(written);
  return toInert(exact);
}

type Groups = Readonly<Record<string, string | undefined>>;

/** Replaces what is found outside of code between backticks; what is found may hold code. */
export function outsideCode(
  pattern: RegExp,
): (text: string, by: (found: string, groups: Groups, at: number) => string) => string {
  const codeOr = new RegExp(`(?<!\`)(?<ticks>\`+)(?!\`)[^\`\\n]+\\k<ticks>|${pattern.source}`, pattern.flags);
  return (text, by) =>
    text.replace(codeOr, (found: string, ...rest: unknown[]) => {
      const groups = rest.at(-1) as Groups;
      return groups['ticks'] === undefined ? by(found, groups, rest.at(-3) as number) : found;
    });
}

const links = outsideCode(
  /!?\[(?<label>(?:`[^`\n]+`|[^[\]`\n])+)\](?:\((?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"]*")?\)|\[[^\]\n]*\])/gu,
);
const addresses = outsideCode(/<(?<address>https?:\/\/[^\s<>]+)>/gu);

/** Links and images become their text, emphasis goes; code between backticks stays as it is. */
function withoutMarkdown(text: string): string {
  const once = (written: string): string => links(written, (found, { label = found }) => label);
  // An image in a link, as badges are, leaves an image of the link's address behind.
  const linked = once(once(withoutAnchors(text)));
  return withoutEmphasis(addresses(linked, (found, { address = found }) => address)).replace(
    /^\s*(?:#{1,6}|[-*+])\s+/,
    '',
  );
}

/** Signs in pairs; in scripts without capitals, some of which have no spaces, words may stand right beside them. */
const emphasis = [
  /(?<![\p{LC}\p{N}*\\])(?<signs>\*{1,3})(?=[^\s*])(?<content>(?:`[^`\n]+`|[^*`\n])+)(?<![\s\\])\k<signs>(?![\p{LC}\p{N}*])/gu,
  /(?<![\p{L}\p{N}_\\])(?<signs>_{1,3})(?=[^\s_])(?<content>(?:`[^`\n]+`|[^_`\n])+)(?<![\s\\])\k<signs>(?![\p{L}\p{N}_])/gu,
].map(outsideCode);

/** The text without the signs of emphasis; code between backticks and names like `__init__` stay as they are. */
export function withoutEmphasis(text: string): string {
  return emphasis.reduce(
    (left, replace) =>
      replace(left, (found, { signs = '', content = found }) =>
        signs.startsWith('__') && !/\s/u.test(content) ? found : content,
      ),
    text,
  );
}
