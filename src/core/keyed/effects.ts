// What a request under an Idempotency-Key made: it is written with that, in one transaction, so that another request under the same key finds it, whatever
// became of the reply to the first. The key goes everywhere with its request, as nobody in between has a use for it.
import { AsyncLocalStorage } from 'node:async_hooks';

/** A thing of which one is made: an answer, a run, what is uploaded. */
export type EffectKind = 'answer' | 'run' | 'upload' | 'attached' | 'source' | 'memory' | 'session' | 'key';

/** The key of a request, with whose it is. */
export interface KeyedRequest {
  readonly tenant: string;
  readonly principal: string;
  readonly route: string;
  readonly key: string;
  /** By an earlier request under this key that was not replied to. */
  readonly made: Made;
  /** False once it was replied to: what goes on behind it is no part of it. */
  isOpen(): boolean;
}
/** An id, or what else the reply can be made from. */
export type Made = Readonly<Partial<Record<EffectKind, string>>>;

const requests = new AsyncLocalStorage<KeyedRequest | undefined>();

/** Does the work of a request; undefined: it has no key, or what it makes may be made again. */
export const underKey = <T>(request: KeyedRequest | undefined, work: () => T): T => requests.run(request, work);

/** The request that the caller works for, where it has a key. */
export const keyedRequest = (): KeyedRequest | undefined => requests.getStore();

/** What the request was to make, where an earlier one under its key did. */
export function madeBefore(kind: EffectKind): string | undefined {
  const request = requests.getStore();
  return request?.isOpen() ? request.made[kind] : undefined;
}
