// Prints why a hit stands where it stands as sums that a reader can check: score = BM25 + nearness, BM25 = its terms, each
// with what it was computed from.
import type { Evidence } from '../core/search.ts';

const number = (value: number): string => value.toFixed(3);

function sumLine(name: string, total: number, parts: readonly (readonly [label: string, value: number])[]): string {
  return `${name} ${number(total)} = ${parts.map(([label, value]) => `${label} ${number(value)}`).join(' + ')}`;
}

/** Lines for one hit; none where it was not explained. */
export function explanationLines({ explanation, scores, ranks }: Evidence): readonly string[] {
  if (!explanation) return [];
  const { terms, proximity = [], notes } = explanation;
  const bm25 = scores.bm25 ?? terms.reduce((sum, { weight }) => sum + weight, 0);
  const near = proximity.reduce((sum, { weight }) => sum + weight, 0);
  const places = Object.entries(ranks).map(([list, rank]) => `rank ${rank} of ${list}`);
  const lines = [
    sumLine(
      'score',
      scores.fused,
      near > 0
        ? [
            ['BM25', bm25],
            ['nearness', near],
          ]
        : [['BM25', bm25]],
    ),
  ];
  lines[0] = [lines[0], ...places].join(', ');
  if (terms.length > 0)
    lines.push(
      sumLine(
        'BM25',
        bm25,
        terms.map(({ term, weight }) => [term, weight]),
      ),
      ...termTable(terms),
    );
  if (near > 0)
    lines.push(
      sumLine(
        'nearness',
        near,
        proximity.map((one) => [one.terms.join(' '), one.weight]),
      ),
      ...nearLines(proximity),
    );
  return [...lines, ...notes];
}

type Terms = NonNullable<Evidence['explanation']>['terms'];

function termTable(terms: Terms): readonly string[] {
  const rows = terms.map(({ term, weight, tf, df, idf, fields }) => {
    const places = fields
      ? [
          fields.title > 0 ? `title ${fields.title}` : '',
          fields.heading > 0 ? `headings ${fields.heading}` : '',
          fields.body > 0 ? `text ${fields.body}` : '',
        ].filter((place) => place !== '')
      : [];
    return [term, number(weight), `${tf}`, places.join(', '), `${df}`, idf === undefined ? '' : number(idf)];
  });
  const table = [['term', 'weight', 'counts here', 'where', 'chunks with it', 'idf'], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  return table.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
}

function nearLines(proximity: NonNullable<NonNullable<Evidence['explanation']>['proximity']>): readonly string[] {
  return proximity.map(({ terms, adjacent }) => {
    const where =
      adjacent === 0
        ? 'within eight terms of each other'
        : adjacent === 1
          ? 'side by side'
          : `side by side ${adjacent} times`;
    return `  ${terms.join(' ')}: ${where}`;
  });
}
