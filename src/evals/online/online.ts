// A sample of answers is judged behind the replies: each scorer has a queue with an end, and gives way to whoever waits. Invariants: nobody
// who asks waits for it, and no scorer for another; what a queue cannot hold is left out and counted; a judge that fails is kept as a failure,
// and the next is judged.

import { toFootnoteError } from '../../core/errors.ts';
import type { EvaluationScores } from '../../core/evaluation.ts';
import { coherence, groundedness, relevance } from '../judges/answers.ts';
import { citationPrecision, contextPrecision } from '../judges/citations.ts';
import type { Judge, Judgement, JudgeName } from '../judges/judge.ts';
import type { JudgedAnswer } from '../judges/judged-answer.ts';
import { scoresOf } from '../judges/scores.ts';
import { type Panel, toOnlineScores } from '../panel.ts';

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
  /** Answers that it takes at once, at most. */
  readonly atOnce: number;
  /** One for each answer, in their order. `pause` lets others have their turn. Throws FootnoteError: none could be scored. */
  score(
    all: readonly JudgedAnswer[],
    pause: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<readonly Pick<OnlineOutcome, 'scores' | 'error'>[]>;
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
const judges: readonly Judge[] = [groundedness, relevance, coherence, citationPrecision, contextPrecision];

/** The scores of judges by rules, each in a turn of its own. */
export const scorerByRules = (share: number): OnlineScorer => ({
  by: 'rules',
  share,
  atOnce: 1,
  async score(all, pause, signal) {
    const scored: Pick<OnlineOutcome, 'scores'>[] = [];
    for (const judged of all) {
      const judgements: Partial<Record<JudgeName, Judgement>> = {};
      for (const judge of judges) {
        await pause();
        Object.assign(judgements, await scoresOf([judge], judged, signal));
      }
      scored.push({ scores: toOnlineScores(judgements) });
    }
    return scored;
  },
});

/** The scores of judges elsewhere, several answers in one go. */
export const scorerByPanel = (
  panel: Panel,
  { share, atOnce }: Pick<OnlineScorer, 'share' | 'atOnce'>,
): OnlineScorer => ({
  by: panel.by,
  share,
  atOnce,
  async score(all, _pause, signal) {
    const verdicts = await panel.judge(all, signal);
    return verdicts.map(({ judgements, failures: [failure] }) => ({
      scores: toOnlineScores(judgements),
      ...(failure && { error: failure.code }),
    }));
  },
});

/** Answers that wait for one scorer. */
function createQueue(scorer: OnlineScorer, options: OnlineOptions, closing: AbortSignal) {
  const { elapsedMs, giveWay, mostWaiting = 100, onEnded } = options;
  const waiting: Drawn[] = [];
  let working: Promise<void> | undefined;

  const pause = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    await giveWay();
  };

  async function end(drawn: Drawn, outcome: OnlineOutcome): Promise<void> {
    onEnded?.({ outcome });
    // A full disk is told where something is lost that matters.
    await drawn.keep(outcome).catch(() => undefined);
  }

  async function judge(all: readonly Drawn[]): Promise<void> {
    const from = elapsedMs();
    const about = () => ({ by: scorer.by, latencyMs: elapsedMs() - from });
    const failed = (thrown: unknown): Pick<OnlineOutcome, 'scores' | 'error'> => ({
      scores: {},
      error: toFootnoteError(thrown).code,
    });
    const found: { readonly drawn: Drawn; readonly judged: JudgedAnswer }[] = [];
    for (const drawn of all) {
      try {
        const judged = await drawn.read();
        if (judged) found.push({ drawn, judged });
      } catch (thrown) {
        await end(drawn, { ...failed(thrown), ...about() });
      }
    }
    if (found.length === 0) return;
    const answers = found.map(({ judged }) => judged);
    const scored = await scorer
      .score(answers, pause, closing)
      .catch((thrown: unknown) => answers.map(() => failed(thrown)));
    if (closing.aborted) return;
    for (const [at, { drawn }] of found.entries())
      await end(drawn, { ...(scored[at] ?? failed(undefined)), ...about() });
  }

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      const next = waiting.splice(0, scorer.atOnce);
      await pause();
      if (closing.aborted) return;
      await judge(next);
    }
  }

  return {
    offer(drawn: Drawn): void {
      if (waiting.length >= mostWaiting) onEnded?.({});
      else waiting.push(drawn);
      working ??= work().finally(() => (working = undefined));
    },
    async settled(): Promise<void> {
      while (working) await working;
    },
    clear: () => (waiting.length = 0),
  };
}

export function createOnlineEvals(options: OnlineOptions): OnlineEvals {
  const closing = new AbortController();
  const queues = options.scorers.map((scorer) => ({ scorer, queue: createQueue(scorer, options, closing.signal) }));
  const settled = async (): Promise<void> => void (await Promise.all(queues.map(({ queue }) => queue.settled())));
  return {
    offer(drawn) {
      if (closing.signal.aborted) return;
      for (const { scorer, queue } of queues) if (options.random() < scorer.share) queue.offer(drawn);
    },
    settled,
    async close() {
      closing.abort();
      for (const { queue } of queues) queue.clear();
      await settled();
    },
  };
}
