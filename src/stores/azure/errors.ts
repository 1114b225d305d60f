// Failures of Azure AI Search as ours. Invariant: nothing that the service wrote reaches a message, a detail or a cause; its HTTP status and
// how long it asks to wait do.
import { type ErrorCode, FootnoteError, isFootnoteError } from '../../core/errors.ts';
import { readRetryAfter } from '../../net/retry-after.ts';

const title = 'Azure AI Search';

export const failed = (
  code: ErrorCode,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): FootnoteError => new FootnoteError(code, `${title} ${message}`, { details: { store: 'azure', ...details } });

export const unreadable = (what: string): FootnoteError =>
  failed('upstream-invalid', `answered in a form that cannot be read: ${what}.`);

/** Total. `thrown` is anything that the client threw. */
export function toAzureError(thrown: unknown): FootnoteError {
  for (let error = thrown, depth = 0; error !== undefined && error !== null && depth < 8; depth += 1) {
    if (isFootnoteError(error))
      return new FootnoteError(
        error.code,
        error.message.startsWith(title) ? error.message : `${title}: ${error.message}`,
        {
          details: { ...error.details, store: 'azure' },
        },
      );
    error = (error as { cause?: unknown }).cause;
  }
  const { statusCode, response } = thrown as {
    statusCode?: unknown;
    response?: { headers?: { get?: (name: string) => string | undefined } };
  };
  if (isSignIn(thrown))
    return failed(
      'config-invalid',
      'cannot be signed in to: Entra ID has no identity for this program, or did not take it. Set AZURE_SEARCH_API_KEY, or sign in (az login, a managed identity, or AZURE_CLIENT_ID, AZURE_TENANT_ID and AZURE_CLIENT_SECRET).',
      { isFinal: true },
    );
  if (typeof statusCode !== 'number' || statusCode < 400) return unreadable('the client did not understand it');
  return ofStatus(
    statusCode,
    readRetryAfter((name) => response?.headers?.get?.(name)),
  );
}

/** What `@azure/identity` throws where it cannot sign in; it is not installed with this program. */
const signInErrors: ReadonlySet<unknown> = new Set([
  'CredentialUnavailableError',
  'AuthenticationError',
  'AggregateAuthenticationError',
  'AuthenticationRequiredError',
]);

const isSignIn = (thrown: unknown): boolean => signInErrors.has((thrown as { name?: unknown } | undefined)?.name);

/** Of making an index: without a time to wait the service says that the tier has no room for another. */
export const noRoomForIndex = (): FootnoteError =>
  failed(
    'quota-exceeded',
    'lets no further index be made (HTTP 429): its tier has as many as it may. Delete one that is not needed, or take a larger tier; each tenant needs one.',
    { status: 429 },
  );

/** What a status means, of a call or of one document of a batch. */
export function ofStatus(status: number, retryAfterMs?: number): FootnoteError {
  const details = { status, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  const said = `(HTTP ${status})`;
  if (status === 401)
    return failed(
      'config-invalid',
      `did not take the key or the token ${said}. Put an admin key of this service into AZURE_SEARCH_API_KEY, or grant the identity its roles.`,
      {
        ...details,
        isFinal: true,
      },
    );
  if (status === 403)
    return failed(
      'config-invalid',
      `refused the key, or does not let this key or identity do that ${said}. Put an admin key of this service into AZURE_SEARCH_API_KEY, or grant the identity the roles "Search Service Contributor" and "Search Index Data Contributor".`,
      { ...details, isFinal: true },
    );
  if (status === 404)
    return failed(
      'upstream-unavailable',
      `has no such index any more ${said}. The next call creates it; it is filled when documents are delivered again.`,
      {
        ...details,
        missing: 'index',
      },
    );
  if (status === 413)
    return failed('too-large', `takes no request of this size ${said}.`, { ...details, isFinal: true });
  if (status === 429)
    return failed(
      'rate-limited',
      `takes no more now ${said}: it is asked too fast, or its tier holds no more documents.`,
      details,
    );
  if (status === 507)
    return failed(
      'quota-exceeded',
      `has no storage left ${said}. Add partitions, or delete what is not needed.`,
      details,
    );
  if (status >= 500 || [408, 409, 412, 422, 425].includes(status))
    return failed('upstream-unavailable', `failed to answer ${said}. Try again later.`, details);
  return failed('upstream-invalid', `refused the request as invalid ${said}.`, { ...details, isFinal: true });
}
