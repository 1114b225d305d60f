// What judges said of answers, in SQLite.
import type { Evaluation } from '../../../core/evaluation.ts';
import { lowGroundedness } from '../../../core/evaluation.ts';
import type { Scope } from '../../../core/scope.ts';
import { parseCursor, toLimit, toPage } from '../../paging.ts';
import type {
  EvaluationDay,
  EvaluationRepository,
  EvaluationsOfJudge,
  EvaluationTotals,
} from '../../repositories/evaluations.ts';
import { prepared, type Reader } from '../file/connection.ts';
import { rowReader } from '../file/row-reader.ts';
import type { Writer } from './sessions.ts';

type Row = Readonly<Record<'at' | 'trace_id' | 'judge', string>>;

const factsOf = rowReader<Omit<Evaluation, 'by' | 'scores'>>(
  'traceId',
  'answerId',
  'sessionId',
  'at',
  'planConfidence',
  'criticCoverage',
  'criticGroundedness',
  'latencyMs',
  'error',
);
const scoresOf = rowReader<Evaluation['scores']>(
  'groundedness',
  'relevance',
  'retrieval',
  'coherence',
  'citationPrecision',
);
const toEvaluation = (row: Row): Evaluation => ({ ...factsOf(row), by: row.judge, scores: scoresOf(row) });

const sums = `count(*) AS evaluations, count(error) AS errors, avg(groundedness) AS groundedness, avg(relevance) AS relevance,
  avg(retrieval) AS retrieval, count(*) FILTER (WHERE groundedness < ${lowGroundedness}) AS low`;
const mine = 'tenant = ? AND (principal = ? OR ?)';

export function createEvaluationRepository(
  { tenant, principal }: Scope,
  read: Reader,
  write: Writer,
): EvaluationRepository {
  const owner = [tenant, principal.id, principal.role === 'admin' ? 1 : 0] as const;
  const rows = (sql: string, ...bound: (string | number)[]): Promise<Evaluation[]> =>
    read((database) =>
      (
        prepared(database, `SELECT * FROM evaluation WHERE ${mine} ${sql}`).all(...owner, ...bound) as unknown as Row[]
      ).map(toEvaluation),
    );

  return {
    save: ({ scores, ...one }) =>
      write((database) => {
        const sql = `INSERT OR REPLACE INTO evaluation
          SELECT tenant, id, ?, principal, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM trace WHERE tenant = ? AND id = ?`;
        const bound = [
          ...[one.by, one.answerId, one.sessionId, one.at],
          ...[scores.groundedness, scores.relevance, scores.retrieval, scores.coherence, scores.citationPrecision],
          ...[one.criticCoverage, one.criticGroundedness, one.latencyMs, one.error, one.planConfidence],
        ].map((value) => value ?? null);
        return prepared(database, sql).run(...bound, tenant, one.traceId).changes > 0;
      }),
    list: (request) =>
      read((database) => {
        const limit = toLimit(request);
        const after = parseCursor(request, ['string', 'string', 'string']);
        const sql = `SELECT * FROM evaluation WHERE ${mine} ${after ? 'AND (at, trace_id, judge) < (?, ?, ?)' : ''} ORDER BY at DESC, trace_id DESC, judge DESC LIMIT ?`;
        const found = prepared(database, sql).all(...owner, ...(after ?? []), limit + 1) as unknown as Row[];
        return toPage(found, limit, { value: toEvaluation, key: (row) => [row.at, row.trace_id, row.judge] });
      }),
    worst: (since, limit) =>
      rows('AND at >= ? AND groundedness IS NOT NULL ORDER BY groundedness, at DESC, trace_id LIMIT ?', since, limit),
    ofTrace: (traceId) => rows('AND trace_id = ? ORDER BY at, judge', traceId),
    totals: () =>
      read((database) => {
        const found = prepared(database, `SELECT ${sums} FROM evaluation WHERE ${mine}`).get(...owner);
        return { ...found } as unknown as EvaluationTotals;
      }),
    byJudge: () =>
      read((database) => {
        const sql = `SELECT judge, ${sums} FROM evaluation WHERE ${mine} GROUP BY judge ORDER BY judge`;
        const found = prepared(database, sql).all(...owner) as unknown as EvaluationsOfJudge[];
        return found.map((one) => ({ ...one }));
      }),
    byDay: (days) =>
      read((database) => {
        const sql = `SELECT substr(at, 1, 10) AS day, ${sums} FROM evaluation WHERE ${mine} GROUP BY day ORDER BY day DESC LIMIT ?`;
        const found = prepared(database, sql).all(...owner, days) as unknown as EvaluationDay[];
        return found.map((one) => ({ ...one })).reverse();
      }),
    besideCritic: (limit) =>
      read((database) => {
        const sql = `SELECT critic_groundedness AS critic, groundedness AS judged FROM evaluation
          WHERE ${mine} AND critic_groundedness IS NOT NULL AND groundedness IS NOT NULL ORDER BY at DESC LIMIT ?`;
        const found = prepared(database, sql).all(...owner, limit);
        return found.map(({ critic, judged }) => ({ critic: Number(critic), judged: Number(judged) }));
      }),
  };
}
