// What bench/load/load.ts promises and shows: the goals of the server under load (issue 5, "Numbers") and its tables. Invariant: a goal whose
// part was not measured is missed, never left out.

import type { DisconnectsRun, StreamsRun } from '../../testkit/load/streams.ts';
import { type Goal, toGoal } from '../engine/engine-goals.ts';
import type { BenchGoal, BenchTable } from '../report.ts';
import { isSustained, type OpenLoopRun } from './load-open-loop.ts';
import type { SlowReadersRun } from './load-slow-readers.ts';

export interface LoadMeasured {
  /** At the rate of the goal; the median of the rounds by p99. */
  readonly steady?: OpenLoopRun;
  /** At rising rates. */
  readonly rates: readonly OpenLoopRun[];
  readonly streams?: StreamsRun;
  /** Undefined also where the machine allows no network of one's own. */
  readonly slow?: SlowReadersRun;
  readonly disconnects?: DisconnectsRun;
  /** Requests that the record took for running after the server had stopped. */
  readonly runningRows?: number;
}

export const steadyRate = 60;

/** The highest rate of arrivals that was sustained, by the answers that came. */
export function sustainedRate(rates: readonly OpenLoopRun[]): number | undefined {
  const held = rates.filter(isSustained).map(({ answeredPerSecond }) => answeredPerSecond);
  return held.length === 0 ? undefined : Math.max(...held);
}

export function loadGoals({ steady, rates, streams, slow, disconnects, runningRows }: LoadMeasured): BenchGoal[] {
  const at = `open loop at ${steadyRate} answers/s`;
  const lost = (run: { asked?: number; streams?: number; whole: number } | undefined): number | undefined =>
    run && (run.asked ?? run.streams ?? Number.NaN) - run.whole;
  const goals: Goal[] = [
    { what: `${at}, p50 ms`, limit: 15, got: steady?.p50Ms },
    { what: `${at}, p99 ms`, limit: 60, got: steady?.p99Ms },
    { what: `${at}, answers not whole`, limit: 0, got: lost(steady) },
    { what: 'sustained answers/s', limit: 150, got: sustainedRate(rates), least: true },
    { what: '1,000 streams at once, MB over idle', limit: 250, got: streams && streams.mostMb - streams.idleMb },
    { what: '1,000 streams at once, answers not whole', limit: 0, got: lost(streams) },
    { what: '1,000 streams at once, events lost, doubled or out of order', limit: 0, got: streams?.misnumbered },
    { what: '200 clients that read nothing, not cut', limit: 0, got: slow && slow.stalled - slow.cut },
    { what: '200 clients that read nothing, not told in the log', limit: 0, got: slow && slow.stalled - slow.told },
    { what: '200 clients that read nothing, s until all were cut', limit: 21, got: slow?.lastCutSeconds },
    {
      what: '200 clients that read nothing, MB over as many that read',
      limit: 30,
      got: slow && slow.mostMb - slow.readMb,
    },
    { what: '1,000 disconnects, provider left after ms, most', limit: 200, got: disconnects?.abortMaxMs },
    { what: '1,000 disconnects, calls of the provider not aborted', limit: 0, got: disconnects?.notAborted },
    { what: '1,000 disconnects, files or sockets left open', limit: 0, got: disconnects?.leakedFiles },
    { what: '1,000 disconnects, requests still recorded as running', limit: 0, got: runningRows },
  ];
  return goals.map(toGoal);
}

export function loadTables({ steady, rates, streams, slow, disconnects }: LoadMeasured): BenchTable[] {
  const round = (value: number): number => Number(value.toPrecision(3));
  return [
    {
      title: 'Open loop: answers of three claims, timed from when each was due, ms',
      columns: [
        'arrivals/s',
        'asked',
        'whole',
        'answers/s',
        'p50',
        'p99',
        'first byte p99',
        'first claim p50',
        'CPU ms an answer',
        'of these on the event loop',
      ],
      rows: [...(steady ? [steady] : []), ...rates].map((run) => [
        run.perSecond,
        run.asked,
        run.whole,
        round(run.answeredPerSecond),
        round(run.p50Ms),
        round(run.p99Ms),
        round(run.firstByteP99Ms),
        round(run.firstClaimP50Ms),
        round(run.cpuMsAnAnswer),
        round(run.loopMsAnAnswer),
      ]),
    },
    {
      title: 'Streams held open, then all ended at once',
      columns: ['streams', 'idle MB', 'open MB', 'most MB', 'first byte p50 ms', 'p99 ms'],
      rows: (streams ? [streams] : []).map((run) => [
        run.streams,
        round(run.idleMb),
        round(run.openMb),
        round(run.mostMb),
        round(run.firstByteP50Ms),
        round(run.firstByteP99Ms),
      ]),
    },
    {
      title: 'Clients that read nothing, beside clients that do',
      columns: [
        'stalled',
        'live',
        'MB, as many that read',
        'most MB',
        'cut',
        's until all were cut',
        'live p99 alone, ms',
        'live p99 beside, ms',
      ],
      rows: (slow ? [slow] : []).map((run) => [
        run.stalled,
        run.live,
        round(run.readMb),
        round(run.mostMb),
        run.cut,
        round(run.lastCutSeconds),
        round(run.liveP99AloneMs),
        round(run.liveP99BesideMs),
      ]),
    },
    {
      title: 'Clients that leave at a random moment: until the provider was left, ms',
      columns: ['clients', 'in the middle of its answer', 'p50', 'p99', 'most'],
      rows: (disconnects ? [disconnects] : []).map((run) => [
        run.clients,
        run.leftInTheMiddle,
        round(run.abortP50Ms),
        round(run.abortP99Ms),
        round(run.abortMaxMs),
      ]),
    },
  ];
}
