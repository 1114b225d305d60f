// Which export a file is, told from its bytes and what is inside it, and its conversations as a stream.
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { type ExportFormat, exportFormats } from '../../../core/archive.ts';
import { FootnoteError } from '../../../core/errors.ts';
import { openZipOnDisk, type ZipMember } from '../../../ingest/read/zip-on-disk.ts';
import { isChatGptConversation, readChatGpt } from './chatgpt.ts';
import { isClaudeConversation, readClaude } from './claude.ts';
import type { ImportNotes, IncomingMail, IncomingPiece } from './incoming.ts';
import { jsonMembers } from './json-stream.ts';
import { readJsonl } from './jsonl.ts';
import { isMail, splitMails } from './mail.ts';
import { isSlackExport, readSlack } from './slack.ts';
import { looksLikeWhatsApp, readWhatsApp, tellDayOrder } from './whatsapp.ts';

export interface OpenedExport {
  readonly format: ExportFormat;
  pieces(notes: ImportNotes): AsyncIterable<IncomingPiece | IncomingMail>;
}

export interface OpenExportOptions {
  /** As the person calls it; default: told from the file. */
  readonly format?: ExportFormat | undefined;
  /** Of the file, as it was handed over. */
  readonly name: string;
  /** So many bytes of the file were read. */
  readonly onRead?: ((bytes: number) => void) | undefined;
}

const headBytes = 64 * 1024;

/** Throws `unsupported-media` where the file is no export that is known, `invalid-media` where it is damaged. */
export async function openExport(path: string, options: OpenExportOptions): Promise<OpenedExport> {
  return openFile(await open(path), path, options);
}

/** Forms that nothing else has: what is of one of them is no document. */
export const unmistakable: ReadonlySet<ExportFormat> = new Set(['chatgpt', 'claude', 'slack']);

interface Content {
  readonly name: string;
  /** Nothing stands in it; known when its format was told. */
  isEmpty?: boolean;
  open(): AsyncIterable<Uint8Array>;
}

async function openFile(file: FileHandle, path: string, options: OpenExportOptions): Promise<OpenedExport> {
  const { format } = options;
  const head = Buffer.alloc(headBytes);
  const { bytesRead } = await file.read(head, 0, headBytes, 0);
  const isZip = bytesRead > 4 && head.readUInt32LE(0) === 0x04034b50;
  if (!isZip) {
    const content: Content = {
      name: basename(options.name),
      async *open() {
        for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
          options.onRead?.((chunk as Uint8Array).length);
          yield chunk as Uint8Array;
        }
      },
    };
    const told = await tellFormat(content);
    assertNoOther(format, told, options.name);
    if (format === undefined && told === undefined) throw unknown(options.name, content.isEmpty === true);
    return openContent((format ?? told) as ExportFormat, content, options);
  }
  const entries = await openZipOnDisk(file, options.onRead);
  const isSlack = isSlackExport(entries.map((entry) => entry.path));
  if (isSlack) assertNoOther(format, 'slack', options.name);
  if (format === 'slack' || isSlack) return { format: 'slack', pieces: (notes) => readSlack(entries, notes) };
  const content = await mainOf(entries, options);
  if (!content) throw unknown(options.name, false);
  return openContent(content.format, content, options);
}

const unknown = (name: string, isEmpty: boolean): FootnoteError =>
  new FootnoteError(
    'unsupported-media',
    isEmpty
      ? `${name} holds no conversations: it is empty.`
      : `${name} is no export that is known (${exportFormats.join(', ')}). Name the file that was downloaded, or add it as a document with footnote ingest.`,
  );

/** What is beyond doubt an export of somebody else's is not read as what the person calls it: nothing of it would come in. */
function assertNoOther(named: ExportFormat | undefined, told: ExportFormat | undefined, name: string): void {
  if (named === undefined || told === undefined || named === told || !unmistakable.has(told)) return;
  throw new FootnoteError(
    'invalid-request',
    `${name} is an export of ${told}, not of ${named}. Name that format, or auto.`,
  );
}

/** The file of an archive that has the conversations. */
async function mainOf(entries: readonly ZipMember[], { format, name }: OpenExportOptions) {
  const named = entries.filter(({ path }) => /(?:^|\/)conversations(?:-\d+)?\.json$/u.test(path));
  const others = entries.filter(({ path }) => /\.(?:jsonl|ndjson|txt|mbox|eml)$/iu.test(path)).slice(0, 20);
  if (named.length === 0 && (format === 'chatgpt' || format === 'claude'))
    throw new FootnoteError(
      'invalid-media',
      `${name} has no conversations.json in it. Name the ZIP that ${format} sent.`,
    );
  for (const entry of named.length > 0 ? named : others) {
    const parts = named.length > 1 && named.includes(entry) ? named : [entry];
    const content: Content = {
      name: basename(entry.path),
      open: async function* () {
        for (const part of parts) yield* part.open();
      },
    };
    const told = await tellFormat(content);
    assertNoOther(format, told, name);
    if (content.isEmpty && named.includes(entry)) throw unknown(name, true);
    if (format !== undefined || told !== undefined) return { ...content, format: (format ?? told) as ExportFormat };
  }
  return undefined;
}

function openContent(format: ExportFormat, content: Content, { name }: OpenExportOptions): OpenedExport {
  const shown = (notes: ImportNotes): ImportNotes => ({ ...notes, name: content.name.replace(/\.[^.]+$/u, '') });
  if (format === 'chatgpt') return { format, pieces: (notes) => readChatGpt(content.open(), notes) };
  if (format === 'claude') return { format, pieces: (notes) => readClaude(content.open(), notes) };
  if (format === 'jsonl') return { format, pieces: (notes) => readJsonl(() => content.open(), notes) };
  if (format === 'whatsapp')
    return {
      format,
      async *pieces(notes) {
        yield* readWhatsApp(content.open(), shown(notes), await tellDayOrder(content.open()));
      },
    };
  if (format === 'mail') return { format, pieces: (notes) => splitMails(content.open(), notes) };
  throw new FootnoteError('unsupported-media', `${name} cannot be read as ${format}.`);
}

/** Told from the beginning of the file; undefined where it is nothing that is known. */
async function tellFormat(content: Content): Promise<ExportFormat | undefined> {
  let head = '';
  for await (const chunk of content.open()) {
    head += Buffer.from(chunk).toString('utf8');
    if (head.length >= headBytes) break;
  }
  const begin = head.replace(/^\ufeff/u, '').trimStart();
  content.isEmpty = begin === '' || /^(?:\[\s*\]|\{\s*\})\s*$/u.test(begin);
  if (looksLikeWhatsApp(begin)) return 'whatsapp';
  if (begin.startsWith('[') || begin.startsWith('{')) return tellJson(content, begin);
  return isMail(begin) ? 'mail' : undefined;
}

async function tellJson(content: Content, head: string): Promise<ExportFormat | undefined> {
  const quiet: ImportNotes = { warn: () => undefined, timeZone: 'UTC', name: content.name };
  try {
    for await (const first of jsonMembers(content.open(), quiet)) {
      if (isChatGptConversation(first)) return 'chatgpt';
      if (isClaudeConversation(first)) return 'claude';
      break;
    }
  } catch (error) {
    if (!(error instanceof FootnoteError)) throw error;
  }
  return /^\{[^\n]*"conversation_?[iI]d"/u.test(head) && /"role"/u.test(head.slice(0, head.indexOf('\n') >>> 0))
    ? 'jsonl'
    : undefined;
}
