// Replies by the key that came with their requests: a request that is made twice has its effect once.

export interface StoredResponse {
  readonly requestHash: string;
  readonly status: number;
  readonly body: string;
}

/** Idempotency-Key (kept 24 h). `begin` claims a key; `running` means that the first request has not ended. */
export interface IdempotencyRepository {
  begin(route: string, key: string, requestHash: string): Promise<'new' | 'running' | StoredResponse>;
  finish(route: string, key: string, response: StoredResponse): Promise<void>;
  /** Forgets a claim whose request failed before it had an effect. */
  release(route: string, key: string): Promise<void>;
  /** What `finish` kept; undefined where nothing was, or not any more. */
  read(route: string, key: string): Promise<StoredResponse | undefined>;
  /** Forgets it, and the replies of another route that hold a text. */
  forget(route: string, key: string, replies: { readonly route: string; readonly holding: string }): Promise<void>;
}
