// footnote documents: what is in the record, one document in whatever view, and removing one.

import { type Command, InvalidArgumentError } from 'commander';
import { FootnoteError } from '../../core/errors.ts';
import type { Filter } from '../../core/search.ts';
import { defined } from '../../core/values/defined.ts';
import type { Footnote } from '../../footnote/facade.ts';
import { renderChunks, renderFacts, renderPages, renderStructure, toPages } from '../render/document.ts';
import { plural, shorten } from '../render/render.ts';
import { toWholeNumber } from '../terminal/options.ts';
import { toPrintable } from '../terminal/terminal.ts';
import type { Cli } from './cli.ts';

interface ListOptions {
  readonly source?: string;
  readonly limit: number;
  readonly cursor?: string;
}

interface ShowOptions {
  readonly text?: boolean;
  readonly range?: { readonly start: number; readonly end: number };
  readonly chunks?: boolean;
  readonly pages?: boolean;
  readonly structure?: boolean;
}

function toRange(text: string): { start: number; end: number } {
  const [, start = '', end = ''] = /^(\d{1,12}):(\d{1,12})$/.exec(text) ?? [];
  if (start === '' || Number(end) < Number(start))
    throw new InvalidArgumentError('It must be two offsets, the smaller one first, such as 0:2000.');
  return { start: Number(start), end: Number(end) };
}

export function addDocumentsCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const documents = program.command('documents').description('List, show or delete documents');

  const list = documents
    .command('list', { isDefault: true })
    .description('List documents')
    .option('-s, --source <name>', 'only of this source')
    .option('-n, --limit <number>', 'how many, at most 1000', toWholeNumber, 50)
    .option('--cursor <cursor>', 'go on after an earlier list')
    .addHelpText('after', '\nExample:\n  footnote documents list --source docs');
  list.action(async ({ source, limit, cursor }: ListOptions) => {
    if (limit < 1 || limit > 1000) throw new FootnoteError('invalid-request', '--limit must be from 1 to 1000.');
    await cli.withData(list, { needsData: true }, async ({ footnote }) => {
      const filter: Filter | undefined =
        source === undefined ? undefined : { op: 'eq', field: 'source', value: source };
      const page = await footnote.documents.list(defined({ limit, cursor, ...(filter && { filter }) }));
      terminal.value(page);
      const { damaged = [] } = page;
      if (page.data.length + damaged.length === 0) terminal.line('No documents.');
      const rows = page.data.map((one) =>
        [one.id, one.source, plural(one.chunkCount, 'chunk'), shorten(one.title, 50), shorten(one.uri, 60)].map(
          toPrintable,
        ),
      );
      terminal.table(rows);
      for (const { id, source, uri } of damaged)
        terminal.line(
          `${terminal.paint('red', 'damaged')}  ${toPrintable(id)}  ${toPrintable(source)}: ${toPrintable(uri)}`,
        );
      if (damaged.length > 0)
        terminal.line('Damaged documents are not served. Ingest them again, or run: footnote doctor --repair');
      if (page.nextCursor !== undefined) terminal.line(`More: --cursor ${page.nextCursor}`);
    });
  });

  const show = documents
    .command('show')
    .description('Show a document: its facts, warnings and copies, or its text, chunks, pages or structure')
    .argument('<id>', 'id of the document')
    .option('--text', 'print the text that offsets and quotes refer to')
    .option('--range <start:end>', 'with --text: only this part, in UTF-16 code units', toRange)
    .option('--chunks', 'the pieces in which it is searched: tokens, headings, place')
    .option('--pages', 'its pages: label, characters, words with a box, size')
    .option('--structure', 'its headings and places')
    .addHelpText(
      'after',
      `
Examples:
  footnote documents show doc_0123
  footnote documents show doc_0123 --text --range 0:2000
  footnote documents show doc_0123 --chunks`,
    );
  show.action(async (id: string, options: ShowOptions) => {
    const views = (['text', 'chunks', 'pages', 'structure'] as const).filter((name) => options[name]);
    if (views.length > 1)
      throw new FootnoteError('invalid-request', `--${views.join(' and --')} are different views. Choose one of them.`);
    if (options.range && !options.text)
      throw new FootnoteError('invalid-request', '--range is a part of the text. Use it with --text.');
    await cli.withData(show, { needsData: true }, async ({ footnote }) => {
      const document = await footnote.documents.get(id);
      if (options.text) {
        const text = await textOf(footnote.documents, id, options.range);
        terminal.value({ ...document, text });
        terminal.line(toPrintable(text));
      } else if (options.chunks) {
        const chunks = await footnote.documents.chunks(id);
        terminal.value({ ...document, chunks });
        renderChunks(terminal, chunks);
      } else if (options.pages) {
        const [structure, { text }] = await Promise.all([
          footnote.documents.structure(id),
          footnote.documents.text(id),
        ]);
        const pages = toPages(structure, text);
        terminal.value({ ...document, pages });
        renderPages(terminal, pages);
      } else if (options.structure) {
        const structure = await footnote.documents.structure(id);
        terminal.value({ ...document, structure });
        renderStructure(terminal, structure);
      } else {
        terminal.value(document);
        renderFacts(terminal, document);
      }
    });
  });

  addParkedCommand(documents, cli);

  const remove = documents
    .command('delete')
    .description('Delete a document from the data folder (a file on disk is not touched)')
    .argument('<id>', 'id of the document')
    .addHelpText('after', '\nExample:\n  footnote documents delete doc_0123');
  cli.onData(remove, async ({ footnote }, id: string) => {
    await footnote.documents.delete(id);
    terminal.value({ id, deleted: true });
    terminal.line(`Deleted ${toPrintable(id)}.`);
  });
}

/** The text, or a part of it, cut at its end: whoever asks for the first 2,000 characters need not know how many there are. */
async function textOf(
  documents: Pick<Footnote['documents'], 'text'>,
  id: string,
  range: ShowOptions['range'],
): Promise<string> {
  const { text } = await documents.text(id);
  if (range === undefined) return text;
  return range.start > text.length ? (await documents.text(id, range)).text : text.slice(range.start, range.end);
}

interface ParkedOptions {
  readonly source?: string;
  readonly limit: number;
  readonly cursor?: string;
}

function addParkedCommand(documents: Command, cli: Cli): void {
  const { terminal } = cli;
  const parked = documents
    .command('parked')
    .description('List files that could not be read and are not tried again until they change')
    .option('-s, --source <name>', 'only of this source')
    .option('-n, --limit <number>', 'how many, at most 1000', toWholeNumber, 50)
    .option('--cursor <cursor>', 'go on after an earlier list')
    .addHelpText(
      'after',
      '\nTry them again with "footnote sync --retry".\n\nExample:\n  footnote documents parked --source docs',
    );
  cli.onData(parked, async ({ footnote }, { source, limit, cursor }: ParkedOptions) => {
    const page = await footnote.ingestions.parked(defined({ limit, source, cursor }));
    terminal.value(page);
    if (page.data.length === 0) terminal.line('No file was given up.');
    for (const { source: name, uri, tries, error } of page.data) {
      terminal.line(`${terminal.paint('bold', toPrintable(`${name}: ${uri}`))} (${tries} tries)`);
      terminal.line(`  ${toPrintable(error.message)}`);
    }
    if (page.nextCursor !== undefined) terminal.line(`More: --cursor ${page.nextCursor}`);
  });
}
