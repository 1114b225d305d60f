// What is told of a document beside its title, in plain words and the reader's own way to write numbers and times.

const kinds: Readonly<Record<string, string>> = {
  'application/pdf': 'PDF',
  'text/markdown': 'Markdown',
  'text/plain': 'Text',
  'text/html': 'Web page',
  'text/csv': 'CSV table',
  'message/rfc822': 'Mail',
  'application/epub+zip': 'EPUB',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'PowerPoint',
};

/** As people call it; a type without such a name is told as it is. */
export function kindOf(mime: string): string {
  const [type = mime] = mime.split(';');
  return Object.hasOwn(kinds, type) ? (kinds[type] ?? type) : type;
}

const steps = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** `3 days ago`. */
export function ageOf(then: string, nowMs: number, locale?: string): string {
  const seconds = (Date.parse(then) - nowMs) / 1000;
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const [unit, length] = steps.find(([, one]) => Math.abs(seconds) >= one) ?? (['second', 1] as const);
  return unit === 'second' ? words.format(0, 'minute') : words.format(Math.trunc(seconds / length), unit);
}

export interface GivenSource {
  readonly name: string;
  readonly documents: number;
  readonly connector?: object;
  readonly schedule?: object;
  readonly watch?: boolean;
  readonly damaged?: boolean;
}
/** The documents about Footnote itself, which every new data folder has. */
const bundledSource = 'about-footnote';
/** Pages that searches of the web found. */
const webSearchSource = 'web-search';

export const isBundled = ({ name }: GivenSource): boolean => name === bundledSource;

/** Sources that take files by hand. What mirrors another place would lose them with its next sync; some of those only the server knows, and refuses. */
const takesFiles = (source: GivenSource): boolean =>
  !isBundled(source) &&
  source.name !== webSearchSource &&
  !source.connector &&
  !source.schedule &&
  !source.watch &&
  !source.damaged;

/** Where the server puts what names no source. */
export const usualSource = 'uploads';

/** Sources to choose from, the usual one first. `allowed`: those that the key is limited to. */
export function sourceChoices(sources: readonly GivenSource[], allowed?: readonly string[]): string[] {
  const closed = new Set(sources.filter((source) => !takesFiles(source)).map(({ name }) => name));
  const named = allowed ?? [usualSource, ...sources.map(({ name }) => name)];
  const open = [...new Set(named)].filter((name) => !closed.has(name));
  return open.sort((one, other) => Number(other === usualSource) - Number(one === usualSource));
}
