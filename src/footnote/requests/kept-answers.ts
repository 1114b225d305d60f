// Whether answers of a scope are given again: only where the configuration says so, and all that they rest on is in the record, whose changes show.
import { type AnswerCache, createAnswerCache } from '../../agent/answer-cache/answer-cache.ts';
import type { Config } from '../../config.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';

interface Around {
  readonly record: Pick<TenantRecord, 'answerBasis' | 'answers'>;
  /** Stores beside the record that are asked: what they hold may change without a word. */
  readonly beside: number;
}

/** Undefined where every question is searched: also with long-term memory, where the web is asked, and where a model says what to look up. */
export const openAnswerCache = ({ agent, memory, web }: Config, { record, beside }: Around): AnswerCache | undefined =>
  agent.isCachingAnswers && beside === 0 && web.search.provider === undefined && !memory.isOn && !agent.isOrchestrating
    ? createAnswerCache({
        basis: () => record.answerBasis(),
        ttlSeconds: agent.answerCacheTtlSeconds,
        isThere: async (id) => (await record.answers.get(id)) !== undefined,
      })
    : undefined;
