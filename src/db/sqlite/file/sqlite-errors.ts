// Turns every error of SQLite into a FootnoteError whose message says what to do: nothing of the vendor crosses the port.
// The codes are SQLite's primary and extended result codes (https://sqlite.org/rescode.html).
import { type ErrorCode, FootnoteError, isFootnoteError, toFootnoteError } from '../../../core/errors.ts';

const restoreHint =
  'Stop the server, move the data folder away (keep it), and restore a backup or ingest the sources again into an empty one.';

const diskFull = 'The disk is full. Free some space on the disk of the data folder and try again.';

const primaryCodes: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  3: ['storage-denied', 'The record may not be opened. Check the owner and the mode of the data folder.'],
  5: ['already-running', 'Another process is using this data folder. Stop it, or send the command to its server.'],
  6: ['already-running', 'Another process is using this data folder. Stop it, or send the command to its server.'],
  8: [
    'storage-denied',
    'The data folder cannot be written. Check its owner, its mode and whether the disk is read-only.',
  ],
  11: ['data-corrupt', `The record is damaged. ${restoreHint}`],
  13: ['storage-full', diskFull],
  14: [
    'storage-denied',
    'The record cannot be opened. Check that the data folder exists and that you may read and write it.',
  ],
  15: ['already-running', 'Another process is using this data folder. Stop it, or send the command to its server.'],
  18: ['too-large', 'The text or file is larger than the record can keep (1 GB). Split it and try again.'],
  23: ['storage-denied', 'The record may not be opened. Check the owner and the mode of the data folder.'],
  26: ['data-corrupt', `The file of the record is not a SQLite database. ${restoreHint}`],
};

const inputOutputError = 10;
const shortRead = 522;
const corruptFileSystem = 8458;
/** The -shm file could not be made larger: in practice a full disk. */
const sharedMemorySize = 4874;

export interface SqliteError extends Error {
  readonly errcode: number;
}

export function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && typeof (error as Partial<SqliteError>).errcode === 'number';
}

/** Total: a FootnoteError passes through; an error of SQLite gets its code and what to do; others as `toFootnoteError`. */
export function toRecordError(error: unknown, path?: string): FootnoteError {
  if (isFootnoteError(error)) return error;
  if (!isSqliteError(error)) {
    // An integer that no row of ours has.
    if ((error as NodeJS.ErrnoException | undefined)?.code === 'ERR_OUT_OF_RANGE')
      return new FootnoteError(
        'data-corrupt',
        `${path === undefined ? '' : `${path}: `}The record is damaged. ${restoreHint}`,
        {
          cause: error,
        },
      );
    return toFootnoteError(error);
  }
  const details = { sqliteCode: error.errcode, ...(path === undefined ? {} : { path }) };
  const where = path === undefined ? '' : `${path}: `;
  const primary = error.errcode & 0xff;
  if (primary === inputOutputError) {
    if (error.errcode === sharedMemorySize)
      return new FootnoteError('storage-full', `${where}${diskFull}`, { details, cause: error });
    const damaged = error.errcode === shortRead || error.errcode === corruptFileSystem;
    return new FootnoteError(
      damaged ? 'data-corrupt' : 'internal',
      `${where}The disk failed while the record was read or written (SQLite code ${error.errcode}). Check the disk, then run footnote doctor.`,
      { details, cause: error },
    );
  }
  const known = primaryCodes[primary];
  if (known) return new FootnoteError(known[0], `${where}${known[1]}`, { details, cause: error });
  if (error.message.includes('malformed JSON'))
    return new FootnoteError('data-corrupt', `${where}The record is damaged. ${restoreHint}`, {
      details,
      cause: error,
    });
  return new FootnoteError('internal', `The record refused a statement: ${error.message}`, { details, cause: error });
}

/** Runs `work`; whatever it throws is thrown as a FootnoteError. */
export function translated<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toRecordError(error, path);
  }
}
