// What the record in PostgreSQL does not do yet is said by name, never left out in silence.
import { FootnoteError } from '../../core/errors.ts';

export const unsupported = (what: string): FootnoteError =>
  new FootnoteError(
    'unsupported',
    `The record in PostgreSQL does not keep ${what} yet. Use the record in the data folder: leave FOOTNOTE_DATABASE_URL out.`,
  );
