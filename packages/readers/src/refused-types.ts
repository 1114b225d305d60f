// Kinds of files that are known and not read, with what to do about each. Beside media-types.ts, the table of those that are read: a kind stands in one
// of the two. What says nothing anybody could ask for (programs, films, fonts) is told apart from documents of other programs.

export interface RefusedKind {
  /** After the name of the file: `is a film. …`. */
  readonly why: string;
  /** Media types as `file-type` gives them. */
  readonly mimes?: readonly string[];
  /** Of file names, lower case; asked only where the bytes say nothing. */
  readonly extensions: readonly string[];
  /** How such files begin, byte for byte as Latin-1. */
  readonly opening?: RegExp;
  /** Nobody expects it to be read: summed up in reports, not named one by one. */
  readonly isNoise?: true;
  /** Files of the kind may be texts by their bytes; of the other kinds none is, so that a text with such a name is a text. */
  readonly isText?: true;
  /** Whatever its bytes say: it is not all there. */
  readonly isUnfinished?: true;
}

export const refusedKinds: readonly RefusedKind[] = [
  {
    why: 'is a 7z archive. Unpack it, or pack it as ZIP.',
    mimes: ['application/x-7z-compressed'],
    extensions: ['7z'],
  },
  {
    why: 'is a RAR archive. Unpack it, or pack it as ZIP.',
    mimes: ['application/x-rar-compressed'],
    extensions: ['rar'],
  },
  {
    why: 'is an archive of a kind that is not read. Unpack it, or pack it as ZIP.',
    mimes: [
      'application/x-compress',
      'application/lzip',
      'application/x-lz4',
      'application/x-arj',
      'application/x-lzh-compressed',
      'application/x-cpio',
      'application/x-ace-compressed',
      'application/vnd.ms-cab-compressed',
      'application/x-unix-archive',
    ],
    extensions: ['z', 'lz', 'lz4', 'lzma', 'tlz', 'arj', 'lzh', 'lha', 'cab', 'cpio', 'ace'],
  },
  {
    why: 'is a photograph in HEIC or HEIF. Export it as JPEG or PNG to have its text read.',
    mimes: ['image/heic', 'image/heic-sequence', 'image/heif', 'image/heif-sequence'],
    extensions: ['heic', 'heif'],
  },
  {
    why: 'is a picture in a format that is not read. Export it as JPEG or PNG to have its text read.',
    mimes: [
      'image/avif',
      'image/jxl',
      'image/jp2',
      'image/jpx',
      'image/jpm',
      'image/j2c',
      'image/jls',
      'image/vnd.ms-photo',
      'image/vnd.adobe.photoshop',
      'image/x-xcf',
      'image/x-canon-cr2',
      'image/x-canon-cr3',
      'image/x-nikon-nef',
      'image/x-sony-arw',
      'image/x-adobe-dng',
      'image/x-olympus-orf',
      'image/x-panasonic-rw2',
      'image/x-fujifilm-raf',
    ],
    extensions: ['avif', 'jxl', 'jp2', 'psd', 'xcf', 'cr2', 'cr3', 'nef', 'arw', 'dng', 'emf', 'wmf'],
  },
  {
    why: 'is a book in a format that is not read. Convert it to EPUB (Calibre does it) or PDF.',
    mimes: ['application/x-mobipocket-ebook', 'application/x-fictionbook+xml'],
    isText: true,
    extensions: ['mobi', 'azw', 'azw1', 'azw3', 'azw4', 'kfx', 'prc', 'fb2', 'lit', 'lrf', 'pdb'],
    // As Palm called books before Kindle did; what follows a name of 31 letters and facts of the file.
    opening: /^[\s\S]{60}(?:BOOKMOBI|TEXtREAd)/u,
  },
  {
    why: 'is a scan in DjVu. Convert it to PDF (ddjvu -format=pdf does it).',
    extensions: ['djvu', 'djv'],
    opening: /^AT&TFORM/u,
  },
  {
    why: 'is a document for printing (XPS). Print it to PDF.',
    mimes: ['application/oxps', 'application/vnd.ms-xpsdocument'],
    extensions: ['xps', 'oxps'],
  },
  {
    why: 'holds subtitles of SubStation Alpha (ASS, SSA). Convert them to SRT or VTT (ffmpeg does it).',
    isText: true,
    extensions: ['ass', 'ssa'],
    opening: /^(?:\u00ef\u00bb\u00bf)?\[Script Info\]/u,
  },
  {
    why: 'is a document of Word 95 or older. Open it in Word or LibreOffice, and save it as DOCX.',
    mimes: ['application/x-msword-95'],
    extensions: [],
  },
  {
    why: 'is a drawing of Visio of before 2013. Save it as VSDX or PDF.',
    mimes: ['application/x-visio'],
    extensions: ['vsd', 'vss', 'vst'],
  },
  {
    why: 'is a section of OneNote. Export it as PDF or DOCX.',
    extensions: ['one', 'onetoc2', 'onepkg'],
    opening: /^\u00e4\u0052\u005c\u007b\u008c\u00d8\u00a7\u004d\u00ae\u00b1\u0053\u0078\u00d0\u0029\u0096\u00d3/u,
  },
  {
    why: 'is a mailbox of Outlook (PST). Export its messages as MSG or EML, or the folder as mbox.',
    extensions: ['pst', 'ost'],
    opening: /^!BDN/u,
  },
  {
    why: 'is a publication of Publisher. Export it as PDF.',
    extensions: ['pub'],
  },
  {
    why: 'is a table in Parquet, Arrow or Avro. Export it as CSV or JSONL.',
    mimes: ['application/vnd.apache.parquet', 'application/vnd.apache.arrow.file', 'application/avro'],
    extensions: ['parquet', 'arrow', 'feather', 'avro', 'orc'],
    opening: /^PAR1/u,
  },
  {
    why: 'is a database of SQLite. Export the tables that you want to ask as CSV, or all of it as SQL (sqlite3 FILE .dump).',
    mimes: ['application/x-sqlite3'],
    extensions: ['sqlite', 'sqlite3', 'db3', 'gpkg'],
  },
  {
    why: 'is a database. Export the tables that you want to ask as CSV.',
    extensions: ['mdb', 'accdb', 'dbf', 'fdb', 'gdb', 'sas7bdat', 'sav', 'dta', 'rds', 'rdata'],
    opening: /^\u0000\u0001\u0000\u0000Standard (?:Jet|ACE) DB/u,
  },
  {
    why: 'is a list of parts for a download (BitTorrent), not a document. Give the files that it stands for.',
    isText: true,
    extensions: ['torrent'],
    opening: /^d\d{1,3}:(?:announce|comment|created by|creation date|encoding|info)/u,
    isNoise: true,
  },
  {
    why: 'is a drawing or a model of a design program. Export it as PDF, or its texts as a table.',
    mimes: ['image/vnd.dwg', 'model/stl', 'model/3mf', 'model/gltf-binary', 'application/vnd.sketchup.skp'],
    isText: true,
    extensions: [
      'dwg',
      'dxf',
      'stl',
      '3mf',
      'glb',
      'skp',
      'step',
      'stp',
      'iges',
      'blend',
      'ai',
      'indd',
      'sketch',
      'fig',
    ],
  },
  {
    why: 'is PostScript. Convert it to PDF (ps2pdf does it).',
    mimes: ['application/postscript', 'application/eps'],
    isText: true,
    extensions: ['ps', 'eps'],
    opening: /^%!PS/u,
  },
  {
    why: 'is help for Windows (CHM). Convert it to HTML or PDF.',
    mimes: ['application/vnd.ms-htmlhelp'],
    extensions: ['chm', 'hlp'],
  },
  {
    why: 'holds keys or a certificate: nothing to ask about, and nothing to keep in an index.',
    mimes: ['application/pgp-encrypted'],
    extensions: [
      'pem',
      'crt',
      'cer',
      'der',
      'p12',
      'pfx',
      'p7b',
      'p7c',
      'p7s',
      'csr',
      'jks',
      'gpg',
      'pgp',
      'asc',
      'kdbx',
      'ppk',
    ],
    opening:
      /^(?:-----BEGIN (?:[A-Z ]{0,40}PRIVATE KEY|CERTIFICATE|PGP PRIVATE KEY BLOCK|PGP PUBLIC KEY BLOCK)|PuTTY-User-Key-File)/u,
    isText: true,
  },
  {
    why: 'is a film. There is no speech recognition: give its subtitles (SRT, VTT) or a transcript.',
    mimes: ['application/mxf', 'application/ogg', 'application/vnd.ms-asf', 'application/x-shockwave-flash'],
    extensions: ['mp4', 'm4v', 'mov', 'avi', 'mkv', 'webm', 'wmv', 'flv', 'mpg', 'mpeg', '3gp', 'ogv', 'vob', 'swf'],
    isNoise: true,
  },
  {
    why: 'is a recording. There is no speech recognition: give a transcript.',
    extensions: ['mp3', 'm4a', 'aac', 'wav', 'flac', 'ogg', 'oga', 'opus', 'wma', 'aif', 'aiff', 'amr', 'mid', 'midi'],
    isNoise: true,
  },
  {
    why: 'is a program or a package of one, not a document.',
    mimes: [
      'application/x-elf',
      'application/x-mach-binary',
      'application/x-msdownload',
      'application/x-deb',
      'application/x-rpm',
      'application/wasm',
      'application/java-vm',
      'application/vnd.android.package-archive',
      'application/x-google-chrome-extension',
      'application/x-nintendo-nes-rom',
    ],
    extensions: [
      'exe',
      'dll',
      'msi',
      'so',
      'dylib',
      'o',
      'a',
      'lib',
      'app',
      'deb',
      'rpm',
      'pkg',
      'apk',
      'ipa',
      'crx',
      'class',
      'pyc',
      'wasm',
      'sys',
      'com',
      'scr',
      'appimage',
    ],
    isNoise: true,
  },
  {
    why: 'is the image of a disk, not a document. Open it, and give the files in it.',
    mimes: ['application/x-apple-diskimage', 'application/x-iso9660-image'],
    extensions: ['dmg', 'iso', 'img', 'vhd', 'vhdx', 'vmdk', 'qcow2', 'vdi', 'wim'],
    isNoise: true,
  },
  {
    why: 'is a font, not a document.',
    mimes: ['application/vnd.ms-fontobject'],
    extensions: ['ttf', 'otf', 'woff', 'woff2', 'eot', 'ttc', 'pfb', 'pfm'],
    isNoise: true,
  },
  {
    why: 'holds settings of a program of Apple (a binary property list). Convert it to XML (plutil -convert xml1).',
    mimes: ['application/x-bplist'],
    extensions: [],
  },
  {
    why: 'is a download that did not finish. Finish it, or remove it.',
    extensions: ['crdownload', 'part', 'partial', 'download', 'opdownload', '!qb'],
    isUnfinished: true,
  },
  {
    why: 'is a shortcut to another file. Give that file.',
    mimes: ['application/x-ms-shortcut', 'application/x-ft-apple.alias'],
    extensions: ['lnk'],
    isNoise: true,
  },
];

/** What private keys are refused as, whatever they are called. */
export const keyKind = refusedKinds.find(({ extensions }) => extensions.includes('pem')) as RefusedKind;

/** Families of media types, where every member is the same to us. */
const families: readonly (readonly [prefix: string, extension: string])[] = [
  ['video/', 'mp4'],
  ['audio/', 'mp3'],
  ['font/', 'ttf'],
];

const byExtension = new Map(refusedKinds.flatMap((kind) => kind.extensions.map((one) => [one, kind] as const)));
const byMime = new Map(refusedKinds.flatMap((kind) => (kind.mimes ?? []).map((one) => [one, kind] as const)));

/** The kind of a media type that was found in the bytes. */
export function refusedByMime(mime: string): RefusedKind | undefined {
  const family = families.find(([prefix]) => mime.startsWith(prefix));
  return byMime.get(mime) ?? (family === undefined ? undefined : byExtension.get(family[1]));
}

/** The kind of a name, for bytes that say nothing. */
export const refusedByExtension = (extension: string): RefusedKind | undefined => byExtension.get(extension);

/** The kind that the first bytes tell. */
export function refusedByOpening(bytes: Uint8Array): RefusedKind | undefined {
  // Byte for byte: what TextDecoder calls latin1 is windows-1252.
  const head = Buffer.from(bytes.subarray(0, 128)).toString('latin1');
  return refusedKinds.find(({ opening }) => opening?.test(head));
}
