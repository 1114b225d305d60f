// Lines of JSONL that cost their parser its life or ran out of time: each is tried three times and then parked as a file is, under
// the name `file:line`. Invariant: a parked line is known by its bytes, so it stays parked where it moves to, and a line that was
// changed is read; the lines beside it are read as if it were not there.

import type { LineRun } from '@footnote/readers/canonical/line-runs';
import { FootnoteError } from '../../core/errors.ts';
import { type Clock, sha256 } from '../../core/ids.ts';
import { defined } from '../../core/values/defined.ts';
import type { ReadingFailure, ReadingRepository } from '../../db/repositories/readings.ts';
import type { LinesFault } from '../read/parse.ts';
import { maxTries, readers, toParkedError } from './parking.ts';

/** Stands where files have their extension. */
const lineKind = 'jsonl-line';

export interface FailedLine {
  readonly lineNumber: number;
  /** `data/log.jsonl:17` */
  readonly uri: string;
  /** `details.parked` where it is not tried again by itself. */
  readonly error: FootnoteError;
}

export interface ParkedLines {
  /** Lines of the run that are not read now. */
  parkedIn(run: LineRun): Promise<readonly FailedLine[]>;
  /** Records that a line cost its parser the process. */
  failed(run: LineRun, fault: LinesFault): Promise<FailedLine>;
  /** What was known of lines that are gone or can be read now is forgotten. To be called when all runs were read. */
  end(): Promise<void>;
}

export interface ParkedLinesPorts {
  readonly readings: ReadingRepository;
  readonly clock: Clock;
  readonly source: string;
  readonly fileUri: string;
  /** Who may read the file. */
  readonly access: readonly string[] | undefined;
  /** Parked lines are read again. */
  readonly retry: boolean;
  /** What is known of the source's files that could not be read; those of other files are passed over. */
  readonly failures: readonly ReadingFailure[];
}

export function openParkedLines(ports: ParkedLinesPorts): ParkedLines {
  const { readings, clock, source, fileUri, access, retry } = ports;
  const known = ports.failures.filter(
    (one) => one.kind === lineKind && one.uri.startsWith(`${fileUri}:`) && one.source === source,
  );
  const byHash = new Map(known.filter((one) => one.readers === readers).map((one) => [one.contentHash, one]));
  const met = new Set<string>();
  const uriOf = (lineNumber: number): string => `${fileUri}:${lineNumber}`;

  async function keep({ access: _, ...failure }: ReadingFailure): Promise<void> {
    met.add(failure.uri);
    await readings.putFailure({ ...failure, ...defined({ access }) });
  }

  return {
    async parkedIn(run) {
      if (retry || ![...byHash.values()].some(({ tries }) => tries >= maxTries)) return [];
      const parked: FailedLine[] = [];
      let lineNumber = run.firstLine;
      for (const line of linesOf(run)) {
        const before = byHash.get(sha256(line));
        if (before && before.tries >= maxTries) {
          const uri = uriOf(lineNumber);
          met.add(uri);
          if (before.uri !== uri) await keep({ ...before, uri });
          parked.push({ lineNumber, uri, error: toParkedError(before) });
        }
        lineNumber += 1;
      }
      return parked;
    },
    async failed(run, { lineNumber, fault, code = 'invalid-media' }) {
      const contentHash = sha256(lineAt(run, lineNumber));
      const tries = Math.min(maxTries, (byHash.get(contentHash)?.tries ?? 0) + 1);
      const uri = uriOf(lineNumber);
      const error = { code, message: fault };
      await keep({ source, uri, contentHash, kind: lineKind, readers, tries, error, failedAt: clock.now() });
      return { lineNumber, uri, error: new FootnoteError(code, fault) };
    },
    async end() {
      const gone = known.map(({ uri }) => uri).filter((uri) => !met.has(uri));
      if (gone.length > 0) await readings.forget(source, gone);
    },
  };
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** The bytes of each line, without its end. */
function* linesOf({ bytes, lineCount }: LineRun): Generator<Uint8Array> {
  let from = 0;
  for (let line = 0; line < lineCount; line += 1) {
    const feed = bytes.indexOf(lineFeed, from);
    const end = feed < 0 ? bytes.length : feed;
    yield bytes.subarray(from, bytes[end - 1] === carriageReturn && end > from ? end - 1 : end);
    from = end + 1;
  }
}

function lineAt(run: LineRun, lineNumber: number): Uint8Array {
  let at = run.firstLine;
  for (const line of linesOf(run)) if (at++ === lineNumber) return line;
  throw new FootnoteError('internal', `Line ${lineNumber} is not in the run of lines from ${run.firstLine}.`);
}
