// What a record is read from and what it is carried into, whichever database it is.
import type { Steps } from '../statements.ts';
import type { MovedRow, MovedTable } from './moved-tables.ts';

/** A record as it is at one moment. */
export interface Side {
  /** All rows of a table in its order, some at a time: of a few megabytes, but for rows that are larger. */
  slices(table: MovedTable): AsyncIterable<readonly MovedRow[]>;
  read<T>(work: () => Steps<T>): Promise<T>;
  /** The greatest number that each table ever gave to a row, where it counts them. */
  counters(): Promise<ReadonlyMap<string, number>>;
}

export interface Target {
  /** What is written so far. */
  look<T>(use: (side: Side) => Promise<T>): Promise<T>;
  /** Durable when the promise resolves, all or none. */
  write(work: () => Steps<void>): Promise<void>;
  insert(table: MovedTable, rows: readonly MovedRow[]): Steps<void>;
  /** Rows go on behind these numbers. */
  count(counters: ReadonlyMap<string, number>): Promise<void>;
  /** It is whole, and may be used from now on. */
  complete(): Promise<void>;
  /** What its tables of the index are called. */
  readonly index: {
    readonly log: string;
    readonly entries: string;
    readonly languages: string;
    /** Reads the tenants whose index is of version `?`. */
    readonly state: string;
  };
}

/** How far a move has come, in the target itself: a record that has this table is of no use yet. */
export const progressTable = 'moving';
export const makeProgress = `CREATE TABLE ${progressTable} (step text PRIMARY KEY, carried bigint NOT NULL, seal text NOT NULL)`;
