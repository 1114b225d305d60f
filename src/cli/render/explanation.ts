// Prints why a hit stands where it stands as sums that a reader can check: score = words + meaning, each its weight times its
// share; words = BM25 + nearness; BM25 = its terms, each with what it was computed from.
import type { Evidence, SearchResponse } from '../../core/search.ts';

type Explanation = NonNullable<Evidence['explanation']>;
type Fusion = NonNullable<Explanation['fusion']>;

const number = (value: number): string => value.toFixed(3);
/** Reciprocal ranks lie near 0.016: three digits would hide the sum. */
const share = (value: number): string => value.toFixed(4);

function sumLine(
  name: string,
  total: number,
  { parts, print = number }: { parts: readonly (readonly [label: string, value: number])[]; print?: typeof number },
): string {
  return `${name} ${print(total)} = ${parts.map(([label, value]) => `${label} ${print(value)}`).join(' + ')}`;
}

/** Lines for one hit; none where it was not explained. */
export function explanationLines(evidence: Evidence): readonly string[] {
  const { explanation } = evidence;
  if (!explanation) return [];
  const places = Object.entries(evidence.ranks).map(([list, rank]) => `rank ${rank} of ${list}`);
  if (explanation.kind) {
    const { kind, ...own } = explanation;
    const { name, rank, score, normalised, weight } = kind;
    const inner: Evidence = { ...evidence, scores: { ...evidence.scores, fused: score }, explanation: own };
    return [
      `score ${share(evidence.scores.fused)} = what the kind ${name} counts ${share(weight)} x share of its best score ${share(normalised)}, rank ${rank} of ${name}`,
      ...rankingLines(evidence),
      ...explanationLines(inner),
    ];
  }
  if (explanation.fusion) return [...joinedLines(evidence, explanation.fusion), ...explanation.notes];
  if (evidence.scores.bm25 === undefined && explanation.terms.length === 0)
    return [[`score ${number(evidence.scores.fused)} by meaning`, ...places].join(', '), ...explanation.notes];
  const [first = '', ...rest] = wordLines('score', evidence.scores.fused, { explanation, bm25: evidence.scores.bm25 });
  return [[first, ...places].join(', '), ...rest, ...explanation.notes];
}

/** What the order rests on beside the search, each under its name. */
function rankingLines({ score, scores, explanation }: Evidence): readonly string[] {
  const ranking = explanation?.ranking?.filter(({ weight }) => weight !== 0) ?? [];
  if (ranking.length === 0) return [];
  const parts = [['search', scores.fused] as const, ...ranking.map(({ name, weight }) => [name, weight] as const)];
  return [sumLine('  ordered by', score, { parts, print: share })];
}

function joinedLines({ scores, ranks, explanation }: Evidence, { lexical, vector }: Fusion): readonly string[] {
  const parts: (readonly [string, number])[] = [];
  if (lexical) parts.push(['words', lexical.contribution]);
  if (vector) parts.push(['meaning', vector.contribution]);
  const alone = [
    lexical ? `by words alone #${lexical.rank}` : 'not found by words',
    vector ? `by meaning alone #${vector.rank}` : 'not found by meaning',
  ];
  const rank = ranks['hybrid'] === undefined ? [] : [`rank ${ranks['hybrid']} of hybrid`];
  const lines = [
    `${[sumLine('score', scores.fused, { parts, print: share }), ...rank].join(', ')}: ${alone.join(', ')}`,
  ];
  for (const [name, standing] of [
    ['words', lexical],
    ['meaning', vector],
  ] as const) {
    if (!standing) continue;
    const { contribution, weight, normalised, score } = standing;
    lines.push(
      `  ${name} ${share(contribution)} = weight ${share(weight)} x normalised ${share(normalised)}, from score ${number(score)}`,
    );
  }
  if (lexical && explanation) lines.push(...wordLines('words', lexical.score, { explanation, bm25: scores.bm25 }));
  return lines;
}

/** The score of the leg by words, down to its terms. */
function wordLines(
  name: string,
  total: number,
  { explanation, bm25: given }: { explanation: Explanation; bm25: number | undefined },
): readonly string[] {
  const { terms, proximity = [] } = explanation;
  const bm25 = given ?? terms.reduce((sum, { weight }) => sum + weight, 0);
  const near = proximity.reduce((sum, { weight }) => sum + weight, 0);
  const parts: (readonly [string, number])[] = [['BM25', bm25]];
  if (near > 0) parts.push(['nearness', near]);
  const lines = [sumLine(name, total, { parts })];
  if (terms.length > 0)
    lines.push(
      sumLine('BM25', bm25, { parts: terms.map(({ term, weight }) => [term, weight] as const) }),
      ...termTable(terms),
    );
  if (near > 0)
    lines.push(
      sumLine('nearness', near, { parts: proximity.map((one) => [one.terms.join(' '), one.weight] as const) }),
      ...nearLines(proximity),
    );
  return lines;
}

function termTable(terms: Explanation['terms']): readonly string[] {
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

function nearLines(proximity: NonNullable<Explanation['proximity']>): readonly string[] {
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

/** What each leg asked would have returned alone, in numbers of the results shown; `?` is a hit that is not among them. */
export function legLines({ legs, results }: SearchResponse): readonly string[] {
  const shown = new Map(results.map(({ chunkId }, place) => [chunkId, place + 1]));
  const told = (ids: readonly string[]): string =>
    ids.length === 0 ? 'nothing' : ids.map((id) => shown.get(id) ?? '?').join(', ');
  const lines: string[] = [];
  if (legs?.lexical) lines.push(`by words alone: ${told(legs.lexical)}`);
  if (legs?.vector) lines.push(`by meaning alone: ${told(legs.vector)}`);
  return lines.length === 0 ? [] : [...lines, 'numbers are those of the results above, ? is none of them'];
}
