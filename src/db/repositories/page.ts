// A page of a list, as every repository takes and gives it.

export interface PageRequest {
  /** 1..1000, default 50. */
  readonly limit?: number;
  readonly cursor?: string;
}

export interface PageOf<T> {
  readonly data: readonly T[];
  readonly nextCursor?: string;
}

/** Of rows that are sealed. */
export interface SoundPage<T> extends PageOf<T> {
  /** What is left out because it is not as it was written, for admins: who else may read it is not known any more. */
  readonly damaged?: readonly { readonly id: string }[];
}
