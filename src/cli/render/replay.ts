// Replays as a person reads them: the same or not, and what differs.
import type { Replay, Trial } from '../../footnote/facade/traces.ts';
import { toPrice } from '../terminal/figures.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { oneLine, plural, shorten } from './render.ts';

export function renderReplay(terminal: Terminal, replay: Replay): void {
  const verdict = replay.same
    ? terminal.paint('green', 'the same, byte for byte')
    : terminal.paint('red', 'NOT the same');
  terminal.line(`${replay.traceId}: ${verdict}`);
  if (replay.recordedBy !== replay.replayedBy)
    terminal.line(`  recorded by ${replay.recordedBy}, replayed by ${replay.replayedBy}`);
  if (replay.difference) {
    terminal.line(`  differs at ${replay.difference.at}`);
    terminal.line(`  then  ${shorten(replay.difference.recorded, 160)}`);
    terminal.line(`  now   ${shorten(replay.difference.replayed, 160)}`);
  }
  for (const divergence of replay.divergences) terminal.line(`  ${oneLine(divergence)}`);
}

const listed = ['sources', 'evidence', 'claims', 'citations', 'models', 'degraded'] as const;

export function renderTrial(terminal: Terminal, { traceId, settings, before, now, diff }: Trial): void {
  const others = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const verdict = diff.saysTheSame
    ? terminal.paint('green', 'says the same')
    : terminal.paint('yellow', 'says something else');
  terminal.line(`${traceId}: ${verdict}${others.length > 0 ? ` with ${oneLine(others.join(', '))}` : ''}`);
  for (const name of diff.changed) {
    terminal.line(
      `  ${name}: ${oneLine(JSON.stringify(before[name] ?? null))} → ${oneLine(JSON.stringify(now[name] ?? null))}`,
    );
  }
  for (const name of listed) {
    const { same, added, lost } = diff[name];
    if (added.length + lost.length === 0) continue;
    terminal.line(`  ${name}: ${plural(same, 'one')} the same, ${added.length} new, ${lost.length} gone`);
    for (const one of lost) terminal.line(terminal.paint('red', `    - ${shorten(one, 160)}`));
    for (const one of added) terminal.line(terminal.paint('green', `    + ${shorten(one, 160)}`));
  }
  terminal.line(
    `  cost ${toPrice(before.costUsd)} → ${toPrice(now.costUsd)}, time ${Math.round(before.totalMs)} → ${Math.round(now.totalMs)} ms`,
  );
}
