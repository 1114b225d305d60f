// Whether the record is in the data folder or at an address, for whoever works on the folder alone.
import type { Config } from '../../config.ts';

const setting = 'FOOTNOTE_DATABASE_URL';

/** Where PostgreSQL holds the record; undefined: the data folder does. */
export const addressOfRecord = (config: Pick<Config, 'secret'>): string | undefined => config.secret(setting);

/** The same settings over a folder of its own, whatever database the record is in. */
export const overFolder = (config: Config, data: string): Config => ({
  ...config,
  data,
  secret: (name) => (name === setting ? undefined : config.secret(name)),
});
