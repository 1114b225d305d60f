// A trace in a list: what it came to, and how long it took beside the others.
import { sessions } from '../ask/session.ts';
import { follow, hrefOf } from '../shared/address.ts';
import type { TraceSummary } from '../shared/contract.ts';
import { cut, inOrder } from '../shared/text.ts';
import { costOf, doubtNames, momentOf, outcomeOf, timeOf } from './facts.ts';

interface TraceRowProps {
  readonly one: TraceSummary;
  /** The longest of the list: bars compare. */
  readonly most: number;
}

export function TraceRow({ one, most }: TraceRowProps) {
  const { question } = one;
  const to = { page: 'traces', id: one.id } as const;
  const session = sessions.value.find(({ id }) => id === one.sessionId)?.title;
  const facts = [
    question ? `${one.kind}, ${momentOf(one.startedAt)}` : undefined,
    session && session !== question ? `in “${cut(session, 60)}”` : undefined,
    one.intent?.replaceAll('_', ' '),
    one.mode,
    one.costUsd ? costOf(one.costUsd) : undefined,
    one.sources?.length ? one.sources.join(', ') : undefined,
    `${one.eventCount} events`,
    one.pinned ? 'pinned' : undefined,
  ];
  const isDone = one.status === undefined || one.status === 'done';
  const doubts = (one.doubts ?? []).map((doubt) => doubtNames[doubt]).join(', ');
  return (
    <>
      <div class="grows">
        <a href={hrefOf(to)} onClick={follow(to)}>
          <bdi>{inOrder(question || `${one.kind}, ${momentOf(one.startedAt)}`)}</bdi>
        </a>
        <p class="place">
          <span class={isDone ? undefined : 'failure'}>{outcomeOf(one)}</span>
          {doubts && <span class="doubt">{`: ${doubts}`}</span>}
          <bdi>{inOrder(facts.flatMap((fact) => (fact ? [` · ${fact}`] : [])).join(''))}</bdi>
        </p>
      </div>
      <div class="took">
        {timeOf(one.totalMs)}
        <svg class="took-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
          <rect width={most > 0 ? Math.max(1, (one.totalMs / most) * 100) : 0} height="10" />
        </svg>
      </div>
    </>
  );
}
