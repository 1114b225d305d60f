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
    const within: ChunkHeadings[number][] = over
      .filter(({ title }) => !path.includes(title))
      .map(({ level, title }) => ({ start: 0, end: 0, level, title }));
    for (let at = first; at < sorted.length && (sorted[at] as Heading).start < end; at += 1) {
      const heading = sorted[at] as Heading;
      const written = endOf(text, heading);
      if (written <= end) within.push({ start: heading.start - start, end: written - start, level: heading.level });
    }
    return within;
  };
}

/** Where the words of a heading end: it may be marked (`## Fees`) and go over lines; one that is written otherwise is its line. */
function endOf(text: string, { start, end, title }: Heading): number {
  const endOfLine = (at: number): number => {
    const line = text.indexOf('\n', at);
    return line < 0 || line > end ? end : line;
  };
  let at = start;
  for (const word of title.split(/\s+/u)) {
    const found = text.indexOf(word, at);
    if (found < 0 || found > at + longestBetween) return endOfLine(start);
    at = found + word.length;
  }
  const last = endOfLine(at);
  // Signs that close a heading in Markdown are its own; a text that goes on in its line is not.
  return /\w/u.test(text.slice(at, last)) ? at : last;
}

/** Most characters between two words of a heading, such as signs of emphasis. */
const longestBetween = 12;
