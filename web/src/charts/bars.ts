// What a chart of bars shows, apart from how it is drawn.

export interface Bar {
  readonly label: string;
  /** Absent: nobody measured. */
  readonly value?: number | undefined;
  /** Stands out, such as a peak. */
  readonly marked?: boolean;
}
/** Neighbours drawn as one: those from `first` to `last`, both inclusive. */
export interface DrawnBar extends Bar {
  readonly first: number;
  readonly last: number;
}

/** More than so many marks are no picture for anyone, and slow to draw. */
export const mostBars = 400;

/** At most so many bars: where there are more, as many neighbours as it takes are added up, or of shares their mean is taken. */
export function drawnBars(bars: readonly Bar[], { most = mostBars, areShares = false } = {}): DrawnBar[] {
  const together = Math.max(1, Math.ceil(bars.length / most));
  const drawn: DrawnBar[] = [];
  for (let first = 0; first < bars.length; first += together) {
    const part = bars.slice(first, first + together);
    const last = first + part.length - 1;
    const values = part.flatMap(({ value }) => value ?? []);
    const sum = values.reduce((all, value) => all + value, 0);
    const [from, to] = [part[0]?.label ?? '', part.at(-1)?.label ?? ''];
    drawn.push({
      label: from === to ? from : `${from} – ${to}`,
      ...(values.length > 0 && { value: sum / (areShares ? values.length : 1) }),
      first,
      last,
      ...(part.some(({ marked }) => marked) && { marked: true }),
    });
  }
  return drawn;
}

/** The place of a pointer among bars of equal width. */
export function barAt(x: number, { left, width }: { readonly left: number; readonly width: number }, count: number) {
  const at = Math.floor(((x - left) / Math.max(1, width)) * count);
  return Math.max(0, Math.min(count - 1, at));
}

/** What the picture says, for whoever does not see it. */
export function summaryOf(name: string, bars: readonly Bar[], write: (value: number) => string): string {
  const [first] = bars;
  if (!first) return `${name}: nothing to show.`;
  const most = bars.reduce((best, bar) => ((bar.value ?? 0) > (best.value ?? 0) ? bar : best), first);
  const span = bars.length === 1 ? first.label : `from ${first.label} to ${bars.at(-1)?.label}`;
  return `${name}: ${bars.length === 1 ? 'one bar' : `${bars.length} bars`}, ${span}; the highest is ${most.label} with ${write(most.value ?? 0)}.`;
}
