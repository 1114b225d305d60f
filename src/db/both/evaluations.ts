// What judges said of answers.
import type { Evaluation } from '../../core/evaluation.ts';
import { lowGroundedness } from '../../core/evaluation.ts';
import type { Scope } from '../../core/scope.ts';
import { parseCursor, toLimit, toPage } from '../paging.ts';
import type {
  EvaluationDay,
  EvaluationRepository,
  EvaluationsOfJudge,
  EvaluationTotals,
} from '../repositories/evaluations.ts';
import { rowReader } from '../row-reader.ts';
import { first, run, type Statements, type StatementValue } from '../statements.ts';
import { upsert } from './conditions.ts';

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
const mine = 'tenant = ? AND (principal = ? OR ? = 1)';
const putSql = upsert(
  'evaluation',
  ['tenant', 'trace_id', 'judge'],
  `principal answer_id session_id at groundedness relevance retrieval coherence citation_precision critic_coverage
   critic_groundedness latency_ms error plan_confidence`.split(/\s+/u),
);

export function createEvaluationRepository({ tenant, principal }: Scope, statements: Statements): EvaluationRepository {
  const owner = [tenant, principal.id, principal.role === 'admin' ? 1 : 0] as const;
  const mineOnly = <Found>(columns: string, rest: string, ...bound: readonly StatementValue[]) =>
    statements.rows<Found>(`SELECT ${columns} FROM evaluation WHERE ${mine} ${rest}`, ...owner, ...bound);
  const evaluations = async (rest: string, ...bound: readonly StatementValue[]): Promise<Evaluation[]> =>
    (await mineOnly<Row>('*', rest, ...bound)).map(toEvaluation);

  return {
    save: ({ scores, ...one }) =>
      statements.write(function* () {
        const sql = 'SELECT principal FROM trace WHERE tenant = ? AND id = ?';
        const trace = yield* first<{ readonly principal: string }>(sql, tenant, one.traceId);
        if (!trace) return false;
        const said = [
          ...[one.answerId, one.sessionId, one.at],
          ...[scores.groundedness, scores.relevance, scores.retrieval, scores.coherence, scores.citationPrecision],
          ...[one.criticCoverage, one.criticGroundedness, one.latencyMs, one.error, one.planConfidence],
        ].map((value) => value ?? null);
        yield* run(putSql, tenant, one.traceId, one.by, trace.principal, ...said);
        return true;
      }),
    async list(request) {
      const limit = toLimit(request);
      const after = parseCursor(request, ['string', 'string', 'string']);
      const rest = `${after ? 'AND (at, trace_id, judge) < (?, ?, ?)' : ''} ORDER BY at DESC, trace_id DESC, judge DESC LIMIT ?`;
      const found = await mineOnly<Row>('*', rest, ...(after ?? []), limit + 1);
      return toPage(found, limit, { value: toEvaluation, key: (row) => [row.at, row.trace_id, row.judge] });
    },
    worst: (since, limit) =>
      evaluations(
        'AND at >= ? AND groundedness IS NOT NULL ORDER BY groundedness, at DESC, trace_id LIMIT ?',
        since,
        limit,
      ),
    ofTrace: (traceId) => evaluations('AND trace_id = ? ORDER BY at, judge', traceId),
    async totals() {
      const [found] = await mineOnly<EvaluationTotals>(sums, '');
      return { ...(found as EvaluationTotals) };
    },
    async byJudge() {
      const found = await mineOnly<EvaluationsOfJudge>(`judge, ${sums}`, 'GROUP BY judge ORDER BY judge');
      return found.map((one) => ({ ...one }));
    },
    async byDay(days) {
      const rest = 'GROUP BY substr(at, 1, 10) ORDER BY day DESC LIMIT ?';
      const found = await mineOnly<EvaluationDay>(`substr(at, 1, 10) AS day, ${sums}`, rest, days);
      return found.map((one) => ({ ...one })).reverse();
    },
    async besideCritic(limit) {
      const rest = 'AND critic_groundedness IS NOT NULL AND groundedness IS NOT NULL ORDER BY at DESC LIMIT ?';
      type Found = { readonly critic: number; readonly judged: number };
      const found = await mineOnly<Found>('critic_groundedness AS critic, groundedness AS judged', rest, limit);
      return found.map(({ critic, judged }) => ({ critic, judged }));
    },
  };
}
