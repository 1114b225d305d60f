// How often documents were opened: what is read by many may be worth reading for others.

export interface OpenCount {
  readonly documentId: string;
  readonly opens: number;
}

export interface DocumentOpensRepository {
  /** Adds to what is known; documents that are not there any more are left out. */
  add(counts: readonly OpenCount[], at: string): Promise<void>;
  /** The most opened documents that the caller may read, at most `limit`; of these alone where ids are given. */
  most(limit: number, of?: readonly string[]): Promise<readonly OpenCount[]>;
}
