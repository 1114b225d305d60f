// How a question is thought through, as it happens, for who waits at a terminal: its parts as a tree, and what each came to. Silent for a question that
// asks one thing and is searched once. Invariant: it stands beside the answer (stderr), never in it.
import type { EventSink } from '../../core/events.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { shorten } from './render.ts';

const marks = { answer: '✓', caveat: '!', 'fill-gap': '…', reconcile: '≠', unanswerable: '✗' } as const;

/** Told of the events of one answer. */
export function createThinking(terminal: Pick<Terminal, 'note' | 'columns'>): EventSink {
  const room = terminal.columns - 12;
  return (event) => {
    if (event.type === 'decomposition') {
      terminal.note(`The question has ${event.subQueries.length} parts:`);
      for (const [at, { id, query, dependencies }] of event.subQueries.entries()) {
        const branch = at === event.subQueries.length - 1 ? '└─' : '├─';
        const after = dependencies.length === 0 ? '' : ` (after ${dependencies.join(', ')})`;
        terminal.note(`${branch} ${id}  ${shorten(query, room)}${after}`);
      }
    }
    if (event.type === 'assessment') {
      const { part, verdict, reason, query } = event;
      const place = part === undefined ? `round ${event.round}` : `   ${part}`;
      const next = query === undefined ? '' : ` Looking for: ${query}`;
      terminal.note(`${place} ${marks[verdict]} ${shorten(`${reason}${next}`, room)}`);
    }
    if (event.type === 'critic') {
      const { round, verdict, reason, coverage, groundedness, queries } = event;
      const shares = `coverage ${coverage.toFixed(2)}, groundedness ${groundedness.toFixed(2)}`;
      const next = queries.length === 0 ? '' : ` Looking for: ${queries.join(' · ')}`;
      const mark = verdict === 'release' ? marks.answer : marks['fill-gap'];
      terminal.note(`critic ${round} ${mark} ${shorten(`${shares}: ${reason}${next}`, room)}`);
    }
    if (event.type === 'worker_complete')
      terminal.note(`   ${marks.answer} ${event.agent} (${event.taskId}): ${event.tokensUsed} tokens`);
    if (event.type === 'worker_error')
      terminal.note(`   ${marks.unanswerable} ${event.agent} (${event.taskId}): ${event.error}`);
  };
}
