// Plots of reports as inline SVG: drawn from figures alone, without scripts, fonts or anything from elsewhere, in the colours of the page that
// they stand in. Every number that is drawn is written, too.

export const escapeXml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    // What no XML may hold.
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu, '\ufffd');

export interface Bar {
  readonly name: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly note: string;
}

const rowHeight = 24;
const nameWidth = 200;
const plotWidth = 360;
const noteWidth = 220;

/** A bar for each value from `from` to `to`, with its interval as a line; zero is marked where it lies inside. */
export function drawBars(
  bars: readonly Bar[],
  { from, to, title }: { from: number; to: number; title: string },
): string {
  const width = nameWidth + plotWidth + noteWidth;
  const height = bars.length * rowHeight + 8;
  const at = (value: number): number =>
    nameWidth + ((Math.min(to, Math.max(from, value)) - from) / Math.max(1e-9, to - from)) * plotWidth;
  const zero = at(Math.min(to, Math.max(from, 0)));
  const rows = bars.map(({ name, value, low, high, note }, place) => {
    const top = place * rowHeight + 4;
    const middle = top + rowHeight / 2;
    const [left, right] = [Math.min(zero, at(value)), Math.max(zero, at(value))];
    return [
      `<text x="${nameWidth - 8}" y="${middle + 4}" text-anchor="end">${escapeXml(name)}</text>`,
      `<rect x="${left.toFixed(1)}" y="${top + 4}" width="${Math.max(0.5, right - left).toFixed(1)}" height="${rowHeight - 8}" class="${value < 0 ? 'worse' : 'bar'}"/>`,
      `<line x1="${at(low).toFixed(1)}" x2="${at(high).toFixed(1)}" y1="${middle}" y2="${middle}" class="interval"/>`,
      `<text x="${nameWidth + plotWidth + 8}" y="${middle + 4}">${escapeXml(note)}</text>`,
    ].join('');
  });
  const axis = `<line x1="${zero.toFixed(1)}" x2="${zero.toFixed(1)}" y1="0" y2="${height}" class="axis"/>`;
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(title)}">${axis}${rows.join('')}</svg>`;
}

/** How many values fall into each tenth of 0 to 1. */
export function drawHistogram(values: readonly number[], title: string): string {
  const counts = new Array<number>(10).fill(0);
  for (const value of values) {
    const bin = Math.min(9, Math.max(0, Math.floor(value * 10)));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const most = Math.max(1, ...counts);
  const [width, height] = [300, 110];
  const columns = counts.map((count, bin) => {
    const tall = (count / most) * 70;
    const x = bin * 30;
    return [
      `<rect x="${x + 2}" y="${(90 - tall).toFixed(1)}" width="26" height="${tall.toFixed(1)}" class="bar"/>`,
      count > 0 ? `<text x="${x + 15}" y="${(86 - tall).toFixed(1)}" text-anchor="middle">${count}</text>` : '',
      `<text x="${x + 2}" y="104" class="small">${(bin / 10).toFixed(1)}</text>`,
    ].join('');
  });
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(title)}" class="narrow">${columns.join('')}</svg>`;
}
