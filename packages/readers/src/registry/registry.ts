// Which parser reads a file: the type is sniffed from the bytes, and the parser of that type is loaded when first needed.

import { assertTextLength } from '../canonical/canonical-text.ts';
import { cutOffMessage, cutOffWarning, isCutOff } from '../containers/cut-off.ts';
import type { ParsedDocument } from '../document.ts';
import { readableFormats } from '../media-types.ts';
import { privateKeyWarning } from '../private-keys.ts';
import { qualityWarnings } from '../quality.ts';
import { isReadError, ReadError } from '../read-error.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { claimedMedia, encryptedOffice, misnamedWarning, sniffMedia } from './sniff.ts';

type Load = () => Promise<Parser>;

const loadCode: Load = async () => (await import('../code/code.ts')).code;
const loadCodeByLine: Load = async () => (await import('../code/code-by-line.ts')).codeByLine;
const loadSubtitles: Load = async () => (await import('../data/subtitles.ts')).subtitles;
const loadCsv: Load = async () => (await import('../data/csv.ts')).csv;

const loadReferences: Load = async () => (await import('../markup/references.ts')).references;
const loadAppleDocument: Load = async () => (await import('../sheets/apple-documents.ts')).appleDocument;
const loadFeed: Load = async () => (await import('../web/feed.ts')).feed;
const loadImage: Load = async () => (await import('../pages/image.ts')).image;
const loadArchive: Load = async () => (await import('../containers/archive.ts')).archive;

const loaders: Readonly<Record<string, Load>> = {
  'text/plain': async () => (await import('../markup/plain-text.ts')).plainText,
  'text/markdown': async () => (await import('../markup/markdown.ts')).markdown,
  'text/html': async () => (await import('../web/html.ts')).html,
  'application/pdf': async () => (await import('../pages/pdf.ts')).pdf,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': async () =>
    (await import('../words/docx.ts')).docx,
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': async () =>
    (await import('../slides/presentation.ts')).presentation,
  'application/vnd.ms-powerpoint': async () => (await import('../slides/presentation-ppt.ts')).presentationPpt,
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': async () =>
    (await import('../sheets/spreadsheet.ts')).spreadsheet,
  'application/vnd.visio': async () => (await import('../slides/visio.ts')).visio,
  'application/epub+zip': async () => (await import('../books/epub.ts')).epub,
  'application/msword': async () => (await import('../words/word-doc.ts')).wordDoc,
  'application/vnd.ms-excel': async () => (await import('../sheets/spreadsheet-xls.ts')).spreadsheetXls,
  'application/vnd.oasis.opendocument.text': async () => (await import('../opendocument/opendocument.ts')).opendocument,
  'application/vnd.oasis.opendocument.spreadsheet': async () =>
    (await import('../opendocument/opendocument-sheets.ts')).opendocumentSheets,
  'application/vnd.oasis.opendocument.presentation': async () =>
    (await import('../opendocument/opendocument-slides.ts')).opendocumentSlides,
  'application/vnd.oasis.opendocument.graphics': async () =>
    (await import('../opendocument/opendocument-slides.ts')).opendocumentSlides,
  'application/rtf': async () => (await import('../words/rtf.ts')).rtf,
  'text/csv': loadCsv,
  'text/tab-separated-values': loadCsv,
  'application/json': async () => (await import('../data/json.ts')).json,
  'message/rfc822': async () => (await import('../mail/mail.ts')).mail,
  'application/vnd.ms-outlook': async () => (await import('../mail/mail-outlook.ts')).outlookMessage,
  'application/ms-tnef': async () => (await import('../mail/mail-tnef.ts')).packedMail,
  'application/mbox': async () => (await import('../mail/mail-box.ts')).mailBox,
  'application/x-ipynb+json': async () => (await import('../data/notebook.ts')).notebook,
  'application/xml': async () => (await import('../data/xml.ts')).xml,
  'text/mdx': async () => (await import('../markup/mdx.ts')).mdx,
  'application/x-tex': async () => (await import('../markup/latex.ts')).latex,
  'application/yaml': async () => (await import('../data/yaml.ts')).yaml,
  'application/toml': async () => (await import('../data/yaml.ts')).toml,
  'text/x-rst': async () => (await import('../markup/restructured-text.ts')).restructuredText,
  'text/org': async () => (await import('../markup/org.ts')).org,
  'text/asciidoc': async () => (await import('../markup/asciidoc.ts')).asciidoc,
  'application/rss+xml': loadFeed,
  'application/atom+xml': loadFeed,
  'application/jsonl': async () => (await import('../data/jsonl.ts')).jsonl,
  'text/x-typescript': loadCode,
  'text/x-tsx': loadCode,
  'text/javascript': loadCode,
  'text/x-python': loadCode,
  'text/x-go': loadCode,
  'text/x-java': loadCode,
  'text/x-rust': loadCode,
  'text/x-c++': loadCode,
  'text/x-csharp': loadCode,
  'text/x-ruby': loadCode,
  'application/x-php': loadCode,
  'application/x-sh': loadCode,
  'application/x-powershell': loadCode,
  'text/css': loadCode,
  'image/png': loadImage,
  'image/jpeg': loadImage,
  'image/tiff': loadImage,
  'image/webp': loadImage,
  'image/bmp': loadImage,
  'image/gif': loadImage,
  'image/svg+xml': async () => (await import('../pages/svg.ts')).svg,
  'multipart/related': async () => (await import('../mail/web-archive.ts')).mhtml,
  'application/x-webarchive': async () => (await import('../mail/web-archive.ts')).webArchive,
  'application/internet-shortcut': async () => (await import('../web/link-file.ts')).linkFile,
  'application/vnd.apple.pages': loadAppleDocument,
  'application/vnd.apple.keynote': loadAppleDocument,
  'application/vnd.apple.numbers': async () => (await import('../sheets/apple-documents.ts')).appleNumbers,
  'application/x-bibtex': loadReferences,
  'application/x-research-info-systems': loadReferences,
  'text/x-ini': async () => (await import('../data/settings-text.ts')).settingsText,
  'text/x-diff': async () => (await import('../data/patch.ts')).patch,
  'text/x-gettext-translation': async () => (await import('../data/translations.ts')).translations,
  'application/sql': async () => (await import('../data/sql.ts')).sql,
  'text/x-kotlin': loadCodeByLine,
  'text/x-swift': loadCodeByLine,
  'text/x-log': async () => (await import('../data/log.ts')).log,
  'application/x-subrip': loadSubtitles,
  'text/vtt': loadSubtitles,
  'text/calendar': async () => (await import('../mail/calendar.ts')).calendar,
  'text/vcard': async () => (await import('../mail/contacts.ts')).contacts,
  'application/zip': loadArchive,
  'application/x-tar': loadArchive,
  'application/gzip': loadArchive,
  'application/x-bzip2': loadArchive,
  'application/x-xz': loadArchive,
  'application/zstd': loadArchive,
};

/** Loads the parser of a media type of the table; undefined where there is none. */
export const loaderOf = (mime: string): Load | undefined => (Object.hasOwn(loaders, mime) ? loaders[mime] : undefined);

/** The parser for a file, and the input with the media type that was found. Throws `unsupported-media` naming what is readable. */
export async function parserFor(given: ParseInput): Promise<{ readonly parser: Parser; readonly input: ParseInput }> {
  const [input, mime] = await unlocked(given, await sniffMedia(given));
  const load = loaderOf(mime);
  if (load === undefined) throw new ReadError('unsupported-media', `${input.name} is ${mime}. ${readableFormats}`);
  return { parser: await load(), input: { ...input, mime } };
}

/** Kinds whose files may be encrypted as a whole: what reads them reads the file inside. */
const mayBeLocked: ReadonlySet<string> = new Set([encryptedOffice, 'application/msword', 'application/vnd.ms-excel']);

async function unlocked(input: ParseInput, mime: string): Promise<readonly [input: ParseInput, mime: string]> {
  if (!mayBeLocked.has(mime)) return [input, mime];
  const { unlockedOffice } = await import('../office/office-unlock.ts');
  const bytes = unlockedOffice(input);
  if (bytes === undefined) return [input, mime];
  const inside = { ...input, bytes };
  return [inside, await sniffMedia(inside)];
}

/** Parsers of limited understanding that take linear time, for files on which the full one misses its deadline. */
const quickLoaders: Readonly<Record<string, Load>> = {
  'text/markdown': async () => (await import('../markup/markdown.ts')).markdownByLine,
  'text/mdx': async () => (await import('../markup/mdx.ts')).mdxByLine,
};

/** Whether a file of this type has a quick parser. */
export function hasQuickParser(input: ParseInput): boolean {
  return Object.hasOwn(quickLoaders, claimedMedia(input) ?? '');
}

/**
 * Sniffs and parses in this process; parser-pool does the same behind a deadline. `quick` takes the quick parser where
 * the type has one.
 */
export async function parseFile(input: ParseInput, quick = false): Promise<ParsedDocument> {
  const choice = await parserFor(input);
  const quickLoad = quick ? quickLoaders[choice.input.mime ?? ''] : undefined;
  const parser = quickLoad === undefined ? choice.parser : await quickLoad();
  const document = await parser.parse(choice.input).catch((thrown: unknown) => {
    throw isDamaged(thrown) && isCutOff(choice.input.bytes)
      ? new ReadError('invalid-media', cutOffMessage(input.name), { cause: thrown, details: { reason: 'cut-off' } })
      : thrown;
  });
  assertTextLength(input.name, document.text.length);
  const doubts = [
    misnamedWarning(input, choice.input.mime ?? ''),
    privateKeyWarning(document.text),
    isCutOff(choice.input.bytes) ? cutOffWarning : undefined,
    ...qualityWarnings(document).map(({ message }) => message),
  ].filter((doubt) => doubt !== undefined);
  return doubts.length === 0 ? document : { ...document, warnings: [...document.warnings, ...doubts] };
}

/** A file that cannot be read, and not for want of its password. */
const isDamaged = (thrown: unknown): boolean =>
  isReadError(thrown) &&
  thrown.code === 'invalid-media' &&
  !['password-needed', 'wrong-password', 'encrypted'].includes(String(thrown.details?.['reason']));
