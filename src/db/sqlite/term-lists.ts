// Which memories have a word, in SQLite: a look for each, as looks cost microseconds and most words are never asked for.
import type { OpenTermLists } from '../both/memories/recall.ts';
import { rowNames } from '../both/memories/rows.ts';
import { rows } from '../statements.ts';

const newestSql = 'SELECT memory FROM memory_term WHERE owner = ? AND term = ? ORDER BY memory DESC LIMIT ?';
const amongSql = 'SELECT memory FROM memory_term WHERE owner = ? AND term = ? AND memory = ANY(?)';

interface Row {
  readonly memory: number;
}

export const openTermLists: OpenTermLists = ({ owner, limit }) => ({
  newest: function* (term) {
    return (yield* rows<Row>(newestSql, owner, term, limit)).map(({ memory }) => memory);
  },
  among: function* (term, memories) {
    return new Set((yield* rows<Row>(amongSql, owner, term, rowNames(memories))).map(({ memory }) => memory));
  },
});
