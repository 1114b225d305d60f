// What became of files, as a person reads it in the terminal and as a program reads it in a report: one word for the state, and why.
import { open, realpath } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { Footnote } from '../../footnote/facade.ts';
import { isWithin } from '../terminal/ingest-inputs.ts';
import { type Terminal, toPrintable, toTable } from '../terminal/terminal.ts';
import { plural, shorten } from './render.ts';

type RunFile = Awaited<ReturnType<Footnote['ingestions']['files']>>['data'][number];
export type Duplicate = NonNullable<RunFile['duplicates']>[number];
export type FileOutcome = Omit<RunFile, 'state'> & { readonly state: RunFile['state'] };

/** A line of a report: every file of a run, one JSON object each. */
export interface ReportLine {
  readonly source: string;
  readonly file: string;
  /**
   * `read`: a file of many documents, or one that only holds others. `refused`: something in it could not be read. `skipped`: there is
   * nothing to read in it (it is empty, a picture without words), or it is of a kind that nobody reads, such as an icon or a font.
   */
  readonly state: 'added' | 'changed' | 'unchanged' | 'read' | 'refused' | 'skipped' | 'parked' | 'removed' | 'pending';
  readonly kind?: string;
  readonly documentId?: string;
  readonly chunks?: number;
  /** Why it was not read. */
  readonly reason?: { readonly code: string; readonly message: string };
  /** What is missing or may be wrong in what was read. */
  readonly warnings?: readonly string[];
  /** Other documents that say the same, most similar first. */
  readonly duplicates?: readonly Duplicate[];
}

const stateNames = {
  pending: 'pending',
  done: 'read',
  unchanged: 'unchanged',
  failed: 'refused',
  parked: 'parked',
  deleted: 'removed',
} as const satisfies Record<FileOutcome['state'], ReportLine['state']>;

const skipReasons: ReadonlySet<unknown> = new Set(['unknown-kind', 'no-text', 'no-text-found']);

/** Whether nothing is lost with a file that was not read. */
export const isSkipped = (error: { readonly reason?: unknown } | undefined): boolean => skipReasons.has(error?.reason);

export const stateOf = ({ state, change, error }: FileOutcome): ReportLine['state'] =>
  state === 'failed' && isSkipped(error) ? 'skipped' : (change ?? stateNames[state]);

export function toReportLine(source: string, file: FileOutcome): ReportLine {
  const { uri, kind, documentId, chunks, error, warnings, duplicates } = file;
  return {
    source,
    file: uri,
    state: stateOf(file),
    ...(kind !== undefined && { kind }),
    ...(documentId !== undefined && { documentId }),
    ...(chunks !== undefined && { chunks }),
    ...(error && { reason: error }),
    ...(warnings && warnings.length > 0 && { warnings }),
    ...(duplicates && { duplicates }),
  };
}

const shownDuplicates = 10;
const shownFailures = 50;
const shownWarnings = 10;
const pathLength = 60;

/** At most ten lines, each with the file it is about if that is not clear. */
export function renderWarnings(terminal: Terminal, warnings: readonly string[]): void {
  for (const warning of warnings.slice(0, shownWarnings))
    terminal.line(`  ${terminal.paint('yellow', shorten(warning, 300))}`);
  const more = warnings.length - shownWarnings;
  if (more > 0) terminal.line(`  … and ${more} more; --json lists all.`);
}

const shownNames = 3;
/** Characters of names that share a row: a longer one pushes what is said of them out of sight. */
const namesLength = 80;
/** So many that are refused for one reason are a list of their own. */
const manyOfOneReason = 4;

/** Files that were refused for one and the same reason, as those of one kind are, share a row, which names the first of them. */
function toFailureRows(failed: readonly FileOutcome[]): {
  readonly rows: readonly (readonly [files: string, state: string, reason: string])[];
  /** Whether some are counted only. */
  readonly isCut: boolean;
} {
  const isOfKind = ({ error }: FileOutcome): boolean => error?.code === 'unsupported-media';
  const reasonOf = ({ uri, error }: FileOutcome): string => {
    const message = error?.message ?? '';
    const subject = [uri, basename(uri)].find((one) => [' ', ':'].some((next) => message.startsWith(`${one}${next}`)));
    if (subject === undefined) return message;
    const rest = message.slice(subject.length);
    return rest.startsWith(': ') ? `${rest.charAt(2).toUpperCase()}${rest.slice(3)}` : `It${rest}`;
  };
  const groups = [...Map.groupBy(failed, reasonOf).values()].flatMap((some) =>
    some.length < manyOfOneReason && !some.every(isOfKind) ? some.map((one) => [one]) : [some],
  );
  let isCut = false;
  const rows = groups.map((some) => {
    const [first] = some as [FileOutcome];
    const names: string[] = [];
    for (const { uri } of some.slice(0, shownNames)) {
      const name = shorten(uri, pathLength);
      if (names.length === 0 || names.join(', ').length + name.length <= namesLength) names.push(name);
    }
    isCut ||= names.length < some.length;
    const more = some.length - names.length;
    const reason = some.length === 1 ? (first.error?.message ?? '') : reasonOf(first);
    return [`${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`, stateOf(first), reason] as const;
  });
  return { rows, isCut };
}

/** A table of what was not read and of what was read with warnings; only files of kinds that nobody knows are summed up in one line. */
export function renderTrouble(terminal: Terminal, files: readonly FileOutcome[]): void {
  const dim = (text: string): void => terminal.line(terminal.paint('dim', toPrintable(`  ${text}`)));
  const skipped = files.filter((file) => stateOf(file) === 'skipped');
  const failures = files.filter((file) => stateOf(file) === 'refused');
  const [unknown, textless] = [true, false].map((isUnknown) =>
    skipped.filter(({ error }) => (error?.reason === 'unknown-kind') === isUnknown),
  ) as [FileOutcome[], FileOutcome[]];
  const { rows: failed, isCut } = toFailureRows(failures);
  const warned = files.flatMap((file) => (file.warnings ?? []).map((warning) => ({ file, warning })));
  const parked = files.filter(({ state }) => state === 'parked').length;
  const rows = [
    ...failed.slice(0, shownFailures),
    ...warned
      .slice(0, shownWarnings)
      .map(
        ({ file, warning }) => [shorten(file.uri, pathLength), `${stateOf(file)}, with a warning`, warning] as const,
      ),
  ];
  const table = toTable(rows.map(([names, state, reason]) => [`  ${names}`, state, shorten(reason, 300)]));
  for (const [at, line] of table.entries()) terminal.line(terminal.paint(at < failed.length ? 'red' : 'yellow', line));
  const more = Math.max(0, failed.length - shownFailures) + Math.max(0, warned.length - shownWarnings);
  if (more > 0) terminal.line(`  … and ${more} more; --json lists all.`);
  else if (isCut) dim('all of them by name: --report FILE, or --json');
  if (parked > 0)
    dim(`${plural(parked, 'file')} given up earlier, and not tried again until changed: footnote documents parked`);
  if (textless.length > 0) {
    const names = textless.slice(0, shownNames).map(({ uri }) => shorten(uri, pathLength));
    const more = textless.length > names.length ? ` and ${textless.length - names.length} more` : '';
    dim(
      `${plural(textless.length, 'file')} skipped, with nothing to read in ${textless.length === 1 ? 'it' : 'them'}: ${names.join(', ')}${more}`,
    );
  }
  if (unknown.length === 0) return;
  const kinds = new Map<string, number>();
  for (const { uri } of unknown) {
    const kind = extname(uri).toLowerCase() || 'no extension';
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  const shown = [...kinds].sort((a, b) => b[1] - a[1]).map(([kind, count]) => `${kind} ${count}`);
  dim(
    `${plural(unknown.length, 'file')} of kinds that cannot be read: ${shown.slice(0, 8).join(', ')}${shown.length > 8 ? ', …' : ''}`,
  );
}

/** Which unchanged files were read again, or would be, and how many documents stay as an earlier version of Footnote read them. */
export function renderReadings(
  terminal: Terminal,
  {
    readAgain = 0,
    readBefore = 0,
  }: { readonly readAgain?: number | undefined; readonly readBefore?: number | undefined },
  isForetold = false,
): void {
  const dim = (text: string): void => terminal.line(terminal.paint('dim', `  ${text}`));
  const would = isForetold ? 'would be' : readAgain === 1 ? 'was' : 'were';
  if (readAgain > 0)
    dim(
      `${plural(readAgain, 'unchanged file')} ${would} read again: this version reads ${readAgain === 1 ? 'it' : 'them'} better`,
    );
  if (readBefore > 0)
    dim(
      `${plural(readBefore, 'document')} ${readBefore === 1 ? 'stays' : 'stay'} as an earlier version read ${readBefore === 1 ? 'it' : 'them'}: --reread reads all files again`,
    );
}

const percent = (share: number): string => `${Math.floor(share * 100)} %`;

/** `the same as old.pdf (doc_12)` */
export function toSameAs({ kind, similarity, uri, documentId }: Duplicate): string {
  const how = {
    exact: 'the same as',
    near: `nearly the same (${percent(similarity)}) as`,
    version: `another version (${percent(similarity)} the same) of`,
  }[kind];
  return `${how} ${shorten(uri, pathLength)} (${documentId})`;
}

/** Which files say the same as which documents, each pair once. */
export function renderDuplicates(terminal: Terminal, files: readonly FileOutcome[]): void {
  const told = new Set<string>();
  /** By document, one of those that say the same: what is the same as one of them is the same as all. */
  const families = new Map<string, string>();
  const familyOf = (id: string): string => families.get(id) ?? id;
  const rows = files.flatMap(({ uri, documentId = '', duplicates = [] }) => {
    const isTold = (one: Duplicate): boolean =>
      told.has(`${one.documentId} ${documentId}`) ||
      (one.kind === 'exact' && familyOf(one.documentId) === familyOf(documentId));
    const others = duplicates.filter((one) => !isTold(one));
    for (const one of others) {
      told.add(`${documentId} ${one.documentId}`);
      if (one.kind === 'exact') families.set(one.documentId, familyOf(documentId));
    }
    return others.length === 0 ? [] : [[`  ${shorten(uri, pathLength)}`, others.map(toSameAs).join('; ')]];
  });
  for (const line of toTable(rows.slice(0, shownDuplicates))) terminal.line(terminal.paint('dim', line));
  const more = rows.length - shownDuplicates;
  if (more > 0)
    terminal.line(
      terminal.paint('dim', `  … and ${more} more that say the same as others; --report and --json list all.`),
    );
}

/** Where `--report` writes; undefined where nobody asked for one. */
export interface Report {
  add(lines: readonly ReportLine[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opened before anything is read, so that a path that cannot be written costs nothing; `folders` are those that are read, in which the
 * report would become a document. Throws FootnoteError.
 */
export async function openReport(
  path: string | undefined,
  folders: readonly string[] = [],
): Promise<Report | undefined> {
  if (path === undefined) return undefined;
  const place = await realpath(dirname(resolve(path))).catch(() => dirname(resolve(path)));
  const around = folders.find((folder) => isWithin(join(place, basename(path)), folder));
  if (around !== undefined)
    throw new FootnoteError(
      'invalid-request',
      `The report ${path} would lie in ${around}, which is read: it would become a document. Name a file outside of it.`,
    );
  const file = await open(path, 'w').catch((thrown: unknown) => {
    const error = toFootnoteError(thrown);
    const why = error.code === 'not-found' ? 'Name a file in a folder that is there.' : error.message;
    throw new FootnoteError(error.code, `The report cannot be written to ${path}. ${why}`, { cause: thrown });
  });
  return {
    async add(lines) {
      await file.appendFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    },
    close: () => file.close(),
  };
}
