// Subtitles of Advanced SubStation Alpha (.ass, .ssa; "SubStation Alpha v4.00+ Script Format"): the lines that are spoken, in the order of their times. Drawings,
// comments and styles are left out, speakers stay.

export interface Cue {
  readonly fromMs: number;
  readonly toMs: number;
  readonly text: string;
}

/** Where version 4 has them, if the file does not say. */
const usualFields = 'layer,start,end,style,name,marginl,marginr,marginv,effect,text'.split(',');
const moment = /^(\d{1,3}):(\d{2}):(\d{2})[.:](\d{1,3})$/u;
const layersAhead = 20;

export interface SubtitleScript {
  readonly title: string | undefined;
  readonly cues: readonly Cue[];
}

export const isScript = (source: string): boolean => /^\[Script Info\]/imu.test(source.slice(0, 2000));

export function readScript(source: string): SubtitleScript {
  const cues: Cue[] = [];
  let fields = usualFields;
  let section = '';
  let title: string | undefined;
  for (const line of source.split('\n')) {
    section = /^\[(.{1,60})\]\s*$/u.exec(line)?.[1]?.toLowerCase() ?? section;
    const [, kind = '', value = ''] = /^(Title|Format|Dialogue):(.*)/iu.exec(line) ?? [];
    if (kind === '') continue;
    if (kind.toLowerCase() === 'title' && section === 'script info') title ??= value.trim() || undefined;
    if (section !== 'events') continue;
    if (kind.toLowerCase() === 'format')
      fields = value
        .toLowerCase()
        .split(',')
        .map((field) => field.trim());
    else if (kind.toLowerCase() === 'dialogue') {
      const cue = cueOf(value, fields);
      if (cue !== undefined) cues.push(cue);
    }
  }
  return {
    title: /^(?:<untitled>|default aegisub file)$/iu.test(title ?? '') ? undefined : title,
    cues: inOrder(cues),
  };
}

function cueOf(value: string, fields: readonly string[]): Cue | undefined {
  const parts = value.split(',');
  // The text is the last field, and may hold commas.
  const text = parts.slice(fields.length - 1).join(',');
  const of = (name: string): string => parts[fields.indexOf(name)]?.trim() ?? '';
  const [fromMs, toMs] = [milliseconds(of('start')), milliseconds(of('end'))];
  const said = plain(text);
  if (fromMs === undefined || toMs === undefined || said === '') return undefined;
  const speaker = of('name') || of('actor');
  // Older programs write this for nobody.
  return { fromMs, toMs, text: speaker === '' || speaker === 'NTP' ? said : `${speaker}: ${said}` };
}

function milliseconds(value: string): number | undefined {
  const [, hours, minutes, seconds, fraction = ''] = moment.exec(value) ?? [];
  if (hours === undefined) return undefined;
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'));
}

/** `{\p1}` begins a drawing, `{\p0}` ends it; other marks may stand in it. */
function withoutMarks(text: string): string {
  let isDrawn = false;
  return text.replace(/\{[^{}]*\}|[^{}]+/gu, (piece) => {
    if (!piece.startsWith('{')) return isDrawn ? '' : piece;
    const scale = /^.*\\p(\d)/su.exec(piece)?.[1];
    if (scale !== undefined) isDrawn = scale !== '0';
    return '';
  });
}

const plain = (text: string): string =>
  withoutMarks(text)
    .replace(/\\[Nn]/gu, '\n')
    .replace(/\\h/gu, ' ')
    .replace(/[^\S\n]+/gu, ' ')
    .replace(/ ?\n ?/gu, '\n')
    .trim();

/** By their times; what is shown in several layers at once (a shadow, a glow) is said once. */
function inOrder(cues: readonly Cue[]): Cue[] {
  const sorted = cues.toSorted((a, b) => a.fromMs - b.fromMs);
  return sorted.filter(
    (cue, index) =>
      !sorted
        .slice(Math.max(0, index - layersAhead), index)
        .some((one) => one.fromMs === cue.fromMs && one.text === cue.text),
  );
}
