// What kinds of files there are: the one table from which types are told, parsers chosen and people informed. Invariant: every kind here has
// a parser in registry/registry.ts, and nothing is read whose kind is not here.

export interface Format {
  /** IANA media type, or the `x-` type in common use. */
  readonly mime: string;
  /** As people call it. */
  readonly name: string;
  /** Of file names, lower case. */
  readonly extensions: readonly string[];
  /** Other media types that senders use for it. */
  readonly aliases?: readonly string[];
  /** Bytes decide: a text with such a name is a mistake, and such bytes under another name are still this. */
  readonly isBinary?: boolean;
  /** A container of files that become documents of their own. */
  readonly isArchive?: boolean;
}

const openXml = 'application/vnd.openxmlformats-officedocument.';
const openDocument = 'application/vnd.oasis.opendocument.';
const openOffice1 = 'application/vnd.sun.xml.';

/** Types of files that may hold macros, as they are registered and as some tools write them. Macros are never run. */
const withMacros = (program: string, kinds: readonly string[]): string[] =>
  kinds.flatMap((kind) => {
    const type = `application/vnd.ms-${program}.${kind}.macroenabled`;
    return [type, `${type}.12`];
  });

const text = (mime: string, name: string, extensions: readonly string[], aliases: readonly string[] = []): Format => ({
  mime,
  name,
  extensions,
  aliases,
});
const binary = (
  mime: string,
  name: string,
  extensions: readonly string[],
  aliases: readonly string[] = [],
): Format => ({
  ...text(mime, name, extensions, aliases),
  isBinary: true,
});
const archive = (
  mime: string,
  name: string,
  extensions: readonly string[],
  aliases: readonly string[] = [],
): Format => ({
  ...binary(mime, name, extensions, aliases),
  isArchive: true,
});

const prose: readonly Format[] = [
  text('text/plain', 'plain text', ['txt', 'text', 'nfo', 'wiki', 'lst']),
  text('text/markdown', 'Markdown', ['md', 'markdown', 'mdown', 'mkd'], ['text/x-markdown']),
  text('text/mdx', 'MDX', ['mdx']),
  text('text/html', 'HTML', ['html', 'htm', 'xhtml'], ['application/xhtml+xml']),
  text('text/x-rst', 'reStructuredText', ['rst'], ['text/prs.fallenstein.rst']),
  text('text/org', 'Org', ['org'], ['text/x-org']),
  text('text/asciidoc', 'AsciiDoc', ['adoc', 'asciidoc']),
  text('application/x-tex', 'LaTeX', ['tex', 'latex', 'ltx'], ['application/x-latex', 'text/x-tex']),
  text('text/x-log', 'log files', ['log']),
  text('text/x-diff', 'patches', ['diff', 'patch'], ['text/x-patch']),
  text('application/x-bibtex', 'references (BibTeX)', ['bib', 'bibtex'], ['text/x-bibtex']),
  text('application/x-research-info-systems', 'references (RIS)', ['ris']),
  text('text/x-gettext-translation', 'translations (gettext)', ['po', 'pot']),
  text('application/x-subrip', 'subtitles', ['srt'], ['text/srt']),
  text('text/vtt', 'subtitles', ['vtt']),
];

const data: readonly Format[] = [
  text('text/csv', 'CSV', ['csv'], ['application/csv']),
  text('text/tab-separated-values', 'TSV', ['tsv', 'tab']),
  text(
    'application/json',
    'JSON',
    ['json', 'geojson', 'jsonld', 'har'],
    ['application/geo+json', 'application/ld+json'],
  ),
  text('application/jsonl', 'JSONL', ['jsonl', 'ndjson'], ['application/x-ndjson', 'application/jsonlines']),
  text('application/x-ipynb+json', 'notebooks', ['ipynb']),
  text(
    'application/xml',
    'XML',
    ['xml', 'xsd', 'wsdl', 'kml', 'gpx', 'opml', 'xlf', 'xliff', 'tmx', 'resx', 'plist'],
    ['text/xml', 'application/vnd.google-earth.kml+xml', 'application/gpx+xml'],
  ),
  text('image/svg+xml', 'SVG', ['svg']),
  text('application/rss+xml', 'RSS', ['rss']),
  text('application/atom+xml', 'Atom', ['atom']),
  text('application/yaml', 'YAML', ['yaml', 'yml'], ['text/yaml', 'application/x-yaml', 'text/x-yaml']),
  text('application/toml', 'TOML', ['toml']),
  text('text/x-ini', 'settings', ['ini', 'properties', 'env', 'conf', 'cfg', 'cnf', 'editorconfig']),
  text('text/calendar', 'iCalendar', ['ics', 'ical', 'vcs']),
  text('text/vcard', 'contacts (vCard)', ['vcf', 'vcard'], ['text/x-vcard', 'text/directory']),
  text('message/rfc822', 'mail', ['eml', 'emlx']),
  text('application/mbox', 'mailboxes', ['mbox']),
  text('multipart/related', 'saved web pages (MHTML)', ['mht', 'mhtml'], ['application/x-mimearchive']),
  text('application/internet-shortcut', 'links', ['url', 'webloc', 'desktop'], ['application/x-desktop']),
];

const code: readonly Format[] = [
  text('text/x-typescript', 'TypeScript', ['ts', 'mts', 'cts'], ['application/typescript', 'text/typescript']),
  text('text/x-tsx', 'TSX', ['tsx']),
  text('text/javascript', 'JavaScript', ['js', 'mjs', 'cjs', 'jsx'], ['application/javascript']),
  text('text/x-python', 'Python', ['py', 'pyi'], ['text/python', 'application/x-python', 'text/x-python-script']),
  text('text/x-go', 'Go', ['go']),
  text('text/x-java', 'Java', ['java'], ['text/x-java-source']),
  text('text/x-rust', 'Rust', ['rs'], ['text/rust']),
  text(
    'text/x-c++',
    'C and C++',
    ['c', 'h', 'cc', 'cpp', 'cxx', 'hh', 'hpp', 'hxx'],
    ['text/x-c', 'text/x-csrc', 'text/x-c++src'],
  ),
  text('text/x-csharp', 'C#', ['cs']),
  text('text/x-ruby', 'Ruby', ['rb'], ['application/x-ruby']),
  text('application/x-php', 'PHP', ['php'], ['text/x-php', 'application/x-httpd-php']),
  text('application/x-sh', 'shell scripts', ['sh', 'bash', 'zsh'], ['text/x-sh', 'text/x-shellscript']),
  text('application/x-powershell', 'PowerShell', ['ps1', 'psm1']),
  text('text/css', 'CSS', ['css', 'scss', 'less']),
  text('application/sql', 'SQL', ['sql'], ['text/x-sql']),
  text('text/x-kotlin', 'Kotlin', ['kt', 'kts']),
  text('text/x-swift', 'Swift', ['swift']),
];

const office: readonly Format[] = [
  binary('application/pdf', 'PDF', ['pdf'], ['application/x-pdf']),
  binary(
    `${openXml}wordprocessingml.document`,
    'DOCX',
    ['docx', 'docm', 'dotx', 'dotm'],
    [
      `${openXml}wordprocessingml.template`,
      ...withMacros('word', ['document', 'template']),
      'application/vnd.ms-word.template.macroenabledtemplate',
    ],
  ),
  binary(
    `${openXml}spreadsheetml.sheet`,
    'XLSX',
    ['xlsx', 'xlsm', 'xltx', 'xltm'],
    [`${openXml}spreadsheetml.template`, ...withMacros('excel', ['sheet', 'template'])],
  ),
  binary(
    `${openXml}presentationml.presentation`,
    'PPTX',
    ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx', 'potm'],
    [
      `${openXml}presentationml.slideshow`,
      `${openXml}presentationml.template`,
      ...withMacros('powerpoint', ['presentation', 'slideshow', 'template']),
    ],
  ),
  binary(
    `${openDocument}text`,
    'ODT',
    ['odt', 'ott', 'fodt', 'sxw', 'stw'],
    [`${openDocument}text-template`, `${openOffice1}writer`, `${openOffice1}writer.template`],
  ),
  binary(`${openDocument}spreadsheet`, 'ODS', ['ods', 'ots', 'fods'], [`${openDocument}spreadsheet-template`]),
  binary('application/vnd.visio', 'Visio', ['vsdx', 'vsdm', 'vstx'], ['application/vnd.ms-visio.drawing']),
  binary(`${openDocument}graphics`, 'ODG', ['odg', 'otg', 'fodg'], [`${openDocument}graphics-template`]),
  binary(
    `${openDocument}presentation`,
    'ODP',
    ['odp', 'otp', 'fodp', 'sxi', 'sti'],
    [`${openDocument}presentation-template`, `${openOffice1}impress`, `${openOffice1}impress.template`],
  ),
  binary('application/msword', 'DOC', ['doc', 'dot']),
  binary('application/vnd.ms-excel', 'XLS', ['xls', 'xlt', 'xlsb'], withMacros('excel', ['sheet.binary'])),
  binary('application/vnd.ms-powerpoint', 'PPT', ['ppt', 'pps']),
  binary('application/vnd.ms-outlook', 'Outlook messages', ['msg']),
  binary('application/ms-tnef', 'Outlook attachments (winmail.dat)', ['tnef'], ['application/vnd.ms-tnef']),
  binary('application/epub+zip', 'EPUB', ['epub']),
  binary('application/vnd.apple.pages', 'Pages', ['pages']),
  binary('application/vnd.apple.keynote', 'Keynote', ['key']),
  binary('application/vnd.apple.numbers', 'Numbers', ['numbers']),
  binary('application/x-webarchive', 'saved web pages (Safari)', ['webarchive']),
  text('application/rtf', 'RTF', ['rtf'], ['text/rtf']),
];

const images: readonly Format[] = [
  binary('image/png', 'PNG', ['png'], ['image/apng']),
  binary('image/jpeg', 'JPEG', ['jpg', 'jpeg']),
  binary('image/tiff', 'TIFF', ['tif', 'tiff']),
  binary('image/webp', 'WebP', ['webp']),
  binary('image/bmp', 'BMP', ['bmp'], ['image/x-ms-bmp']),
  binary('image/gif', 'GIF', ['gif']),
];

const archives: readonly Format[] = [
  archive('application/zip', 'ZIP', ['zip'], ['application/x-zip-compressed']),
  archive('application/x-tar', 'TAR', ['tar']),
  archive('application/gzip', 'GZIP', ['gz', 'tgz'], ['application/x-gzip']),
  archive('application/x-bzip2', 'BZIP2', ['bz2', 'tbz2', 'tbz'], ['application/bzip2', 'application/x-bzip']),
  archive('application/x-xz', 'XZ', ['xz', 'txz']),
  archive('application/zstd', 'Zstandard', ['zst', 'tzst'], ['application/x-zstd']),
];

export const formats: readonly Format[] = [...prose, ...data, ...code, ...office, ...images, ...archives];

const byExtension = new Map(formats.flatMap((format) => format.extensions.map((one) => [one, format] as const)));
const byMime = new Map(
  formats.flatMap((format) => [format.mime, ...(format.aliases ?? [])].map((one) => [one, format] as const)),
);

/** Undefined where no kind has that extension. */
export const formatOfExtension = (extension: string): Format | undefined => byExtension.get(extension.toLowerCase());

/** Undefined where no kind has that type; parameters do not count. */
export const formatOfMime = (mime: string | undefined): Format | undefined =>
  byMime.get(mime?.split(';')[0]?.trim().toLowerCase() ?? '');

/** All of them, by name, once each. */
export const formatNames: readonly string[] = [...new Set(formats.map(({ name }) => name))];

/** For people whose file is none of these. */
export const readableFormats =
  'Readable are PDF, office files, mail, web pages, Markdown and other markup, notebooks, tables, data, source code, pictures of text, and archives of these.';
