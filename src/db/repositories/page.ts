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
