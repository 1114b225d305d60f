// Statements that both databases take, and what is done with their rows, once for both: work is a generator that asks for rows by `yield*`. SQLite
// gives them in the same turn, PostgreSQL when they came; then the work goes on. Invariants: work may run several times and changes nothing but by
// its statements; what it writes is written as a whole.

export type StatementValue = string | number | null | Uint8Array | readonly string[];

export interface Statement {
  /** With `?` or `?1` for values, and `= ANY(?)` for a list of texts; names that both databases spell alike, in quotes where they have capitals. */
  readonly sql: string;
  readonly values: readonly StatementValue[];
  /** In the place of values: it is done with each of these, which differ in their keys. */
  readonly each?: readonly (readonly StatementValue[])[];
}

/** What a statement did: its rows, or how many it wrote. */
export interface Outcome {
  readonly rows: readonly object[];
  readonly changes: number;
}

export type Steps<T> = Generator<Statement, T, Outcome>;

export function* rows<Row>(sql: string, ...values: readonly StatementValue[]): Steps<readonly Row[]> {
  return (yield { sql, values }).rows as readonly Row[];
}

/** The first of its rows. */
export function* first<Row>(sql: string, ...values: readonly StatementValue[]): Steps<Row | undefined> {
  return (yield { sql, values }).rows[0] as Row | undefined;
}

/** How many rows it wrote. */
export function* run(sql: string, ...values: readonly StatementValue[]): Steps<number> {
  return (yield { sql, values }).changes;
}

/** Does an `INSERT … VALUES (…)` for each of these, which differ in their keys. */
export function* runEach(sql: string, each: readonly (readonly StatementValue[])[]): Steps<void> {
  if (each.length > 0) yield { sql, values: [], each };
}

/** The same of one that gives rows back. */
export function* insertEach<Row>(sql: string, each: readonly (readonly StatementValue[])[]): Steps<readonly Row[]> {
  return each.length === 0 ? [] : ((yield { sql, values: [], each }).rows as readonly Row[]);
}

export interface Statements {
  /** What work reads is of one moment. */
  read<T>(work: () => Steps<T>): Promise<T>;
  /** One statement, which only reads. */
  rows<Row>(sql: string, ...values: readonly StatementValue[]): Promise<readonly Row[]>;
  /** Durable when the promise resolves; nothing of the same kind and tenant is written meanwhile. */
  write<T>(work: () => Steps<T>): Promise<T>;
  /**
   * The same of work that may have been done under this UUID before: then it does nothing, as long as that is an hour ago at most. Absent where it
   * is always known what became of a write.
   */
  once?(id: string, work: () => Steps<void>): Promise<void>;
  /** The same of work that only takes away: a full disk does not stop it. */
  free<T>(work: () => Steps<T>): Promise<T>;
}

/** By the text of a statement, for texts that do not depend on what is asked. */
export function rememberTexts(make: (sql: string) => string): (sql: string) => string {
  const made = new Map<string, string>();
  return (sql) => {
    const known = made.get(sql) ?? make(sql);
    made.set(sql, known);
    return known;
  };
}
