// The port by which requests use a sentence encoder: how near passages are to a question. A trace records the scores and no vector, so that
// a replay needs no encoder.

export interface PassageScorer {
  readonly id: string;
  /**
   * Cosines, -1 to 1, in the order of the texts. Throws `config-invalid` where nothing here can run the encoder, `upstream-unavailable` where
   * its process died, `deadline-exceeded` where it took too long, `cancelled` or the reason of `signal`.
   */
  score(query: string, texts: readonly string[], signal?: AbortSignal): Promise<readonly number[]>;
}
