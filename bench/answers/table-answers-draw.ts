// Draws the names and figures of generated files from a seed, none twice, and questions about the cells of a grid. What a question asks for stands in
// one place of one file only.
import { pick, type Random } from '../../testkit/forge/forge-words.ts';

export interface TableQuestion {
  readonly id: string;
  readonly kind: string;
  readonly question: string;
  /** What the first claim has to hold. */
  readonly answer: string;
  /** End of the uri of the document that holds it. */
  readonly file: string;
  /** What the cited passage has to hold: the name of the row. */
  readonly label: string;
  /** The label of the citation's place, where the format has one. */
  readonly place?: string;
}

export interface Written {
  readonly name: string;
  readonly bytes: Uint8Array | string;
  readonly questions: readonly Omit<TableQuestion, 'id' | 'kind' | 'file'>[];
}

export const shuffled = <T>(items: readonly T[], random: Random): T[] => {
  const left = [...items];
  return items.map(() => left.splice(Math.floor(random() * left.length), 1)[0] as T);
};
const monthNames = 'January February March April May June July August September October November December'.split(' ');
const syllables = 'bar lin tor mes kal dun ver hol sta ren gri pol mar vik sund eck hau nor wes fal'.split(' ');

/** Draws words and figures, none twice. */
export function drawer(random: Random) {
  const seen = new Set<string>();
  const fresh = (draw: () => string): string => {
    for (let tries = 0; tries < 10_000; tries += 1) {
      const drawn = draw();
      if (seen.has(drawn)) continue;
      seen.add(drawn);
      return drawn;
    }
    throw new Error('There are not enough different values to draw.');
  };
  const between = (from: number, to: number): number => from + Math.floor(random() * (to - from));
  const name = (): string =>
    fresh(() => {
      const word = `${pick(syllables, random)}${pick(syllables, random)}${random() < 0.5 ? '' : pick(syllables, random)}`;
      return word.charAt(0).toUpperCase() + word.slice(1);
    });
  return {
    random,
    name,
    whole: (from: number, to: number): string => fresh(() => String(between(from, to))),
    decimal: (from: number, to: number): string => fresh(() => (between(from * 100, to * 100) / 100).toFixed(2)),
    code: (letter: string): string => fresh(() => `${letter}${between(100, 999)}`),
    date: (): string => fresh(() => `${between(1, 28)} ${pick(monthNames, random)} ${between(2027, 2034)}`),
    time: (): string => fresh(() => `${between(10, 24)}:${between(10, 60)}`),
    person: (): string => `${name()} ${name()}`,
  };
}
export type Drawer = ReturnType<typeof drawer>;

export interface Grid {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** `many` questions about cells of a grid: the words of the question by column. */
export function cellQuestions(
  { rows }: Grid,
  asks: Readonly<Record<number, (label: string) => string>>,
  options: { readonly many: number; readonly random: Random; readonly placeOf?: (row: number) => string },
) {
  const columns = Object.keys(asks).map(Number);
  return shuffled(
    rows.map((_, at) => at),
    options.random,
  )
    .slice(0, options.many)
    .map((row, turn) => {
      const column = columns[turn % columns.length] as number;
      const cells = rows[row] as readonly string[];
      const label = cells[0] as string;
      return {
        question: (asks[column] as (label: string) => string)(label),
        answer: cells[column] as string,
        label,
        ...(options.placeOf && { place: options.placeOf(row) }),
      };
    });
}

export const gridOf = (columns: readonly string[], count: number, row: () => readonly string[]): Grid => ({
  columns,
  rows: Array.from({ length: count }, row),
});
