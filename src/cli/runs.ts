// A run of reading a source, followed in the terminal: a bar where a person looks on, quiet counts otherwise, and at the
// end what could not be read, kinds of files that nobody expects to be read summed up in one line.
import { extname } from 'node:path';
import { type ErrorCode, errorTable, FootnoteError } from '../core/errors.ts';
import type { Footnote } from '../footnote/facade.ts';
import { openBar } from './bar.ts';
import { plural, shorten } from './render.ts';
import { type Terminal, toPrintable } from './terminal.ts';

export type Run = Awaited<ReturnType<Footnote['ingestions']['get']>>;
type RunFile = Awaited<ReturnType<Footnote['ingestions']['files']>>['data'][number];

export interface RunReport {
  readonly run: Run;
  readonly failed: readonly RunFile[];
  /** Files that were read, but not all of them or not surely right. */
  readonly warned: readonly RunFile[];
}

const shownWarnings = 10;

async function remarkableFiles(footnote: Footnote, id: string): Promise<Pick<RunReport, 'failed' | 'warned'>> {
  const failed: RunFile[] = [];
  const warned: RunFile[] = [];
  let cursor: string | undefined;
  do {
    const page = await footnote.ingestions.files(id, { limit: 1000, ...(cursor !== undefined && { cursor }) });
    for (const file of page.data)
      if (file.state === 'failed') failed.push(file);
      else if (file.warnings?.length) warned.push(file);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return { failed, warned };
}

/** Reads a source anew and shows how it goes. */
export async function followRun(
  footnote: Footnote,
  { terminal, source }: { readonly terminal: Terminal; readonly source: string },
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
    const run = await footnote.sources.sync(source, { signal, onProgress });
    return { run, ...(await remarkableFiles(footnote, run.id)) };
  } finally {
    bar.end();
  }
}

/** At most ten lines, each with the file it is about if that is not clear. */
export function renderWarnings(terminal: Terminal, warnings: readonly string[]): void {
  for (const warning of warnings.slice(0, shownWarnings))
    terminal.line(`  ${terminal.paint('yellow', shorten(warning, 300))}`);
  const more = warnings.length - shownWarnings;
  if (more > 0) terminal.line(`  … and ${more} more; --json lists all.`);
}

export function renderRun(terminal: Terminal, { run, failed, warned }: RunReport): void {
  const { done, unchanged, deleted, chunks } = run.counts;
  const parts = [
    `${plural(done, 'file')} read (${plural(chunks, 'chunk')})`,
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
    ...(deleted > 0 ? [`${deleted} gone and removed`] : []),
    ...(run.counts.failed > 0 ? [`${run.counts.failed} not read`] : []),
  ];
  terminal.line(
    `${terminal.paint('bold', toPrintable(run.source))}: ${parts.join(', ')}${run.state === 'done' ? '' : ` (${run.state})`}`,
  );
  if (run.counts.found === 0 && run.state === 'done')
    terminal.line(
      '  No file was found. Check the path, the .gitignore files and the globs of --include and --exclude.',
    );
  const unsupported = failed.filter((file) => file.error?.code === 'unsupported-media');
  const others = failed.filter((file) => file.error?.code !== 'unsupported-media');
  for (const { uri, error } of others.slice(0, 50))
    terminal.line(`  ${terminal.paint('red', toPrintable(uri))}: ${shorten(error?.message ?? '', 300)}`);
  if (others.length > 50) terminal.line(`  … and ${others.length - 50} more; --json lists all.`);
  renderWarnings(
    terminal,
    warned.flatMap(({ uri, warnings = [] }) => warnings.map((warning) => `${uri}: ${warning}`)),
  );
  if (unsupported.length > 0) {
    const kinds = new Map<string, number>();
    for (const { uri } of unsupported) {
      const kind = extname(uri).toLowerCase() || 'no extension';
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    const shown = [...kinds].sort((a, b) => b[1] - a[1]).map(([kind, count]) => `${kind} ${count}`);
    terminal.line(
      terminal.paint(
        'dim',
        `  ${plural(unsupported.length, 'file')} of kinds that cannot be read: ${toPrintable(shown.slice(0, 8).join(', '))}${shown.length > 8 ? ', …' : ''}`,
      ),
    );
  }
}

/** The run as `--json` prints it. */
export const toRunValue = ({ run, failed, warned }: RunReport) => ({
  ...run,
  failedFiles: failed,
  warnedFiles: warned,
});

/** True where something that should have been read was not: kinds of files that cannot be read are expected in a folder. */
export const hasRealFailure = (
  failed: readonly { readonly error?: { readonly code: string } | undefined }[],
): boolean => failed.some(({ error }) => error !== undefined && error.code !== 'unsupported-media');

/** The failure that a run amounts to: it did not end well, or nothing at all could be read. */
export function toRunError({ run, failed }: RunReport): FootnoteError | undefined {
  const first = failed[0];
  const fault =
    run.error ??
    (run.state === 'cancelled'
      ? { code: 'cancelled', message: 'Interrupted. What was read is kept; run it again to go on.' }
      : undefined) ??
    (run.counts.done + run.counts.unchanged === 0 && first?.error
      ? { code: first.error.code, message: `Nothing could be read. ${first.uri}: ${first.error.message}` }
      : undefined);
  if (fault === undefined) return undefined;
  return new FootnoteError(fault.code in errorTable ? (fault.code as ErrorCode) : 'internal', fault.message);
}
