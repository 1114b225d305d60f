// The content lines of iCalendar (RFC 5545 §3.1) and vCalendar 1.0: folded lines joined, names, parameters and values told apart, components nested. Invariant: linear
// time, and a line that breaks the rules costs only itself.
import { unfoldedLines, unquotedValue } from './folded-lines.ts';

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
  for (const raw of unfoldedLines(source)) {
    const line = contentLine(raw);
    if (line === undefined) continue;
    if (line.name === 'BEGIN') {
      const component = { kind: line.value.trim().toUpperCase(), lines: [] };
      components.push(component);
      if (open.length < maxDepth) open.push(component);
    } else if (line.name === 'END') open.pop();
    else open.at(-1)?.lines.push(line);
  }
  return components.some(({ kind }) => /^V(?:CALENDAR|EVENT|TODO|JOURNAL)$/u.test(kind)) ? components : undefined;
}

function contentLine(raw: string): ContentLine | undefined {
  const name = /^[A-Za-z0-9-]+/u.exec(raw)?.[0];
  if (name === undefined) return undefined;
  const parameters: Record<string, string> = Object.create(null);
  const parameter = /;([A-Za-z0-9-]+)(?:=("[^"\n]*"|[^",;:\n]*)((?:,(?:"[^"\n]*"|[^",;:\n]*))*))?/uy;
  let at = name.length;
  for (parameter.lastIndex = at; ; ) {
    const found = parameter.exec(raw);
    if (found === null) break;
    parameters[(found[1] ?? '').toUpperCase()] = `${found[2] ?? ''}${found[3] ?? ''}`.replaceAll('"', '');
    at = parameter.lastIndex;
  }
  if (raw[at] !== ':') return undefined;
  const value = raw.slice(at + 1);
  // Version 1.0 may write the bare word.
  const isQuoted = /^quoted-printable$/iu.test(parameters['ENCODING'] ?? '') || 'QUOTED-PRINTABLE' in parameters;
  return {
    name: name.toUpperCase(),
    parameters,
    value: isQuoted ? unquotedValue(value, parameters['CHARSET'] ?? 'utf-8') : value,
  };
}

/** Text values have line ends, commas and semicolons escaped (§3.3.11). */
export const unescapeText = (value: string): string =>
  value.replace(/\\([\\;,nN])/gu, (_, mark: string) => (mark === 'n' || mark === 'N' ? '\n' : mark));
