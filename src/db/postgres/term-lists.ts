// Which memories have which words, in PostgreSQL: the newest of each are asked for once, and so is which of those that were found have which of the
// others, as long as no more are found.
import type { OpenTermLists } from '../both/memories/recall.ts';
import { rowNames } from '../both/memories/rows.ts';
import { rows, type Steps } from '../statements.ts';

const newestSql = `SELECT t.term, m.memory FROM unnest(?2::text[]) AS t (term) CROSS JOIN LATERAL (
  SELECT memory FROM memory_term WHERE owner = ?1 AND term = t.term ORDER BY memory DESC LIMIT ?3) AS m`;
const amongSql = 'SELECT term, memory FROM memory_term WHERE owner = ? AND term = ANY(?) AND memory = ANY(?)';

interface Row {
  readonly term: string;
  readonly memory: number;
}

const byTerm = (found: readonly Row[]): ReadonlyMap<string, readonly number[]> =>
  new Map(
    Map.groupBy(found, ({ term }) => term)
      .entries()
      .map(([term, some]) => [term, some.map(({ memory }) => memory)]),
  );

export const openTermLists: OpenTermLists = ({ owner, terms, limit }) => {
  let newest: ReadonlyMap<string, readonly number[]> | undefined;
  let sought: ReadonlySet<number> = new Set();
  let among: ReadonlyMap<string, readonly number[]> = new Map();
  return {
    newest: function* (term): Steps<readonly number[]> {
      newest ??= byTerm(yield* rows<Row>(newestSql, owner, terms, limit));
      return newest.get(term) ?? [];
    },
    among: function* (term, memories): Steps<ReadonlySet<number>> {
      if (memories.some((memory) => !sought.has(memory))) {
        among = byTerm(yield* rows<Row>(amongSql, owner, terms, rowNames(memories)));
        sought = new Set(memories);
      }
      const wanted = new Set(memories);
      return new Set((among.get(term) ?? []).filter((memory) => wanted.has(memory)));
    },
  };
};
