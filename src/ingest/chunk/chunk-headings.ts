// Where the headings of a document stand in its chunks: passages are shown under them, and a chunk that was joined of short sections holds several.
import type { ChunkHeadings, Heading, ParsedDocument, SourceSpan } from '../../core/document.ts';

/** The headings of a chunk that has this path. Chunks must be asked for in the order of their starts. */
export function headingsWithin({ text, headings }: Pick<ParsedDocument, 'text' | 'headings'>) {
  const sorted = [...headings].sort((a, b) => a.start - b.start);
  /** Those that began before the chunk, outermost first. */
  let over: Heading[] = [];
  let first = 0;
  return ({ start, end, path }: SourceSpan & { readonly path: readonly string[] }): ChunkHeadings => {
    for (let next = sorted[first]; next && next.start < start; next = sorted[++first])
      over = [...over.filter((heading) => heading.end > (next?.start ?? 0)), next];
    over = over.filter((heading) => heading.end > start);
    const unnamed = over.findIndex(({ title }, at) => title !== path[at]);
    const within: ChunkHeadings[number][] = (unnamed < 0 ? [] : over.slice(unnamed)).map(({ level, title }) => ({
      start: 0,
      end: 0,
      level,
      title,
    }));
    for (let at = first; at < sorted.length && (sorted[at] as Heading).start < end; at += 1) {
      const heading = sorted[at] as Heading;
      const from = heading.start - start;
      const { level, title } = heading;
      const written = endOf(text, heading);
      if (written === undefined) within.push({ start: from, end: from, level, title });
      else if (written <= end) within.push({ start: from, end: written - start, level });
    }
    return within;
  };
}

/** Where the words of a heading end: it may be marked (`## Fees`) and go over lines. Undefined where they do not stand there. */
function endOf(text: string, { start, end, title }: Heading): number | undefined {
  let at = start;
  for (const word of title.split(/\s+/u)) {
    const found = text.slice(at, at + longestBetween + word.length).indexOf(word);
    if (found < 0) return undefined;
    at += found + word.length;
  }
  const line = text.indexOf('\n', at);
  const last = line < 0 || line > end ? end : line;
  // Signs that close a heading in Markdown are its own; a text that goes on in its line is not.
  return /[\p{L}\p{N}]/u.test(text.slice(at, last)) ? at : last;
}

/** Most characters between two words of a heading, such as signs of emphasis. */
const longestBetween = 12;
