// Calls of the API with the key of this tab. A refusal for want of a key asks for one and tries again; what fails says by its title what to do.
import { signal } from '@preact/signals';
import type { ProblemBody } from './contract.ts';

/** Where the pages lie: perhaps below a path, behind a proxy. All that is built lies in one folder beneath it. */
const ownAddress = import.meta.url;
export const home = new URL('..', ownAddress);

const keyName = 'footnote-key';
export const key = {
  get: (): string | null => sessionStorage.getItem(keyName),
  set: (value: string): void => (value ? sessionStorage.setItem(keyName, value) : sessionStorage.removeItem(keyName)),
};

const keyHeaders = (): Record<string, string> => {
  const known = key.get();
  return known ? { authorization: `Bearer ${known}` } : {};
};

export class Problem extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly title: string;
  /** As the server told how long to wait; milliseconds since 1970. */
  readonly againAtMs: number | undefined;
  constructor(body: Partial<ProblemBody> | undefined, reply: { readonly status: number; readonly headers?: Headers }) {
    super(body?.detail ?? `The server answered with status ${reply.status}.`);
    this.status = reply.status;
    this.code = body?.code;
    this.title = body?.title ?? 'The server refused';
    const wait = Number(reply.headers?.get('retry-after') ?? Number.NaN);
    this.againAtMs = Number.isFinite(wait) ? Date.now() + 1000 * wait : undefined;
  }
}

/** What to show of anything that failed. */
export function failureOf(error: unknown): { title: string; detail: string; againAtMs?: number } {
  if (error instanceof Problem) {
    const { title, message: detail, againAtMs } = error;
    return { title, detail, ...(againAtMs !== undefined && error.status === 429 && { againAtMs }) };
  }
  if (error instanceof TypeError)
    return {
      title: navigator.onLine ? 'The server cannot be reached' : 'This machine is offline',
      detail: 'Nothing that you wrote is lost: try again when the connection is back.',
    };
  return { title: 'This failed', detail: error instanceof Error ? error.message : String(error) };
}

/** Present while a key is asked for: why, and what becomes of it. */
export const keyAsked = signal<{ readonly reason: string; done(given: string | undefined): void } | undefined>(
  undefined,
);

/** Grows with each key that takes the place of another: what was fetched with the former one is shown no more. */
export const keyVersion = signal(0);

let asking: Promise<boolean> | undefined;
/** The page on which no key was given: what it only reads does not ask there again. */
let declinedOn: string | undefined;

/** True when a key was given. Several calls that are refused at once ask once; each of them is made anew with the first key. */
export function askForKey(reason: string, isRetried = true): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => {
    async function take(given: string | undefined): Promise<void> {
      keyAsked.value = undefined;
      // Without a key the browser is nobody, also where it was logged in.
      if (given === '') await fetch(new URL('v1/logout', home), { method: 'POST' }).catch(() => undefined);
      asking = undefined;
      const former = key.get();
      if (given !== undefined) key.set(given);
      declinedOn = given === undefined ? location.pathname : undefined;
      if (given !== undefined && (former !== null || !isRetried)) keyVersion.value += 1;
      resolve(given !== undefined && given !== '');
    }
    keyAsked.value = { reason, done: (given) => void take(given) };
  });
  return asking;
}

export interface CallOptions {
  /** A form goes as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly method?: string;
  readonly accept?: string;
  /** A part of a file, as HTTP names it. */
  readonly range?: string;
  readonly signal?: AbortSignal;
}

/** Throws `Problem` for what the server refuses. */
export async function call(path: string, options: CallOptions = {}): Promise<Response> {
  const { body, method = body === undefined ? 'GET' : 'POST', accept = 'application/json' } = options;
  const { range, signal: stopped } = options;
  const sent = key.get();
  const isForm = body instanceof FormData;
  const reply = await fetch(new URL(path, home), {
    method,
    headers: {
      ...keyHeaders(),
      accept,
      ...(range && { range }),
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    ...(stopped && { signal: stopped }),
  });
  if (reply.ok) return reply;
  const problem = (await reply.json().catch(() => undefined)) as ProblemBody | undefined;
  if (reply.status === 401) {
    const reason = sent
      ? 'The server does not know this key.'
      : 'This server asks for a key. It stays in this tab and is forgotten when the tab is closed.';
    const isDeclined = asking === undefined && method === 'GET' && declinedOn === location.pathname;
    // Another call may have been given one meanwhile.
    if (key.get() !== sent || (!isDeclined && (await askForKey(reason)))) return call(path, options);
  }
  throw new Problem(problem, reply);
}

export const callJson = async <Value>(path: string, options: CallOptions = {}): Promise<Value> =>
  (await (await call(path, options)).json()) as Value;
