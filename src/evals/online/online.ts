// A sample of answers is judged behind the replies: one after another, in a queue with an end, giving way to whoever waits. Invariants: nobody
// who asks waits for it; what the queue cannot hold is left out and counted; a judge that fails is kept as a failure, and the next is judged.

import { toFootnoteError } from '../../core/errors.ts';
import type { EvaluationScores } from '../../core/evaluation.ts';
import { coherence, groundedness, relevance } from '../judges/answers.ts';
import { citationPrecision, contextPrecision } from '../judges/citations.ts';
import { type Judge, type JudgedAnswer, type JudgeName, scoresOf } from '../judges/judge.ts';

/** One answer that was drawn: how to read again what it is judged by, and what to do with the scores. */
export interface Drawn {
  /** Undefined where it is gone. */
  read(): Promise<JudgedAnswer | undefined>;
  keep(outcome: OnlineOutcome): Promise<unknown>;
}

export interface OnlineOutcome {
  readonly by: string;
  readonly scores: EvaluationScores;
  readonly latencyMs: number;
  /** Code of what went wrong. */
  readonly error?: string;
}

/** Who scores an answer: rules, or a service elsewhere. */
export interface OnlineScorer {
  readonly by: string;
  /** Share of answers that it scores, 0..1. */
  readonly share: number;
  /** `pause` lets others have their turn. Throws FootnoteError. */
  score(judged: JudgedAnswer, pause: () => Promise<void>, signal: AbortSignal): Promise<EvaluationScores>;
}

export interface OnlineOptions {
  readonly scorers: readonly OnlineScorer[];
  readonly elapsedMs: () => number;
  /** 0..1, below 1: whether an answer is drawn. */
  readonly random: () => number;
  /** Resolves when nobody waits for an answer, or has been given way for long enough. */
  readonly giveWay: () => Promise<void>;
  /** Answers that wait at most. Default 100. */
  readonly mostWaiting?: number;
  /** Told of each that was judged, and of each that was left out. Total. */
  readonly onEnded?: (ended: { readonly outcome?: OnlineOutcome }) => void;
}

export interface OnlineEvals {
  /** Draws, and never waits. */
  offer(drawn: Drawn): void;
  /** Resolves when nothing waits any more. */
  settled(): Promise<void>;
  /** Leaves out what waits. */
  close(): Promise<void>;
}

/** Those that need nobody's word on what is right. */
const rules: Readonly<Partial<Record<JudgeName, keyof EvaluationScores>>> = {
  groundedness: 'groundedness',
  relevance: 'relevance',
  coherence: 'coherence',
  'citation-precision': 'citationPrecision',
  'context-precision': 'retrieval',
};
const judges: readonly Judge[] = [groundedness, relevance, coherence, citationPrecision, contextPrecision];

/** The scores of judges by rules, each in a turn of its own. */
export const scorerByRules = (share: number): OnlineScorer => ({
  by: 'rules',
  share,
  async score(judged, pause, signal) {
    const scores: Record<string, number> = {};
    for (const judge of judges) {
      await pause();
      const [found] = Object.values(await scoresOf([judge], judged, signal));
      const name = rules[judge.name];
      if (found && name) scores[name] = found.score;
    }
    return scores;
  },
});

export function createOnlineEvals(options: OnlineOptions): OnlineEvals {
  const { scorers, elapsedMs, random, giveWay, mostWaiting = 100, onEnded } = options;
  const waiting: { readonly drawn: Drawn; readonly scorer: OnlineScorer }[] = [];
  const closing = new AbortController();
  let working: Promise<void> | undefined;

  const pause = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    await giveWay();
  };

  async function judge({ drawn, scorer }: (typeof waiting)[number]): Promise<void> {
    const from = elapsedMs();
    const ended = (found: Pick<OnlineOutcome, 'scores' | 'error'>): OnlineOutcome => ({
      ...found,
      by: scorer.by,
      latencyMs: elapsedMs() - from,
    });
    let outcome: OnlineOutcome;
    try {
      const judged = await drawn.read();
      if (!judged) return;
      outcome = ended({ scores: await scorer.score(judged, pause, closing.signal) });
    } catch (thrown) {
      if (closing.signal.aborted) return;
      outcome = ended({ scores: {}, error: toFootnoteError(thrown).code });
    }
    onEnded?.({ outcome });
    // A full disk is told where something is lost that matters.
    await drawn.keep(outcome).catch(() => undefined);
  }

  async function work(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      await pause();
      if (closing.signal.aborted) return;
      await judge(next);
    }
  }

  return {
    offer(drawn) {
      if (closing.signal.aborted) return;
      for (const scorer of scorers) {
        if (random() >= scorer.share) continue;
        if (waiting.length >= mostWaiting) onEnded?.({});
        else waiting.push({ drawn, scorer });
      }
      working ??= waiting.length === 0 ? undefined : work().finally(() => (working = undefined));
    },
    async settled() {
      while (working) await working;
    },
    async close() {
      closing.abort();
      waiting.length = 0;
      await working;
    },
  };
}
