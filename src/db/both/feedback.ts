// What people say of answers.
import { type Feedback, ratings } from '../../core/feedback.ts';
import type { Scope } from '../../core/scope.ts';
import { parseCursor, toLimit, toPage } from '../paging.ts';
import type { CitationRanks, FeedbackRepository, Praised } from '../repositories/feedback.ts';
import { rowReader } from '../row-reader.ts';
import { run, type Statements, type StatementValue } from '../statements.ts';
import { upsert } from './conditions.ts';

interface Row {
  readonly id: string;
  readonly citation: number;
  readonly rating: string;
  readonly created_at: string;
  readonly person: string | null;
}

const factsOf = rowReader<Omit<Feedback, 'rating'>>('id', 'answerId', 'principal', 'comment', 'question', 'createdAt');
const toFeedback = (row: Row): Feedback => ({
  ...factsOf(row),
  rating: ratings.find((rating) => rating === row.rating) ?? 'down',
  ...(row.citation > 0 && { citation: row.citation }),
  ...(row.person !== null && { user: row.person }),
});

const votesSql = `SELECT answer_use.chunk_id, spoken.principal, spoken.rating, spoken.question
  FROM (SELECT * FROM feedback WHERE tenant = ?1 AND citation = 0 AND question IS NOT NULL ORDER BY created_at DESC, id DESC LIMIT ?2) AS spoken
  JOIN answer_use ON answer_use.tenant = ?1 AND answer_use.answer_id = spoken.answer_id AND answer_use.is_cited = 1
  ORDER BY spoken.created_at DESC, spoken.id DESC, answer_use.chunk_id`;

/** `rows`: citations by answer, person and rating, of one tenant. */
const ranksOf = (
  rows: string,
): string => `SELECT count(*) AS judgements, avg(CASE WHEN best IS NULL THEN 0 ELSE CAST(1 AS double precision) / best END) AS "meanReciprocalRank",
  coalesce(sum(good), 0) AS good, coalesce(sum(of_three), 0) AS "goodOfThree" FROM (
    SELECT min(CASE WHEN rating = 'up' THEN citation END) AS best, sum(CASE WHEN rating = 'up' THEN 1 ELSE 0 END) AS good,
      sum(CASE WHEN rating = 'up' AND citation <= 3 THEN 1 ELSE 0 END) AS of_three
    FROM (${rows}) AS cited GROUP BY answer_id, principal) AS judged`;
const ranksSql = ranksOf('SELECT * FROM feedback WHERE tenant = ?1 AND citation > 0');
const openedSql = ranksOf("SELECT citation_open.*, 'up' AS rating FROM citation_open WHERE tenant = ?1");
/** Of an answer that is still there. */
const openSql = `INSERT INTO citation_open (tenant, answer_id, principal, citation)
  SELECT tenant, id, ?, CAST(? AS integer) FROM answer WHERE tenant = ? AND id = ? ON CONFLICT DO NOTHING`;

const praisedSql = `SELECT answer_id AS "answerId", question, created_at AS at FROM feedback WHERE tenant = ? AND principal = ? AND citation = 0
  AND rating = 'up' AND question IS NOT NULL AND coalesce(person, '') = ? ORDER BY created_at DESC, id DESC LIMIT ?`;

const putSql = upsert(
  'feedback',
  ['tenant', 'answer_id', 'principal', 'citation'],
  ['id', 'rating', 'comment', 'question', 'created_at', 'person'],
);

interface VoteRow {
  readonly chunk_id: string;
  readonly principal: string;
  readonly rating: string;
  readonly question: string;
}

export function createFeedbackRepository({ tenant, principal }: Scope, statements: Statements): FeedbackRepository {
  const ranksBy = async (sql: string): Promise<CitationRanks> => {
    const [found] = await statements.rows<CitationRanks>(sql, tenant);
    return { judgements: 0, meanReciprocalRank: null, good: 0, goodOfThree: 0, ...found };
  };
  return {
    put: ({ id, answerId, principal: by, rating, comment, citation, question, user, createdAt }) =>
      statements.write(function* () {
        const said = [id, rating, comment ?? null, question ?? null, createdAt, user ?? null] as const;
        yield* run(putSql, tenant, answerId, by, citation ?? 0, ...said);
      }),
    praised: (ofUser, limit) => statements.rows<Praised>(praisedSql, tenant, principal.id, ofUser, limit),
    async votes(limit) {
      const found = await statements.rows<VoteRow>(votesSql, tenant, limit);
      return found.map(({ chunk_id, principal: by, rating, question }) => ({
        chunkId: chunk_id,
        principal: by,
        rating: rating === 'up' ? 'up' : 'down',
        question,
      }));
    },
    ranks: () => ranksBy(ranksSql),
    open: (answerId, citation) =>
      statements.write(function* () {
        yield* run(openSql, principal.id, citation, tenant, answerId);
      }),
    openedRanks: () => ranksBy(openedSql),
    async list(request) {
      const limit = toLimit(request);
      const after = parseCursor(request, ['string', 'string']);
      const conditions: readonly (readonly [condition: string, ...values: (StatementValue | undefined)[]])[] = [
        ['tenant = ?', tenant],
        ['principal = ?', principal.role === 'admin' ? undefined : principal.id],
        ['rating = ?', request.rating],
        ['answer_id = ?', request.answerId],
        ['(created_at, id) < (?, ?)', after?.[0], after?.[1]],
      ];
      const given = conditions.filter(([, value]) => value !== undefined);
      const where = given.map(([condition]) => condition).join(' AND ');
      const bound = given.flatMap(([, ...values]) => values as readonly StatementValue[]);
      const sql = `SELECT * FROM feedback WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT ?`;
      return toPage(await statements.rows<Row>(sql, ...bound, limit + 1), limit, {
        value: toFeedback,
        key: ({ created_at, id }) => [created_at, id],
      });
    },
  };
}
