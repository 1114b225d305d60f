// A look at the archive as text: a bar for each bin, its peaks marked, then pieces of the best turns and where to look closer.
import type { ImportReport, Peek, PeekBin } from '../../footnote/facade/conversations.ts';
import { type Terminal, toPrintable } from '../terminal/terminal.ts';

const barWidth = 40;
/** Longest run of empty bins that is drawn. */
const drawnGap = 3;

function bar(count: number, most: number): string {
  const eighths = Math.round((count / most) * barWidth * 8);
  const rest = eighths % 8;
  const drawn = '█'.repeat(Math.floor(eighths / 8)) + (rest === 0 ? '' : ' ▏▎▍▌▋▊▉'.charAt(rest));
  return count > 0 && drawn === '' ? '▏' : drawn;
}

const mostBars = 12;

/** Bins with hits, a line each; where there are many, the fullest of them in the order of time. */
export function drawBins(bins: readonly Pick<PeekBin, 'label' | 'count' | 'peak'>[]): string[] {
  const most = Math.max(0, ...bins.map(({ count }) => count));
  const least = bins.map(({ count }) => count).toSorted((a, b) => b - a)[mostBars - 1] ?? 0;
  const shown = bins.filter(({ count }) => count >= least).slice(0, 2 * mostBars);
  const width = Math.max(0, ...shown.map(({ label }) => label.length));
  const lines = shown.map(
    ({ label, count, peak }) =>
      `${label.padEnd(width)} ${'█'.repeat(Math.max(1, Math.round((24 * count) / most)))} ${count}${peak ? ' peak' : ''}`,
  );
  return shown.length === bins.length ? lines : [...lines, `… and ${bins.length - shown.length} bins with fewer`];
}

/** Lines of the histogram; long runs of empty bins are one line. */
export function drawHistogram(bins: readonly PeekBin[]): readonly string[] {
  const most = Math.max(1, ...bins.map(({ count }) => count));
  const width = Math.max(0, ...bins.map(({ label }) => label.length));
  const digits = String(most).length;
  const lines: string[] = [];
  for (let at = 0; at < bins.length; ) {
    let end = at;
    while (end < bins.length && bins[end]?.count === 0) end += 1;
    if (end - at > drawnGap) {
      lines.push(`${'⋮'.padEnd(width)}  ${end - at} empty`);
      at = end;
      continue;
    }
    const { label, count, peak, top_k } = bins[at] as PeekBin;
    const best = top_k > 0 ? `, ${top_k} of the best` : '';
    const told = count === 0 ? '' : `${bar(count, most)}${peak ? ' ◀ peak' : ''}${best}`;
    lines.push(`${label.padEnd(width)}  ${String(count).padStart(digits)}  ${told}`.trimEnd());
    at += 1;
  }
  return lines;
}

/** What became of the turns of an export. */
export function toImported({ turns: { created, updated, unchanged, removed } }: ImportReport): string {
  const more = removed > 0 ? `, ${removed} removed` : '';
  return `${created} turns added, ${updated} updated, ${unchanged} unchanged${more}`;
}

export function renderPeek(terminal: Terminal, peek: Peek): void {
  const { total, histogram, snippets, zoom } = peek;
  const when =
    total.first_timestamp === undefined
      ? ''
      : `, ${total.first_timestamp.slice(0, 10)} to ${total.last_timestamp?.slice(0, 10)}`;
  terminal.line(`${total.hits} of ${total.turns} turns in ${total.conversations} conversations${when}`);
  if (total.undated > 0) terminal.line(`${total.undated} of them have no time.`);
  for (const line of drawHistogram(histogram)) terminal.line(line);
  for (const share of peek.conversations ?? [])
    terminal.line(toPrintable(`${share.count}  ${share.title || share.conversation_id}`));
  for (const { role, count } of peek.roles ?? []) terminal.line(`${count}  ${role}`);
  for (const { turn_id, timestamp, title, author, role, snippet } of snippets) {
    terminal.line('');
    terminal.line(
      toPrintable(
        `${timestamp?.slice(0, 16).replace('T', ' ') ?? 'no time'}  ${author ?? role}  ${title}  [${turn_id}]`,
      ),
    );
    terminal.line(toPrintable(`  ${snippet}`));
  }
  if (zoom) {
    terminal.line('');
    terminal.line(
      `Look closer: --from ${zoom.time_range.from} --to ${zoom.time_range.to} --bin ${zoom.bin} (${zoom.reason})`,
    );
  }
}
