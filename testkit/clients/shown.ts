// What a client shows of an answer: found in all that it gives to its program, whatever its shape, by the values that the answer itself has.

/** What a client gives to its program. */
export interface Given {
  readonly text: string;
  /** All of it, in the client's own types. */
  readonly result: unknown;
}

/** One citation of the answer that was asked for, and the text of its mark. */
export interface Sought {
  readonly url: string;
  readonly quote: string;
  readonly mark: string;
}

type Cell = readonly string[];
export interface Shown {
  readonly marks: Cell;
  readonly links: Cell;
  readonly quotes: Cell;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Of the whole answer: claims and passages here say what the quote says, and are no quotes. */
const others: ReadonlySet<string> = new Set(['claims', 'passages']);

/** Names of fields that lead to what is sought, without the places in lists. Each object is looked into once, and what it keeps for itself is left out. */
function pathsOf(value: unknown, isSought: (one: unknown) => boolean): readonly string[] {
  const found = new Set<string>();
  const seen = new Set<unknown>();
  const visit = (one: unknown, path: readonly string[]): void => {
    if (isSought(one)) found.add(path.join('.'));
    if (!isRecord(one) || seen.has(one) || path.length > 12) return;
    seen.add(one);
    for (const [key, inner] of Object.entries(one))
      if (!key.startsWith('_') && !others.has(key)) visit(inner, Array.isArray(one) ? path : [...path, key]);
  };
  visit(value, []);
  return [...found].filter((path) => path !== '');
}

/** The places where a program finds something soonest; the whole answer repeats most of it. */
const soonest = (paths: readonly string[]): Cell => {
  const own = paths.filter((path) => !path.split('.').includes('footnote'));
  const depth = (path: string): number => path.split('.').length;
  return (own.length > 0 ? own : paths).toSorted((a, b) => depth(a) - depth(b)).slice(0, 3);
};

const places: readonly (readonly [string, string])[] = [
  ['start', 'end'],
  ['start_index', 'end_index'],
  ['startIndex', 'endIndex'],
];

export function shownIn({ text, result }: Given, { url, quote, mark }: Sought): Shown {
  const at = text.indexOf(mark);
  const isPlace = (one: unknown): boolean =>
    isRecord(one) && places.some(([start, end]) => one[start] === at && one[end] === at + mark.length);
  return {
    marks:
      at >= 0 ? [text.includes(mark, at + 1) ? 'text, repeated' : 'text', ...soonest(pathsOf(result, isPlace))] : [],
    links: soonest(pathsOf(result, (one) => one === url)),
    quotes: soonest(pathsOf(result, (one) => one === quote)),
  };
}

const code = (cell: Cell): string => cell.map((one) => (one.startsWith('text') ? one : `\`${one}\``)).join(', ');

/** What both ways of asking give, and what one of them gives alone. */
function cellOf(plain: Cell | undefined, streamed: Cell): string {
  const whole = plain ?? streamed;
  if (JSON.stringify(whole) === JSON.stringify(streamed)) return code(whole);
  return `${code(whole) || 'no'}; in streams ${code(streamed) || 'no'}`;
}

/** `linked`: whether the text has links where the model is one of those. */
export function rowOf(
  name: string,
  {
    plain,
    streamed,
    linked,
  }: { readonly plain?: Shown | undefined; readonly streamed: Shown; readonly linked: boolean },
): string {
  const [marks, links, quotes] = (['marks', 'links', 'quotes'] as const).map((what) =>
    cellOf(plain?.[what], streamed[what]),
  );
  return `| ${name} | ${marks || 'no'} | ${links || (linked ? 'in the text, with `:links`' : 'no')} | ${quotes || 'no'} |`;
}
