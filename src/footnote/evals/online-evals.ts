// Draws answers of a running server for judging, once they are kept: the questions are read from their traces, the chunks from the record.
import type { Config } from '../../config.ts';
import { type Answer, asserting } from '../../core/answer.ts';
import type { Clock } from '../../core/ids.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';
import type { JudgedAnswer } from '../../evals/judges/judged-answer.ts';
import {
  createOnlineEvals,
  type Drawn,
  type OnlineEvals,
  type OnlineOptions,
  type OnlineScorer,
  scorerByPanel,
  scorerByRules,
} from '../../evals/online/online.ts';
import type { JudgedFigures } from '../../trace/telemetry/instruments.ts';
import { openFoundry } from './foundry.ts';
import { readContext } from './read-context.ts';

export interface OnlineParts extends Pick<OnlineOptions, 'elapsedMs' | 'giveWay'> {
  readonly judged: ((figures: JudgedFigures) => void) | undefined;
}

/** Runs there are counted against a limit of the vendor: answers that wait go together. */
const foundryAtOnce = 20;

/** Undefined where nothing is to be judged. Throws `config-invalid` where Azure AI Foundry is to judge and cannot be called. */
export function openOnlineEvals(
  config: Pick<Config, 'evals' | 'secret'>,
  { judged, ...parts }: OnlineParts,
): OnlineEvals | undefined {
  const { rulesShare, foundryShare } = config.evals;
  const foundry = foundryShare > 0 ? openFoundry(config) : undefined;
  const scorers: OnlineScorer[] = [
    ...(rulesShare > 0 ? [scorerByRules(rulesShare)] : []),
    ...(foundry ? [scorerByPanel(foundry.panel, { share: foundryShare, atOnce: foundryAtOnce })] : []),
  ];
  if (scorers.length === 0) return undefined;
  const online = createOnlineEvals({
    ...parts,
    scorers,
    random: Math.random,
    onEnded: ({ outcome }) => judged?.(outcome ?? { scores: {} }),
  });
  return {
    ...online,
    async close() {
      await online.close();
      foundry?.close();
    },
  };
}

interface Requests {
  ask(...call: never[]): Promise<Answer>;
  send(...call: never[]): Promise<Answer>;
}

const isJudged = ({ intent, abstained, claims }: Answer): boolean =>
  intent !== 'conversational' && !abstained && claims.length > 0;

interface Kept {
  readonly record: TenantRecord;
  readonly clock: Pick<Clock, 'now'>;
}

function drawnFrom(answer: Answer, { record, clock }: Kept): Drawn {
  let planConfidence: number | undefined;
  let critic: { readonly coverage: number; readonly groundedness: number } | undefined;
  return {
    async read(): Promise<JudgedAnswer | undefined> {
      const saved = await record.traces.get(answer.traceId);
      let question: string | undefined;
      for (const { event } of saved?.events ?? [])
        if (event.type === 'request') {
          const body = event.body as { readonly question?: unknown; readonly content?: unknown };
          const said = body.question ?? body.content;
          if (typeof said === 'string') question = said;
        } else if (event.type === 'follow-up') question = event.resolved;
        else if (event.type === 'critic') critic = event;
        else if (event.type === 'complexity') planConfidence = event.confidence;
      if (question === undefined) return undefined;
      const context = await readContext(record.documents, answer);
      return { question, answer: asserting(answer), context };
    },
    keep({ by, scores, latencyMs, error }) {
      return record.evaluations.save({
        traceId: answer.traceId,
        answerId: answer.id,
        ...(answer.sessionId !== undefined && { sessionId: answer.sessionId }),
        by,
        at: clock.now(),
        scores,
        ...(planConfidence !== undefined && { planConfidence }),
        ...(critic && { criticCoverage: critic.coverage, criticGroundedness: critic.groundedness }),
        latencyMs,
        ...(error !== undefined && { error }),
      });
    },
  };
}

/** The same requests, whose answers are drawn once they are given. */
export function sampled<R extends Requests>(requests: R, online: OnlineEvals | undefined, kept: Kept): R {
  if (!online) return requests;
  const draw =
    <Call extends never[]>(call: (...given: Call) => Promise<Answer>) =>
    async (...given: Call): Promise<Answer> => {
      const answer = await call(...given);
      if (isJudged(answer)) online.offer(drawnFrom(answer, kept));
      return answer;
    };
  return { ...requests, ask: draw(requests.ask), send: draw(requests.send) };
}
