// The port of a search of the web: addresses for words. Nothing else goes out than the words, and nothing that comes back is evidence: pages
// are read and cut like documents before anything rests on them. Adapters (searxng.ts, brave.ts, tavily.ts) ask through the egress alone.

export interface WebResult {
  readonly url: string;
  readonly title: string;
}

export interface WebResults {
  /** Best first, each address once. */
  readonly results: readonly WebResult[];
  /** What the provider could not ask, in words; absent: nothing. */
  readonly missing?: string;
  /** Absent: it was asked just now. */
  readonly kept?: KeptSince;
}

/** Of a result that is handed out again. */
export interface KeptSince {
  readonly ageMs: number;
  /** It is older than it should be, and being asked for anew. */
  readonly isStale: boolean;
}

export interface WebSearchOptions {
  /** Addresses wanted, 1..20. */
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

export interface WebSearch {
  /** Of the provider: `searxng`, `brave`, `tavily`. */
  readonly name: string;
  /** Throws FootnoteError alone. */
  search(query: string, options: WebSearchOptions): Promise<WebResults>;
}
