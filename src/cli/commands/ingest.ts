// footnote ingest: folders become sources that sync keeps fresh; single files and stdin go to the source `files`.
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import type { SourceType } from '../../core/document.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { sha256 } from '../../core/ids.ts';
import type { AddedDocument, Footnote } from '../../footnote/facade.ts';
import type { Cli } from '../cli.ts';
import { readStdin, repeatable, typeOption } from '../options.ts';
import { plural } from '../render.ts';
import {
  followRun,
  hasRealFailure,
  type RunReport,
  renderRun,
  renderWarnings,
  toRunError,
  toRunValue,
} from '../runs.ts';
import { settleVectors } from '../settle.ts';
import { toPrintable } from '../terminal.ts';

interface IngestOptions {
  readonly source?: string;
  readonly type?: SourceType;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly title?: string;
  readonly uri?: string;
  readonly mime?: string;
  readonly password?: string;
  readonly wait?: boolean;
}

interface FileReport {
  readonly path: string;
  readonly documents?: readonly AddedDocument[];
  readonly error?: FootnoteError;
}

/** Looks at every path before anything is read, so that a mistyped one costs nothing. */
async function sortPaths(paths: readonly string[]): Promise<{ folders: string[]; files: string[]; stdin: boolean }> {
  const folders: string[] = [];
  const files: string[] = [];
  for (const path of paths.filter((one) => one !== '-')) {
    try {
      const facts = await stat(path);
      const real = await realpath(path);
      if (facts.isDirectory()) folders.push(real);
      else if (facts.isFile()) files.push(real);
      else throw new FootnoteError('invalid-request', `${path} is neither a folder nor a file. Name one of the two.`);
    } catch (thrown) {
      const error = toFootnoteError(thrown);
      throw error.code === 'not-found'
        ? new FootnoteError('not-found', `There is no file or folder ${resolve(path)}. Check the path.`, {
            cause: thrown,
          })
        : error;
    }
  }
  return { folders, files, stdin: paths.includes('-') };
}

const toName = (path: string): string =>
  basename(path)
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
    .slice(0, 80) || 'folder';

/** The source that reads this folder, declared if need be; a name that another folder has gets a number. */
async function declareSource(footnote: Footnote, path: string, options: IngestOptions): Promise<string> {
  const sources = await footnote.sources.list();
  const same = sources.find(
    (source) => source.connector?.path === path && (options.source === undefined || source.name === options.source),
  );
  const named = sources.find((source) => source.name === options.source);
  if (!same && named)
    throw new FootnoteError(
      'conflict',
      named.connector
        ? `Source "${named.name}" reads ${named.connector.path} already. Choose another name with --source.`
        : `Source "${named.name}" holds documents that were added one by one. Choose another name with --source.`,
    );
  const taken = new Set(sources.map((source) => source.name));
  let name = same?.name ?? options.source ?? toName(path);
  for (let number = 2; !same && taken.has(name); number += 1) name = `${toName(path)}-${number}`;
  const globs = {
    ...((options.include ?? same?.connector?.include) && {
      include: [...(options.include ?? same?.connector?.include ?? [])],
    }),
    ...((options.exclude ?? same?.connector?.exclude) && {
      exclude: [...(options.exclude ?? same?.connector?.exclude ?? [])],
    }),
  };
  await footnote.sources.put({
    name,
    type: options.type ?? same?.type ?? 'docs',
    ...(same?.authority !== undefined && { authority: same.authority }),
    ...(same?.ttlSeconds !== undefined && { ttlSeconds: same.ttlSeconds }),
    connector: { kind: 'folder', path, ...globs },
  });
  return name;
}

async function addFile(
  footnote: Footnote,
  file: {
    readonly path: string;
    readonly bytes: () => Promise<Uint8Array>;
    readonly name: string;
    readonly uri: string;
  },
  { options, signal }: { readonly options: IngestOptions; readonly signal: AbortSignal },
): Promise<FileReport> {
  try {
    const documents = await footnote.documents.add(
      {
        bytes: await file.bytes(),
        name: file.name,
        source: options.source ?? 'files',
        uri: file.uri,
        ...(options.type && { sourceType: options.type }),
        ...(options.title !== undefined && { title: options.title }),
        ...(options.mime !== undefined && { mime: options.mime }),
        ...(options.password !== undefined && { password: options.password }),
      },
      { signal },
    );
    return { path: file.path, documents };
  } catch (thrown) {
    const error = toFootnoteError(thrown);
    if (['cancelled', 'storage-full', 'data-corrupt', 'upstream-unavailable'].includes(error.code)) throw error;
    return { path: file.path, error };
  }
}

const noExtension = (name: string): string => (/\.[A-Za-z0-9]+$/.test(name) ? name : `${name}.txt`);

export function addIngestCommand(program: Command, cli: Cli): void {
  const { terminal, signal } = cli;
  const command = program
    .command('ingest')
    .description('Read folders and files, so that they can be searched and cited')
    .argument('<paths...>', 'folders and files; "-" reads one document from stdin')
    .option('-s, --source <name>', 'name of the source (default: the name of the folder; "files" for single files)')
    .addOption(typeOption())
    .addOption(repeatable('--include <glob>', 'only files that match (repeatable)'))
    .addOption(repeatable('--exclude <glob>', 'leave out files and folders that match (repeatable)'))
    .option('--title <title>', 'title of a single document')
    .option('--uri <uri>', 'identity of a single document: the same again is a new version')
    .option('--mime <type>', 'media type of a single document')
    .option('--password <password>', 'password of an encrypted file')
    .option('--wait', 'end when search by meaning has learned all of it, so that the same files always rank alike')
    .addHelpText(
      'after',
      `
A folder is read with everything below it, .gitignore files are obeyed, and reading it again costs only what changed.
Ctrl-C is safe at any time: run the command again to go on.

Examples:
  footnote ingest ./docs
  footnote ingest ~/project --type code --include '*.ts' --exclude 'test/**'
  footnote ingest report.pdf notes.md
  curl -s https://example.org/page.html | footnote ingest - --uri https://example.org/page.html --mime text/html`,
    );
  command.action(async (paths: string[], options: IngestOptions) => {
    const { folders, files, stdin } = await sortPaths(paths);
    const count = folders.length + files.length + (stdin ? 1 : 0);
    const single = options.title ?? options.uri ?? options.mime;
    if (single !== undefined && (count !== 1 || folders.length > 0))
      throw new FootnoteError(
        'invalid-request',
        '--title, --uri and --mime describe one document. Name exactly one file with them.',
      );
    if (options.password !== undefined && folders.length > 0)
      throw new FootnoteError(
        'invalid-request',
        '--password opens single files. Name the encrypted files one by one with it.',
      );
    if (options.source !== undefined && folders.length > 1)
      throw new FootnoteError(
        'invalid-request',
        'Each folder is a source of its own. Use --source with one folder at a time.',
      );
    const piped = stdin ? await readStdin('the document') : undefined;

    await cli.withData(command, {}, async (access) => {
      const { footnote } = access;
      const runs: RunReport[] = [];
      const reports: FileReport[] = [];
      for (const folder of folders) {
        const source = await declareSource(footnote, folder, options);
        const report = await followRun(footnote, { terminal, source }, signal);
        runs.push(report);
        renderRun(terminal, report);
        signal.throwIfAborted();
      }
      for (const path of files) {
        const uri = options.uri ?? path.replaceAll('\\', '/');
        const file = { path, name: basename(path), uri, bytes: () => readFile(path) };
        reports.push(await addFile(footnote, file, { options, signal }));
      }
      if (piped) {
        const name = noExtension(options.title ?? options.uri ?? 'stdin');
        const file = {
          path: 'stdin',
          name: options.mime === undefined ? name : (options.title ?? 'stdin'),
          // As for a text that comes over HTTP without a uri: another text is another document.
          uri: options.uri ?? `text:${sha256(piped).slice(0, 24)}`,
          bytes: async () => piped,
        };
        reports.push(await addFile(footnote, file, { options, signal }));
      }
      for (const { path, documents, error } of reports) {
        if (error && count > 1)
          terminal.line(`${terminal.paint('red', toPrintable(path))}: ${toPrintable(error.message)}`);
        for (const { id, status, chunks, warnings } of documents?.slice(0, 20) ?? []) {
          terminal.line(`${toPrintable(path)}: ${status}, ${plural(chunks, 'chunk')} (${id})`);
          renderWarnings(terminal, warnings);
        }
        if (documents && documents.length > 20) terminal.line(`  … ${documents.length} documents in all`);
      }
      terminal.value({
        ingestions: runs.map(toRunValue),
        files: reports.map(({ path, documents, error }) => ({
          path,
          ...(documents && { documents }),
          ...(error && { error: { code: error.code, message: error.message } }),
        })),
      });
      await settleVectors(access, { terminal, wait: options.wait === true }, signal);
      if (hasRealFailure([...runs.flatMap(({ failed }) => failed), ...reports])) cli.exitCode = 1;
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
