// footnote ingest: folders become sources that sync keeps fresh; single files and stdin go to the source `files`. --dry-run says what
// that would bring, and changes nothing.
import type { Command } from 'commander';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { ImportReport } from '../../footnote/facade/conversations.ts';
import type { AddedDocument, Footnote } from '../../footnote/facade.ts';
import { tellExport } from '../../footnote/told-export.ts';
import { toImported } from '../render/histogram.ts';
import { isSkipped, openReport, type Report, type ReportLine, renderWarnings, toSameAs } from '../render/outcomes.ts';
import { assertDryRun, previewAll } from '../render/previews.ts';
import { plural, shorten } from '../render/render.ts';
import { followRun, hasRealFailure, type RunReport, renderRun, toRunError, toRunValue } from '../render/runs.ts';
import { endReading } from '../render/settle.ts';
import { watchOn } from '../render/watching.ts';
import { findFolderExports, withoutExports } from '../terminal/folder-exports.ts';
import {
  fileAt,
  type IngestOptions,
  isAddress,
  type NamedFile,
  pageAt,
  pipedFile,
  sortPaths,
  sourceFor,
  sourceOfFiles,
  toDocument,
} from '../terminal/ingest-inputs.ts';
import { readStdin, repeatable, typeOption } from '../terminal/options.ts';
import { readPasswords } from '../terminal/passwords.ts';
import { type Terminal, toPrintable } from '../terminal/terminal.ts';
import type { Cli } from './cli.ts';

interface FileReport {
  readonly path: string;
  readonly documents?: readonly AddedDocument[];
  readonly error?: FootnoteError;
  /** It was an export of conversations and went into the archive. */
  readonly imported?: ImportReport;
}

async function addFile(
  footnote: Footnote,
  file: NamedFile,
  {
    options,
    passwords,
    signal,
  }: { readonly options: IngestOptions; readonly passwords: readonly string[]; readonly signal: AbortSignal },
): Promise<FileReport> {
  try {
    const imported = await importExport(footnote, file, { options, signal });
    if (imported) return { path: file.path, imported };
    const documents = await footnote.documents.add(await toDocument(file, options, passwords), { signal });
    return { path: file.path, documents };
  } catch (thrown) {
    const error = toFootnoteError(thrown);
    if (['cancelled', 'storage-full', 'data-corrupt', 'upstream-unavailable'].includes(error.code)) throw error;
    return { path: file.path, error };
  }
}

/** An export of conversations is no document: read as JSON, nobody would find a turn in it. What a person calls a document stays one. */
async function importExport(
  footnote: Footnote,
  { path }: NamedFile,
  { options, signal }: { readonly options: IngestOptions; readonly signal: AbortSignal },
): Promise<ImportReport | undefined> {
  const isCalledDocument = [options.source, options.title, options.uri, options.mime].some((one) => one !== undefined);
  const format = isCalledDocument ? undefined : await tellExport(path);
  if (format === undefined) return undefined;
  return footnote.conversations.import({ content: { path }, details: { name: path, format } }, { signal });
}

const stateOfStatus = { created: 'added', updated: 'changed', unchanged: 'unchanged' } as const;

/** The files that were named one by one, as lines of a report. */
const toLines = (source: string, { path, documents, error, imported }: FileReport): ReportLine[] => {
  if (imported)
    return [{ source: 'conversations', file: path, state: imported.turns.created > 0 ? 'added' : 'unchanged' }];
  return error
    ? [
        {
          source,
          file: path,
          state: error.details['parked'] === true ? 'parked' : isSkipped(error.details) ? 'skipped' : 'refused',
          reason: { code: error.code, message: error.message },
        },
      ]
    : (documents ?? []).map(({ id, uri, status, chunks, warnings, duplicates }) => ({
        source,
        file: uri,
        state: stateOfStatus[status],
        documentId: id,
        chunks,
        ...(warnings.length > 0 && { warnings }),
        ...(duplicates && { duplicates }),
      }));
};

function renderFiles(terminal: Terminal, reports: readonly FileReport[], isOne: boolean): void {
  for (const { path, documents, error, imported } of reports) {
    if (imported)
      terminal.line(
        toPrintable(`${path}: conversations of ${imported.format}, ${toImported(imported)}; see footnote peek`),
      );
    if (error && !isOne) terminal.line(`${terminal.paint('red', toPrintable(path))}: ${toPrintable(error.message)}`);
    if (documents?.length === 1) for (const document of documents) renderDocument(terminal, path, document);
    else if (documents) renderInside(terminal, path, documents);
  }
}

function renderDocument(
  terminal: Terminal,
  path: string,
  { id, status, chunks, warnings, duplicates = [] }: AddedDocument,
): void {
  terminal.line(`${toPrintable(path)}: ${status}, ${plural(chunks, 'chunk')} (${id})`);
  for (const one of duplicates) terminal.line(terminal.paint('dim', toPrintable(`  ${toSameAs(one)}`)));
  renderWarnings(terminal, warnings);
}

const shownInside = 20;

/** A file of many documents: how many there are, and those that are not as they were before. */
function renderInside(terminal: Terminal, path: string, documents: readonly AddedDocument[]): void {
  const counts = new Map<string, number>();
  for (const { status } of documents) counts.set(status, (counts.get(status) ?? 0) + 1);
  const told = [...counts].map(([status, count]) => `${count} ${status}`).join(', ');
  const chunks = documents.reduce((sum, one) => sum + one.chunks, 0);
  terminal.line(`${toPrintable(path)}: ${documents.length} documents (${plural(chunks, 'chunk')}), ${told}`);
  renderWarnings(terminal, documents[0]?.warnings ?? []);
  const changed = documents.filter(({ status }) => status !== 'unchanged');
  for (const document of changed.slice(0, shownInside)) {
    const { id, uri, status, chunks: own, duplicates = [] } = document;
    const same = duplicates[0] ? `; ${toSameAs(duplicates[0])}` : '';
    const more = duplicates.length > 1 ? ` and ${duplicates.length - 1} more` : '';
    const name = uri.startsWith(`${path}/`) ? uri.slice(path.length + 1) : uri;
    terminal.line(toPrintable(`  ${shorten(name, 60)}: ${status}, ${plural(own, 'chunk')} (${id})${same}${more}`));
    if (document !== documents[0]) renderWarnings(terminal, document.warnings);
  }
  if (changed.length > shownInside)
    terminal.line(`  … and ${changed.length - shownInside} more; --report and --json list all.`);
}

export function addIngestCommand(program: Command, cli: Cli): void {
  const { terminal, signal } = cli;
  const command = program
    .command('ingest')
    .description('Read folders, files and pages of the web, so that they can be searched and cited')
    .argument('<paths...>', 'folders, files and addresses (https://…); "-" reads one document from stdin')
    .option('-s, --source <name>', 'name of the source (default: the name of the folder; "files" for single files)')
    .addOption(typeOption())
    .addOption(repeatable('--include <glob>', 'only files that match (repeatable)'))
    .addOption(repeatable('--exclude <glob>', 'leave out files and folders that match (repeatable)'))
    .option('--title <title>', 'title of a single document')
    .option('--uri <uri>', 'identity of a single document: the same again is a new version')
    .option('--mime <type>', 'media type of a single document')
    .option('--password <password>', 'password of an encrypted file')
    .option(
      '--password-file <file>',
      'passwords of encrypted files, PASSWORD or PATTERN<tab>PASSWORD on each line, tried in turn; of a folder the path is kept for sync',
    )
    .option('--retry', 'read files again that were given up after three tries')
    .option('--reread', 'read every file again, unchanged ones too; what comes out as before stays')
    .option('--no-reread', 'read no unchanged file again, not even those that this version reads better')
    .option('--watch', 'go on: read folders again when something in them changed')
    .option('--dry-run', 'only say what that would bring: files, chunks, time, cost, and what cannot be read')
    .option('--report <file>', 'write what became of each file to FILE, a JSON object per line')
    .option(
      '--wait',
      'end when search by meaning has learned all of it, so that the same files always rank alike, and other stores have taken it',
    )
    .addHelpText(
      'after',
      `
A folder is read with everything below it, .gitignore files are obeyed, and reading it again costs only what changed.
Ctrl-C is safe at any time: run the command again to go on.

Examples:
  footnote ingest ./docs
  footnote ingest ~/Downloads --dry-run
  footnote ingest ~/Downloads --report outcome.jsonl
  footnote ingest ~/project --type code --include '*.ts' --exclude 'test/**'
  footnote ingest report.pdf notes.md
  footnote ingest https://example.org/page.html
  pandoc notes.tex -t html | footnote ingest - --uri notes.tex --mime text/html`,
    );
  command.action(async (paths: string[], options: IngestOptions) => {
    const addresses = [...new Set(paths.filter(isAddress))];
    const { folders, files, stdin } = await sortPaths(
      paths.filter((path) => !isAddress(path)),
      { passwordFile: options.passwordFile, mayBeNone: addresses.length > 0 },
    );
    const count = folders.length + files.length + addresses.length + (stdin ? 1 : 0);
    const single = options.title ?? options.uri ?? options.mime;
    if (single !== undefined && (count !== 1 || folders.length > 0))
      throw new FootnoteError(
        'invalid-request',
        '--title, --uri and --mime describe one document. Name exactly one file with them.',
      );
    if (options.password !== undefined && folders.length > 0)
      throw new FootnoteError(
        'invalid-request',
        '--password opens single files. Write the passwords of the files in a folder into a file and name it with --password-file.',
      );
    const passwordsOf = await readPasswords(options);
    if (options.source !== undefined && folders.length > 1)
      throw new FootnoteError(
        'invalid-request',
        'Each folder is a source of its own. Use --source with one folder at a time.',
      );
    if (options.watch && folders.length === 0)
      throw new FootnoteError('invalid-request', '--watch goes on with folders. Name one.');
    assertDryRun(options);
    const piped = stdin ? await readStdin('the document') : undefined;

    const named = [
      ...files.map((path) => fileAt(path, options)),
      ...addresses.map((url) => pageAt(url, options)),
      ...(piped ? [pipedFile(piped, options)] : []),
    ];
    if (options.dryRun) {
      await cli.withData(command, { leavesNoTrace: true }, async ({ footnote }) => {
        const sources = [];
        for (const folder of folders)
          sources.push(withoutExports(await sourceFor(footnote, folder, options), await findFolderExports(folder)));
        const documents = named.map((file) => () => toDocument(file, options, passwordsOf(file.path)));
        await previewAll(footnote, { terminal, sources, documents, signal });
      });
      return;
    }
    await cli.withData(command, {}, async (access) => {
      const { footnote } = access;
      const report: Report | undefined = await openReport(options.report, folders);
      const runs: RunReport[] = [];
      const reports: FileReport[] = [];
      /** Exports that lay in folders were told before them. */
      let inFolders = 0;
      try {
        for (const folder of folders) {
          const exports = await findFolderExports(folder);
          const source = withoutExports(await sourceFor(footnote, folder, options), exports);
          for (const path of exports.files) {
            const added = await addFile(footnote, fileAt(path, {}), { options: {}, passwords: [], signal });
            reports.push(added);
            renderFiles(terminal, [added], false);
            await report?.add(toLines('conversations', added));
          }
          await footnote.sources.put(source);
          const { retry = false, reread } = options;
          const reading = { retry, ...(reread !== undefined && { reread }) };
          const run = await followRun(footnote, { terminal, source: source.name, reading, report }, signal);
          runs.push(run);
          renderRun(terminal, run);
          signal.throwIfAborted();
        }
        inFolders = reports.length;
        for (const file of named) {
          const added = await addFile(footnote, file, { options, passwords: passwordsOf(file.path), signal });
          reports.push(added);
          await report?.add(toLines(options.source ?? (file.url === undefined ? sourceOfFiles : 'web'), added));
        }
      } finally {
        await report?.close();
      }
      renderFiles(terminal, reports.slice(inFolders), count === 1);
      const value = {
        ingestions: runs.map(toRunValue),
        files: reports.map(({ path, documents, error, imported }) => ({
          path,
          ...(imported && { imported }),
          ...(documents && { documents }),
          ...(error && { error: { code: error.code, message: error.message } }),
        })),
      };
      const wait = options.wait === true;
      const { isWhole } = await endReading(access, { terminal, wait, value }, signal);
      if (options.watch) await watchOn(access, { terminal, runs }, signal);
      const faults = reports.map(({ error }) => ({
        error: error && { code: error.code, reason: error.details['reason'] },
      }));
      if (hasRealFailure([...runs.flatMap(({ failed }) => failed), ...faults]) || (wait && !isWhole)) cli.exitCode = 1;
      const failure = runs.map(toRunError).find((error) => error !== undefined);
      if (failure && (failure.code !== 'unsupported-media' || runs.length === 1)) throw failure;
      const bad = reports.find((report) => report.error)?.error;
      if (bad && reports.every((report) => report.error) && runs.length === 0) {
        if (reports.length === 1) throw bad;
        cli.exitCode = bad.rule.exitCode;
      }
    });
  });
}
