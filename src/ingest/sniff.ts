// Tells what a file is from its bytes; its name and the sender's media type only decide between kinds of text.
// A file whose bytes contradict its name is what the bytes say, or is refused where we cannot read that.
import { fileTypeFromBuffer } from 'file-type';
import { FootnoteError } from '../core/errors.ts';
import type { ParseInput } from './parse.ts';
import { decodeText, looksBinary, readableFormats } from './parsers/decode.ts';

const byExtension: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  markdown: 'text/markdown',
  mdown: 'text/markdown',
  mkd: 'text/markdown',
  mdx: 'text/markdown',
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'text/html',
  txt: 'text/plain',
  text: 'text/plain',
  log: 'text/plain',
  rst: 'text/plain',
  adoc: 'text/plain',
  org: 'text/plain',
  tex: 'text/plain',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  tab: 'text/tab-separated-values',
  json: 'application/json',
  jsonl: 'application/jsonl',
  ndjson: 'application/jsonl',
  ts: 'text/x-typescript',
  mts: 'text/x-typescript',
  cts: 'text/x-typescript',
  tsx: 'text/x-tsx',
  js: 'text/javascript',
  mjs: 'text/javascript',
  cjs: 'text/javascript',
  jsx: 'text/javascript',
  py: 'text/x-python',
  pyi: 'text/x-python',
  go: 'text/x-go',
  java: 'text/x-java',
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};

const byMime: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.values(byExtension).map((mime) => [mime, mime])),
  'text/x-markdown': 'text/markdown',
  'application/xhtml+xml': 'text/html',
  'application/csv': 'text/csv',
  'application/x-ndjson': 'application/jsonl',
  'application/jsonlines': 'application/jsonl',
  'application/javascript': 'text/javascript',
  'application/typescript': 'text/x-typescript',
  'text/typescript': 'text/x-typescript',
  'text/python': 'text/x-python',
  'application/x-python': 'text/x-python',
  'text/x-python-script': 'text/x-python',
  'text/x-java-source': 'text/x-java',
};

/** The media type that the name, else the sender, claims; the bytes may say otherwise. */
export function claimedMedia({ name, mime }: ParseInput): string | undefined {
  return byExtension[extensionOf(name)] ?? byMime[mime?.split(';')[0]?.trim().toLowerCase() ?? ''];
}

const isBinaryKind = (mime: string): boolean => mime === 'application/pdf' || mime.startsWith('application/vnd.');

/**
 * The media type to parse a file as. Throws `invalid-media` for an empty file, a file that is not what its name says and
 * cannot be read otherwise, and `unsupported-media` for what no parser reads.
 */
export async function sniffMedia({ bytes, name, mime }: ParseInput): Promise<string> {
  if (bytes.length === 0) throw new FootnoteError('invalid-media', `${name} is empty. Give a file with text in it.`);
  const claimed = byExtension[extensionOf(name)];
  const found = await sniffBinary(bytes);
  if (found !== undefined && isReadableBinary(found)) return found;
  if (found !== undefined) {
    const claim = claimed === undefined ? '' : `, although its name says ${claimed}`;
    throw new FootnoteError('unsupported-media', `${name} is ${found}${claim}. ${readableFormats}`, {
      details: { mime: found },
    });
  }
  if (looksBinary(bytes)) {
    if (claimed !== undefined && isBinaryKind(claimed))
      throw new FootnoteError(
        'invalid-media',
        `${name} is not a ${kindName(claimed)} file, or it is damaged beyond reading.`,
      );
    throw new FootnoteError('unsupported-media', `${name} holds binary data that no parser knows. ${readableFormats}`);
  }
  if (claimed !== undefined && isBinaryKind(claimed))
    throw new FootnoteError(
      'invalid-media',
      `${name} is not a ${kindName(claimed)} file: it holds plain text. Rename or re-export it.`,
    );
  return sniffText(bytes, name, { claimed, sent: mime });
}

function sniffText(
  bytes: Uint8Array,
  name: string,
  hint: { claimed: string | undefined; sent: string | undefined },
): string {
  const sent = byMime[hint.sent?.split(';')[0]?.trim().toLowerCase() ?? ''];
  const kind = hint.claimed ?? (sent !== undefined && !isBinaryKind(sent) ? sent : undefined);
  const head = decodeText(bytes.subarray(0, 4096), name).text.trimStart();
  if (/^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*<(!doctype\s+html|html)\b/i.test(head) && !kind?.startsWith('text/x-'))
    return 'text/html';
  if (kind !== undefined) return kind;
  const extension = extensionOf(name);
  if (extension !== '' && hint.sent?.split(';')[0]?.trim() !== 'text/plain')
    throw new FootnoteError(
      'unsupported-media',
      `${name}: files of type .${extension} cannot be read yet. ${readableFormats}`,
      {
        details: { extension },
      },
    );
  if (/^<(\?xml|!doctype)\b/i.test(head))
    throw new FootnoteError('unsupported-media', `${name} is XML, which cannot be read yet. ${readableFormats}`);
  return isJson(bytes, head) ? 'application/json' : 'text/plain';
}

/** Types that file-type finds in what is text all the same, and that the name decides better. */
const textualTypes = new Set([
  'application/xml',
  'application/json',
  'text/vcard',
  'text/calendar',
  'application/x-ndjson',
]);

async function sniffBinary(bytes: Uint8Array): Promise<string | undefined> {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1024));
  if (head.includes('%PDF-')) return 'application/pdf';
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  return found === undefined || textualTypes.has(found.mime) ? undefined : found.mime;
}

const isReadableBinary = (mime: string): boolean =>
  mime === 'application/pdf' || mime === 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

function kindName(mime: string): string {
  return mime === 'application/pdf' ? 'PDF' : 'DOCX';
}

function isJson(bytes: Uint8Array, head: string): boolean {
  if (!/^[[{]/.test(head) || bytes.length > 16_000_000) return false;
  try {
    JSON.parse(new TextDecoder().decode(bytes));
    return true;
  } catch {
    return false;
  }
}

/** The extension of a file name in lower case, without the dot; '' where it has none (dot files included). */
export function extensionOf(name: string): string {
  const file = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const dot = file.lastIndexOf('.');
  return dot <= 0 ? '' : file.slice(dot + 1).toLowerCase();
}
