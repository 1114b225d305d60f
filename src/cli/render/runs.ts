// A run of reading a source, followed in the terminal: a bar where a person looks on, quiet counts otherwise, and at the
// end what could not be read, kinds of files that nobody expects to be read summed up in one line.
import { type ErrorCode, errorTable, FootnoteError } from '../../core/errors.ts';
import type { Footnote, SyncOptions } from '../../footnote/facade.ts';
import { type Terminal, toPrintable } from '../terminal/terminal.ts';
import { openBar } from './bar.ts';
import { isSkipped, type Report, renderDuplicates, renderReadings, renderTrouble, toReportLine } from './outcomes.ts';
import { plural } from './render.ts';

export type Run = Awaited<ReturnType<Footnote['ingestions']['get']>>;
type RunFile = Awaited<ReturnType<Footnote['ingestions']['files']>>['data'][number];

export interface RunReport {
  readonly run: Run;
  readonly failed: readonly RunFile[];
  /** Files that were read, but not all of them or not surely right. */
  readonly warned: readonly RunFile[];
  /** Files that were given up in earlier runs and not tried in this one. */
  readonly parked: readonly RunFile[];
  /** Files that were read in this run and say the same as other documents. */
  readonly twins: readonly RunFile[];
  /** Files that were read in this run, by kind. */
  readonly kinds: ReadonlyMap<string, number>;
}

/** Looks through the files of a run; all of them go into the report, if there is one. */
async function remarkableFiles(
  footnote: Footnote,
  { id, source }: Run,
  report: Report | undefined,
): Promise<Omit<RunReport, 'run'>> {
  const failed: RunFile[] = [];
  const warned: RunFile[] = [];
  const parked: RunFile[] = [];
  const twins: RunFile[] = [];
  const kinds = new Map<string, number>();
  let cursor: string | undefined;
  do {
    const page = await footnote.ingestions.files(id, { limit: 1000, ...(cursor !== undefined && { cursor }) });
    for (const file of page.data) {
      if (file.state === 'failed') failed.push(file);
      else if (file.state === 'parked') parked.push(file);
      else if (file.warnings?.length) warned.push(file);
      if (file.state === 'done' && file.duplicates) twins.push(file);
      if (file.state === 'done' && file.kind !== undefined) kinds.set(file.kind, (kinds.get(file.kind) ?? 0) + 1);
    }
    await report?.add(page.data.map((file) => toReportLine(source, file)));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return { failed, warned, parked, twins, kinds };
}

export interface FollowOptions {
  readonly terminal: Terminal;
  readonly source: string;
  /** How files are read that were read or given up before. */
  readonly reading?: Pick<SyncOptions, 'retry' | 'reread' | 'confirm'>;
  readonly report?: Report | undefined;
}

/** Reads a source anew and shows how it goes. */
export async function followRun(
  footnote: Footnote,
  { terminal, source, reading, report }: FollowOptions,
  signal: AbortSignal,
): Promise<RunReport> {
  const bar = openBar(terminal, toPrintable(source));
  let latest = '';
  const onProgress = ({ counts }: Run, file?: RunFile): void => {
    latest = file?.uri ?? latest;
    const detail = latest === '' && counts.chunks > 0 ? plural(counts.chunks, 'chunk') : latest;
    bar.update(counts.done + counts.unchanged + counts.failed, counts.found, detail);
  };
  try {
    const run = await footnote.sources.sync(source, { signal, onProgress, ...reading });
    return { run, ...(await remarkableFiles(footnote, run, report)) };
  } finally {
    bar.end();
  }
}

export function renderRun(terminal: Terminal, { run, failed, warned, parked, twins, kinds }: RunReport): void {
  const { done, unchanged, deleted, chunks } = run.counts;
  const skipped = failed.filter(({ error }) => isSkipped(error)).length;
  const refused = failed.length - skipped;
  const parts = [
    `${plural(done, 'file')} read (${plural(chunks, 'chunk')})`,
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
    ...(deleted > 0 ? [`${deleted} gone and removed`] : []),
    ...(run.counts.failed > 0
      ? [
          `${run.counts.failed} not read${refused > 0 && skipped > 0 ? ` (${refused} refused, ${skipped} skipped)` : ''}`,
        ]
      : []),
  ];
  terminal.line(
    `${terminal.paint('bold', toPrintable(run.source))}: ${parts.join(', ')}${run.state === 'done' ? '' : ` (${run.state})`}`,
  );
  if (run.counts.found === 0 && run.state === 'done')
    terminal.line(
      '  No file was found. Check the path, the .gitignore files and the globs of --include and --exclude.',
    );
  if (kinds.size > 0) {
    const shown = [...kinds].sort((a, b) => b[1] - a[1]).map(([kind, count]) => `${kind} ${count}`);
    terminal.line(terminal.paint('dim', `  ${toPrintable(shown.join(', '))}`));
  }
  renderReadings(terminal, run.counts);
  renderDuplicates(terminal, twins);
  renderTrouble(terminal, [...failed, ...parked, ...warned]);
}

/** The run as `--json` prints it. */
export const toRunValue = ({ run, failed, warned, parked, twins }: RunReport) => ({
  ...run,
  failedFiles: failed,
  warnedFiles: warned,
  parkedFiles: parked,
  duplicateFiles: twins,
});

type Fault = { readonly code: string; readonly reason?: unknown };

/** True where something that should have been read was not: kinds of files that cannot be read, and empty ones, are expected in a folder. */
export const hasRealFailure = (failed: readonly { readonly error?: Fault | undefined }[]): boolean =>
  failed.some(({ error }) => error !== undefined && error.code !== 'unsupported-media' && !isSkipped(error));

/** Most messages begin with the name of the file, without the folders that it lies in. */
const withName = (uri: string, message: string): string => {
  const name = uri.slice(uri.lastIndexOf('/') + 1);
  return message.startsWith(name) ? `${uri.slice(0, -name.length)}${message}` : `${uri}: ${message}`;
};

/** The failure that a run amounts to: it did not end well, or nothing at all could be read. */
export function toRunError({ run, failed }: RunReport): FootnoteError | undefined {
  const first = failed.find(({ error }) => !isSkipped(error));
  const fault =
    run.error ??
    (run.state === 'cancelled'
      ? { code: 'cancelled', message: 'Interrupted. What was read is kept; run it again to go on.' }
      : undefined) ??
    (run.counts.done + run.counts.unchanged === 0 && first?.error
      ? { code: first.error.code, message: `Nothing could be read. ${withName(first.uri, first.error.message)}` }
      : undefined);
  if (fault === undefined) return undefined;
  return new FootnoteError(fault.code in errorTable ? (fault.code as ErrorCode) : 'internal', fault.message);
}
