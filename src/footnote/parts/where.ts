// Whether the record is in the data folder or at an address, for whoever works on the folder alone.
import type { Config } from '../../config.ts';
import { FootnoteError } from '../../core/errors.ts';

const setting = 'FOOTNOTE_DATABASE_URL';

/** Where PostgreSQL holds the record; undefined: the data folder does. */
export const addressOfRecord = (config: Pick<Config, 'secret'>): string | undefined => config.secret(setting);

/** The data folder, for what works on the record in it and on no other; `what` is told to whom it is refused. */
export function recordFolder(config: Pick<Config, 'secret' | 'data'>, what: string): string {
  if (addressOfRecord(config) === undefined) return config.data;
  throw new FootnoteError(
    'unsupported',
    `${what} works on the record in a data folder, and this one is in PostgreSQL (${setting}). Use the tools of PostgreSQL, such as pg_dump and pg_restore.`,
  );
}

/** The same settings over a folder of its own, whatever database the record is in. */
export const overFolder = (config: Config, data: string): Config => ({
  ...config,
  data,
  secret: (name) => (name === setting ? undefined : config.secret(name)),
});
