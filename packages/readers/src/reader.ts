// The port of readers: the bytes of one file in, canonical text with its structure out. A reader is a function of the bytes alone: it opens no
// file and no connection, and what it cannot read ends in a ReadError that says what to do.
import type { ParsedDocument } from './document.ts';
import type { ReadErrorCode } from './read-error.ts';

export interface ParseInput {
  readonly bytes: Uint8Array;
  /** File name or path: a hint for the type and the title; the bytes decide where they can be sniffed. */
  readonly name: string;
  /** Media type as claimed by the sender, a hint too. */
  readonly mime?: string;
  readonly password?: string;
  /** Of an archive: tried in turn on each file in it that asks for one. */
  readonly passwords?: readonly string[];
  /** Called by parsers at work on something long (each page that is recognised): it gives them more time, up to a cap. */
  readonly onProgress?: () => void;
  /** Time until the file is given up, whatever progress is made: long work stops in time with what it has. */
  readonly budgetMs?: number;
  /** How text in pictures is recognised. */
  readonly recognition?: RecognitionChoice;
}

export interface RecognitionChoice {
  /** Pictures are not read. */
  readonly off?: boolean;
  /** Codes of Tesseract's models, joined by "+": `eng+deu`. Default `eng`, the only one that comes with the program. */
  readonly languages?: string;
  /** Folder of further models (`deu.traineddata`). */
  readonly folder?: string;
}

export interface Parser {
  readonly name: string;
  readonly mimes: readonly string[];
  /** Throws `unsupported-media`, `invalid-media` (damaged, encrypted, empty of text …) or `too-large`. */
  parse(input: ParseInput): Promise<ParsedDocument>;
}

/** How much may come out of an archive. */
export interface UnpackLimits {
  readonly maxFiles: number;
  /** Of one file. */
  readonly maxFileBytes: number;
  readonly maxTotalBytes: number;
}

/** A file of an archive, by its path inside, which is safe: relative, without `..`, NFC, unique; or why it was refused. */
export interface UnpackedFile {
  readonly path: string;
  readonly content: Uint8Array | RefusedContent;
}

export interface RefusedContent {
  readonly code: ReadErrorCode;
  readonly message: string;
  /** For programs: `password-needed`, `wrong-password`. */
  readonly reason?: string;
}
