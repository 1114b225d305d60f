// Failures of Firestore and of Google's sign-in as ours. Invariant: nothing that the service wrote reaches a message, a detail or a cause; its HTTP
// status and how long it asks to wait do.
import { FootnoteError, isFootnoteError } from '../../core/errors.ts';
import { readRetryAfter } from '../../net/retry-after.ts';

const title = 'Firestore';

export const failed = (
  code: ConstructorParameters<typeof FootnoteError>[0],
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): FootnoteError => new FootnoteError(code, `${title} ${message}`, { details: { store: 'firestore', ...details } });

export const unreadable = (): FootnoteError => failed('upstream-invalid', 'answered in a form that cannot be read.');

/** Total. */
export function toFirestoreError(thrown: unknown): FootnoteError {
  if (!isFootnoteError(thrown)) return unreadable();
  if (thrown.message.startsWith(title)) return thrown;
  return new FootnoteError(thrown.code, `${title}: ${thrown.message}`, {
    details: { ...thrown.details, store: 'firestore' },
  });
}

/** How much of what the service says is looked at. */
const mostSaid = 4000;

/** Of a reply, or of an error within one. What the service says in words decides where its statuses mean several things, and is not repeated. */
export function ofStatus({ status, headers }: Pick<Response, 'status' | 'headers'>, body: string): FootnoteError {
  const retryAfterMs = readRetryAfter((name) => headers.get(name));
  const details = { status, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  const final = { ...details, isFinal: true };
  const said = `(HTTP ${status})`;
  const words = body.slice(0, mostSaid);
  if (status === 413 || (status === 400 && /\btoo (?:big|large)\b|exceeds the maximum/iu.test(words)))
    return failed('too-large', `takes no request of this size ${said}.`, final);
  if ((status === 400 || status === 404) && /\bdatastore mode\b/iu.test(words))
    return failed(
      'config-invalid',
      `has a database in Datastore mode there ${said}. Make one in native mode, or name another project in FIRESTORE_PROJECT_ID.`,
      final,
    );
  if (status === 400 && /"FAILED_PRECONDITION"|\bindex\b/iu.test(words))
    return failed('unsupported', `lacks an index that this query needs ${said}.`, { ...details, missing: 'index' });
  if (status === 403 && /SERVICE_DISABLED|\bit is disabled\b/u.test(words))
    return failed(
      'config-invalid',
      `is switched off in this project ${said}. Enable firestore.googleapis.com there, or correct FIRESTORE_PROJECT_ID.`,
      final,
    );
  if (status === 401 || status === 403)
    return failed(
      'config-invalid',
      `refused the credentials ${said}. Give the account the role "Cloud Datastore User" in this project, or correct FIRESTORE_PROJECT_ID.`,
      final,
    );
  if (status === 404)
    return failed(
      'config-invalid',
      `has no such database ${said}. Make one in this project, or correct FIRESTORE_PROJECT_ID.`,
      final,
    );
  if (status === 429)
    return failed(
      'rate-limited',
      `takes no more requests now ${said}: it is asked too fast, or a quota of the project is used up.`,
      details,
    );
  if (status >= 500 || status < 400 || [408, 409, 412].includes(status))
    return failed('upstream-unavailable', `failed to answer ${said}. Try again later.`, details);
  return failed('upstream-invalid', `refused the request as invalid ${said}.`, final);
}

/** Total. `thrown` is what Google's client threw when it was to sign in; undefined: it had nothing to sign in with. */
export function notSignedIn(thrown: unknown): FootnoteError {
  for (let error = thrown, depth = 0; error !== undefined && error !== null && depth < 8; depth += 1) {
    if (isFootnoteError(error) && error.code !== 'config-invalid')
      return failed('upstream-unavailable', 'cannot be signed in to now: the sign-in of Google does not answer.');
    error = (error as { cause?: unknown }).cause;
  }
  const { status, response } = (thrown ?? {}) as { status?: unknown; response?: { status?: unknown } };
  const told = Number(response?.status ?? status);
  if (told === 429 || told >= 500)
    return failed('upstream-unavailable', `cannot be signed in to now (HTTP ${told} of the sign-in of Google).`);
  if (told >= 400)
    return failed(
      'config-invalid',
      `cannot be signed in to: Google refused the key of the account (HTTP ${told}). Make a new one, and name its file in GOOGLE_APPLICATION_CREDENTIALS.`,
      { isFinal: true },
    );
  return failed(
    'config-invalid',
    'cannot be signed in to. Name the file with the key of a service account in GOOGLE_APPLICATION_CREDENTIALS, and see that it is there and can be read.',
    { isFinal: true },
  );
}
