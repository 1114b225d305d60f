// What a command writes: results to stdout, everything else to stderr, colours only where a person looks on (and
// NO_COLOR is not set), one JSON value on stdout with --json.
import { styleText } from 'node:util';
import { type FootnoteError, isFootnoteError, toFootnoteError } from '../../core/errors.ts';

type Style = Parameters<typeof styleText>[0];

export interface Terminal {
  /** True with --json: stdout carries exactly one JSON value. */
  json: boolean;
  /** A person looks on: progress may be drawn and redrawn. */
  readonly isInteractive: boolean;
  readonly columns: number;
  /** A line of the result; nothing with --json. */
  line(text?: string): void;
  /** Columns of text as lines of the result, or what is said where there are none. */
  table(rows: readonly (readonly string[])[], none?: string): void;
  /** The result as JSON; nothing without --json. */
  value(value: unknown): void;
  /** A line about what goes on, to stderr; nothing with --json. */
  note(text: string): void;
  /** A warning, to stderr, always. */
  warn(text: string): void;
  /** Replaces the present line of an interactive terminal; '' clears it. */
  redraw(text: string): void;
  /** Coloured where the stream shows colours. */
  paint(style: Style, text: string): string;
  fail(error: unknown): number;
  /** Values that are never written from here on, whatever holds them: the stack of an error of ours, a path, a reply. */
  hide(secrets: readonly string[]): void;
  /** Called instead of ending at once when nobody reads any more what is written. */
  onReaderGone(call: () => void): void;
  /** Resolves when everything written has left the process. */
  flush(): Promise<void>;
}

/**
 * Characters that could steer a terminal, or turn the order of what is read (CVE-2021-42574), are shown, never sent: file
 * names and documents are not ours.
 */
export function toPrintable(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
    .replace(/[\u061c\u200e\u200f]/g, '');
}

/** Of a line: all but the colours of `paint` is made inert here, whatever was forgotten where it was written. */
const inert = (text: string): string =>
  text
    .split(/(\u001b\[(?:[12]|22|3[1-6]|39)m)/u)
    .map((piece, at) => (at % 2 === 1 ? piece : toPrintable(piece)))
    .join('');

/** The same value, none of whose characters steers a terminal. */
export const toSafeJson = (value: unknown, space: number): string =>
  JSON.stringify(value, undefined, space).replace(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/gu,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function toProblem(error: FootnoteError): Record<string, unknown> {
  const details = Object.keys(error.details).length > 0 ? { details: error.details } : {};
  return { code: error.code, message: error.message, retryable: error.rule.retryable, ...details };
}

/** Shorter values are words that text is made of. */
const leastSecret = 8;

export function createTerminal(): Terminal {
  const { stdout, stderr } = process;
  let hidden: readonly string[] = [];
  const masked = (text: string): string => hidden.reduce((shown, secret) => shown.replaceAll(secret, '[secret]'), text);
  const say = (text: string): boolean => stdout.write(masked(text));
  const tell = (text: string): boolean => stderr.write(masked(text));
  const paintFor = (stream: NodeJS.WriteStream, style: Style, text: string): string =>
    styleText(style, text, { stream, validateStream: true });
  // A reader that has seen enough (`| head`) ends the program quietly.
  let readerGone = (): void => process.exit(0);
  for (const stream of [stdout, stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      readerGone();
    });
  const terminal: Terminal = {
    json: false,
    isInteractive: stdout.isTTY && stderr.isTTY && process.stdin.isTTY,
    get columns() {
      return Math.max(40, Math.min(stdout.columns ?? 100, 120));
    },
    line(text = '') {
      if (!terminal.json) say(`${inert(text)}\n`);
    },
    table(rows, none) {
      for (const row of rows.length === 0 && none !== undefined ? [none] : toTable(rows)) terminal.line(row);
    },
    value(value) {
      if (terminal.json) say(`${toSafeJson(value, 2)}\n`);
    },
    note(text) {
      if (!terminal.json) tell(`${terminal.isInteractive ? '\r\u001b[2K' : ''}${toPrintable(text)}\n`);
    },
    warn(text) {
      tell(`${paintFor(stderr, 'yellow', toPrintable(text))}\n`);
    },
    redraw(text) {
      tell(`\r\u001b[2K${text}`);
    },
    paint: (style, text) => paintFor(stdout, style, text),
    hide(secrets) {
      hidden = secrets.filter(({ length }) => length >= leastSecret);
    },
    fail(thrown) {
      const error = toFootnoteError(thrown);
      if (terminal.json) tell(`${JSON.stringify({ error: toProblem(error) })}\n`);
      else {
        tell(`${paintFor(stderr, 'red', 'error')} ${toPrintable(error.message)}\n`);
        if (error.code === 'internal')
          tell(
            `${isFootnoteError(thrown) ? '' : `${(thrown as Error).stack ?? ''}\n`}This is an error of ours. Run with --json for its details.\n`,
          );
      }
      return error.rule.exitCode;
    },
    onReaderGone(call) {
      readerGone = call;
    },
    flush: () =>
      new Promise((done) => {
        stdout.write('', () => {
          stderr.write('', () => done());
        });
      }),
  };
  return terminal;
}

/** Columns of text, the last one free to run on. */
export function toTable(rows: readonly (readonly string[])[], gap = 2): string[] {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd((widths[column] ?? 0) + gap)))
      .join('')
      .trimEnd(),
  );
}
