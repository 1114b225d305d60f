// The search that a provider lends its own model: over which files, and what the model looked for and found there.

/** Files at the provider that its model may search by itself while it answers, as often and in what words it likes. */
export interface FileSearch {
  /** What the provider calls the stores that they stand in. */
  readonly storeIds: readonly string[];
  /** In the provider's dialect: the model can neither see nor change it. */
  readonly filter: Readonly<Record<string, unknown>>;
  /** Pieces of one search, 1..50. */
  readonly most: number;
}

/** A piece of a file that such a search found. Nothing of it was checked. */
export interface FilePiece {
  readonly fileId: string;
  readonly score: number;
  readonly text: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** One search that a model made at its provider. */
export interface FileSearchCall {
  readonly queries: readonly string[];
  /** Absent: the provider does not say what it found. */
  readonly pieces?: readonly FilePiece[];
}
