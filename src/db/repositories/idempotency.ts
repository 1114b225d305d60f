// Replies by the key that came with their requests: a request that is made twice has its effect once.

import type { Made } from '../../core/keyed/effects.ts';

export interface StoredResponse {
  readonly requestHash: string;
  readonly status: number;
  readonly body: string;
}

/** `running`: the first request has not ended; `made`: it was cut off, and made this; `new`: it was cut off before that, or there was none. */
export type Begun = 'new' | 'running' | StoredResponse | { readonly made: Made };

/** Idempotency-Key (kept 24 h). `begin` claims a key, unless its request is running or was replied to. */
export interface IdempotencyRepository {
  begin(route: string, key: string, requestHash: string): Promise<Begun>;
  finish(route: string, key: string, response: StoredResponse): Promise<void>;
  /** Puts another reply in the place of a good one that was kept; nothing where that was erased or forgotten meanwhile. */
  replace(route: string, key: string, response: StoredResponse): Promise<void>;
  /** Ends a claim whose request failed; what it made is known to the next one. */
  release(route: string, key: string): Promise<void>;
  /** What `finish` kept; undefined where nothing was, or not any more. */
  read(route: string, key: string): Promise<StoredResponse | undefined>;
  /** Forgets it, and the replies of another route that hold a text. */
  forget(route: string, key: string, replies: { readonly route: string; readonly holding: string }): Promise<void>;
}
