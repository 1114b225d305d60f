// The parser port: bytes of one file in, canonical text with structure out. Parsers run in a child process (parser-pool)
// with a deadline, so that a file made to hurt costs only itself.
import type { ParsedDocument } from '../core/document.ts';

export interface ParseInput {
  readonly bytes: Uint8Array;
  /** File name or path: a hint for the type and the title; the bytes decide where they can be sniffed. */
  readonly name: string;
  /** Media type as claimed by the sender, a hint too. */
  readonly mime?: string;
  readonly password?: string;
}

export interface Parser {
  readonly name: string;
  readonly mimes: readonly string[];
  /** Throws `unsupported-media`, `invalid-media` (damaged, encrypted, empty of text …) or `too-large`. */
  parse(input: ParseInput): Promise<ParsedDocument>;
}

export interface ParserPool {
  /** Parses in a child; `deadline-exceeded` after `timeoutMs`, `invalid-media` if the child died on the file. */
  parse(
    input: ParseInput,
    options?: { readonly timeoutMs?: number; readonly signal?: AbortSignal },
  ): Promise<ParsedDocument>;
  close(): Promise<void>;
}
