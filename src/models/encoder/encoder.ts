// The port of sentence encoders: texts in, vectors out whose cosine says how near two texts are in meaning. Invariants: the vector of a
// text depends on the encoder and on that text alone, whatever it is encoded with; and one id is one space of vectors.

export interface Encoder {
  /** Names model, runtime, platform and level of optimisation: vectors of different ids are never compared. */
  readonly id: string;
  /** Languages that it was trained on, as ISO 639-1 codes. */
  readonly languages: readonly string[];
  /**
   * Vectors of length 1 in the order of the texts; all zeros for a text without a word. A text that is longer than the window loses its
   * end. Throws `upstream-unavailable`, `config-invalid` with a fault, `cancelled`, or the reason of `signal`.
   */
  encode(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>;
  /** The same of what a person asks: some models read questions in another way, and none of them is kept on disk. */
  encodeQuery(query: string, signal?: AbortSignal): Promise<Float32Array>;
  /**
   * How well the tokens of each text match those of the query: the mean, over the tokens of the query, of the best cosine of a token of the text, -1 to 1;
   * 0 for a text without a word. Throws likewise.
   */
  match(query: string, texts: readonly string[], signal?: AbortSignal): Promise<readonly number[]>;
  /** The same of the one token of the query that the text matches least. */
  leastMatch(query: string, texts: readonly string[], signal?: AbortSignal): Promise<readonly number[]>;
}

export interface ChunkText {
  /** Its titles, a line each. */
  readonly head: string;
  readonly text: string;
}

export interface ChunkEncoder {
  /** Throws what opening the encoder throws. */
  about(): Promise<Pick<Encoder, 'id'> & { readonly dimensions: number }>;
  /** Of length 1, or all zeros. Throws like `Encoder.encode`. */
  encodeChunk(chunk: ChunkText, signal?: AbortSignal): Promise<Float32Array>;
  /** The same of what a person asks, within the time that an encoder may take. */
  encodeQuery(query: string, signal?: AbortSignal): Promise<Float32Array>;
}
