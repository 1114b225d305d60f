// The official client of Firestore over REST, loaded with the first call, with its traffic through src/net. The client tries again by itself
// and knows no signals: so each call is followed to its requests, ends with the first of them that fails, and none is sent after
// that. Commits are sent as they were written out (commit.ts), for the client takes two milliseconds of the processor for each vector.
// Invariant: only FootnoteError leaves here, without a word of the service.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { CollectionReference, Firestore } from '@google-cloud/firestore';
import { type FootnoteError, isFootnoteError } from '../../core/errors.ts';
import { joinedAbort } from '../../core/signals/joined-abort.ts';
import { abortError, untilAborted } from '../../core/waiting/until-aborted.ts';
import { openEgress } from '../../net/egress.ts';
import { writeShare } from '../in-halves.ts';
import { failed, notSignedIn, ofStatus, toFirestoreError, unreadable } from './errors.ts';

export interface FirestoreAccess {
  readonly projectId: string;
  /** `127.0.0.1:8080`: an emulator, which wants no credentials. */
  readonly emulatorHost?: string;
  readonly callTimeoutMs: number;
}

export type FirestoreClient = typeof import('@google-cloud/firestore');

type Work<T> = (collection: (name: string) => CollectionReference, client: FirestoreClient) => Promise<T>;

export interface FirestoreConnection {
  /** `projects/…/documents`, which the names of all documents begin with. */
  readonly root: string;
  /** Does the work with the client; all of its requests together are one call. */
  call<T>(work: Work<T>, signal?: AbortSignal): Promise<T>;
  /** Sends one commit, within the time that megabytes take to get there. */
  commit(body: string, signal?: AbortSignal): Promise<void>;
  close(): void;
}

interface Call {
  readonly signal: AbortSignal;
  isOver: boolean;
  fail(error: FootnoteError): void;
}

const service = 'https://firestore.googleapis.com';
/** Where Google signs programs in. */
const signIn = ['https://oauth2.googleapis.com', 'https://sts.googleapis.com', 'https://iamcredentials.googleapis.com'];

export function openConnection({ projectId, emulatorHost, callTimeoutMs }: FirestoreAccess): FirestoreConnection {
  const address = emulatorHost === undefined ? service : `http://${emulatorHost}`;
  const egress = openEgress({ addresses: [address] });
  const tokens = openEgress({ addresses: signIn });
  const calls = new AsyncLocalStorage<Call>();
  let opening: Promise<{ client: FirestoreClient; database: Firestore }> | undefined;
  let auth: Promise<{ getAccessToken(): Promise<string | null | undefined> }> | undefined;

  async function tokenOf(): Promise<string> {
    if (emulatorHost !== undefined) return 'owner';
    auth ??= import('google-auth-library').then(({ GoogleAuth }) => {
      const made = new GoogleAuth({
        scopes: ['https://www.googleapis.com/auth/datastore'],
        clientOptions: { transporterOptions: { fetchImplementation: tokens.fetch as typeof globalThis.fetch } },
      });
      // Where it has no file it would look for a machine of Google's, past our way out.
      made._checkIsGCE = async () => false;
      return made;
    });
    const token = await (await auth).getAccessToken().catch((thrown: unknown) => {
      throw notSignedIn(thrown);
    });
    if (!token) throw notSignedIn(undefined);
    return token;
  }

  const commitUrl = `${address}/v1/projects/${encodeURIComponent(projectId)}/databases/%28default%29/documents:commit?$alt=json%3Benum-encoding=int`;

  /** What the client calls instead of an authenticated client of Google's. */
  const sender = {
    universeDomain: 'googleapis.com',
    getRequestHeaders: async () => new Headers(),
    fetch: async (url: string | URL, init: RequestInit): Promise<Response> => {
      const call = calls.getStore();
      try {
        if (call === undefined || call.isOver) throw failed('cancelled', 'is asked no more: the call has ended.');
        const headers = new Headers(init.headers);
        headers.set('authorization', `Bearer ${await tokenOf()}`);
        const body = typeof init.body === 'string' ? Buffer.from(init.body) : (init.body as Uint8Array<ArrayBuffer>);
        const reply = await egress.fetch(url, { method: init.method ?? 'POST', headers, body, signal: call.signal });
        const text = await reply.text();
        if (!reply.ok) throw ofStatus(reply, text);
        checkBody(String(url), { reply, text });
        return new Response(text, { status: 200, headers: { 'content-type': 'application/json' } });
      } catch (thrown) {
        call?.fail(isFootnoteError(thrown) ? thrown : failed('upstream-unavailable', 'cannot be reached.'));
        // The call has ended with that. To the client, which would try again and reject where nobody listens, it ended well.
        return new Response(nothing(String(url)), { status: 200, headers: { 'content-type': 'application/json' } });
      }
    },
  };

  async function open(): Promise<{ client: FirestoreClient; database: Firestore }> {
    const client = await import('@google-cloud/firestore');
    const database = new client.Firestore({
      projectId,
      preferRest: true,
      authClient: sender,
      // Nothing is asked of the machine: the address is ours.
      ...(emulatorHost !== undefined && { host: emulatorHost, ssl: false }),
      fallback: 'rest',
    } as ConstructorParameters<FirestoreClient['Firestore']>[0]);
    return { client, database };
  }

  async function within<T>(timeoutMs: number, ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) throw abortError(signal);
    const late = AbortSignal.timeout(timeoutMs);
    const over = new AbortController();
    const { signal: until } = joinedAbort([late, over.signal, ...(signal ? [signal] : [])]);
    const { promise: first, reject } = Promise.withResolvers<never>();
    first.catch(() => undefined);
    const call: Call = { signal: until, isOver: false, fail: reject };
    try {
      return await untilAborted(Promise.race([calls.run(call, ask), first]), until);
    } catch (thrown) {
      if (signal?.aborted) throw abortError(signal);
      if (late.aborted) throw failed('upstream-unavailable', `did not answer within ${timeoutMs} ms.`);
      throw toFirestoreError(thrown);
    } finally {
      call.isOver = true;
      over.abort();
    }
  }

  return {
    root: `projects/${projectId}/databases/(default)/documents`,
    call: (work, signal) =>
      within(
        callTimeoutMs,
        async () => {
          opening ??= open();
          const { client, database } = await opening;
          return work((name) => database.collection(name), client);
        },
        signal,
      ),
    commit: (body, signal) =>
      within(
        callTimeoutMs * writeShare,
        async () => {
          const headers = { 'content-type': 'application/json' };
          await sender.fetch(commitUrl, { method: 'POST', headers, body });
        },
        signal,
      ),
    close() {
      egress.close();
      tokens.close();
      // The client itself holds nothing open, and would reject what is under way where nobody listens.
    },
  };
}

/** A reply without anything in it, for each kind of call. */
function nothing(url: string): string {
  const readTime = '1970-01-01T00:00:00Z';
  if (url.includes(':runAggregationQuery'))
    return JSON.stringify([{ result: { aggregateFields: { aggregate_0: { integerValue: '0' } } }, readTime }]);
  return JSON.stringify(url.includes(':runQuery') ? [{ readTime }] : { writeResults: [], commitTime: readTime });
}

/**
 * Queries answer with a list, writes with an object; anything else would be tried again by the client, or taken for nothing. A list that was begun well
 * may end in an error.
 */
function checkBody(url: string, { reply, text }: { readonly reply: Response; readonly text: string }): void {
  const isQuery = /:run(?:Aggregation)?Query/u.test(url);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw unreadable();
  }
  const broken = isQuery && Array.isArray(body) ? body.find(isError) : undefined;
  if (broken) throw ofStatus({ status: broken.error.code, headers: reply.headers }, JSON.stringify(broken));
  const isFitting = isQuery
    ? Array.isArray(body) && body.every(isElement) && body.some((one) => 'readTime' in one)
    : typeof body === 'object' && body !== null && Array.isArray((body as { writeResults?: unknown }).writeResults);
  if (!isFitting) throw unreadable();
}

/** What may stand in the list of an answer; a note about its progress has no time. */
const elementKeys = ['readTime', 'document', 'result', 'done', 'skippedResults', 'transaction', 'explainMetrics'];

const isElement = (one: unknown): one is object =>
  typeof one === 'object' && one !== null && elementKeys.some((key) => key in one);

const isError = (one: unknown): one is { readonly error: { readonly code: number } } =>
  typeof (one as { error?: { code?: unknown } } | null)?.error?.code === 'number';
