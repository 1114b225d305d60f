// What an embedding model that somebody else runs tells besides: how it is kept busy, and what it costs before and after.

/** What a remote model takes and took, so that it can be kept busy and its cost be told before it arises. */
export interface RemoteEmbedding {
  /** `provider:model`, as price lists name it. */
  readonly name: string;
  /** Texts that one call takes at most. */
  readonly textsPerCall: number;
  /** Calls that should be under way at once. */
  readonly callsAtOnce: number;
  /** What embedding these documents would take. Nothing is sent. */
  plan(texts: readonly string[]): EmbeddingPlan;
  /** US dollars; undefined where no price is known. */
  costOf(tokens: number): number | undefined;
  /** What it took since it was opened. */
  usage(): EmbeddingUsage;
}

export interface EmbeddingPlan {
  readonly calls: number;
  /** By o200k_base; providers count a little more or less. */
  readonly tokens: number;
  /** Texts longer than the model reads. */
  readonly truncated: number;
}

export interface EmbeddingUsage extends EmbeddingPlan {
  readonly texts: number;
  /** Texts that the provider takes by no means; their vectors are zero. */
  readonly refused: number;
  /** Undefined as soon as something of unknown price was billed. */
  readonly costUsd: number | undefined;
}
