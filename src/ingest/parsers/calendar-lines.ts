// The content lines of iCalendar (RFC 5545 §3.1): folded lines joined, names, parameters and values told apart, components nested. Invariant: linear
// time, and a line that breaks the rules costs only itself.

export interface ContentLine {
  /** Upper case. */
  readonly name: string;
  /** By upper-case name, quotes removed. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly value: string;
}

/** A component (VEVENT, VTODO …) with its own lines; those of components inside are not among them. */
export interface CalendarComponent {
  readonly kind: string;
  readonly lines: readonly ContentLine[];
}

const maxDepth = 10;

/** The components in the order of their beginnings; undefined where there is no calendar. */
export function readComponents(source: string): CalendarComponent[] | undefined {
  const components: { kind: string; lines: ContentLine[] }[] = [];
  const open: { kind: string; lines: ContentLine[] }[] = [];
  for (const raw of source.replace(/\n[ \t]/gu, '').split('\n')) {
    const line = contentLine(raw);
    if (line === undefined) continue;
    if (line.name === 'BEGIN') {
      const component = { kind: line.value.trim().toUpperCase(), lines: [] };
      components.push(component);
      if (open.length < maxDepth) open.push(component);
    } else if (line.name === 'END') open.pop();
    else open.at(-1)?.lines.push(line);
  }
  return components.some(({ kind }) => kind === 'VCALENDAR') ? components : undefined;
}

function contentLine(raw: string): ContentLine | undefined {
  const name = /^[A-Za-z0-9-]+/u.exec(raw)?.[0];
  if (name === undefined) return undefined;
  const parameters: Record<string, string> = Object.create(null);
  const parameter = /;([A-Za-z0-9-]+)=("[^"\n]*"|[^",;:\n]*)((?:,(?:"[^"\n]*"|[^",;:\n]*))*)/uy;
  let at = name.length;
  for (parameter.lastIndex = at; ; ) {
    const found = parameter.exec(raw);
    if (found === null) break;
    parameters[(found[1] ?? '').toUpperCase()] = `${found[2] ?? ''}${found[3] ?? ''}`.replaceAll('"', '');
    at = parameter.lastIndex;
  }
  if (raw[at] !== ':') return undefined;
  return { name: name.toUpperCase(), parameters, value: raw.slice(at + 1) };
}

/** Text values have line ends, commas and semicolons escaped (§3.3.11). */
export const unescapeText = (value: string): string =>
  value.replace(/\\([\\;,nN])/gu, (_, mark: string) => (mark === 'n' || mark === 'N' ? '\n' : mark));
