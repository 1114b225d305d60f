// Secrets in addresses: a name with a password, and what parameters such as `token=` hold. Whoever reads a source or a document reads its
// address, so none that holds a secret is taken, and what others lead to is kept and shown without it.
import { FootnoteError } from './errors.ts';

/** Words of the names of parameters that prove who asks. */
const secretWords: ReadonlySet<string> = new Set(
  'token secret password passwd passphrase pwd pass apikey accesskey sig signature jwt auth authorization credential credentials'.split(
    ' ',
  ),
);
/** Words of those that say where a list goes on. */
const placeWords: ReadonlySet<string> = new Set(['page', 'next', 'continuation', 'cursor']);
const longestName = 60;

/** `accessToken`, `X-Amz-Signature`, `api_key`: their words, and two that stand together as one. */
function isSecretName(name: string): boolean {
  const words = name
    .slice(0, longestName)
    .replace(/([a-z])([A-Z])/gu, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]/u);
  const pairs = words.map((word, at) => `${word}${words[at + 1] ?? ''}`);
  if (words.some((word) => placeWords.has(word))) return false;
  return [...words, ...pairs, words.join('')].some(
    (word) => secretWords.has(word) || word.endsWith('token') || word.endsWith('apikey'),
  );
}

/** The address without its secrets, and what was in it; undefined for what holds none. */
function parted(address: string): { readonly clean: string; readonly held: string } | undefined {
  const url = URL.parse(address.trim());
  if (!url) return undefined;
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  const held: string[] = [];
  if (url.password !== '' || (isWeb && url.username !== '')) {
    held.push('a name or password');
    [url.username, url.password] = ['', ''];
  }
  const fragment = new URLSearchParams(url.hash.slice(1));
  for (const parameters of isWeb ? [url.searchParams, fragment] : [])
    for (const [name, value] of [...parameters])
      if (value !== '' && isSecretName(name)) {
        held.push(`the parameter "${name.slice(0, longestName)}"`);
        parameters.delete(name);
        if (parameters === fragment) url.hash = '';
      }
  return held[0] === undefined ? undefined : { clean: url.href, held: held[0] };
}

/** As it may be kept and shown. */
export const addressWithoutSecrets = (address: string): string => parted(address)?.clean ?? address;

/** Throws `invalid-request` for an address that holds a secret, which it does not repeat. */
export function refuseAddressSecrets(address: string): void {
  const found = parted(address);
  if (found)
    throw new FootnoteError(
      'invalid-request',
      `The address ${found.clean.slice(0, 200)} was given with ${found.held}, which everybody who reads the source or its documents would be shown. Name an address without it: one that is open to this machine, a checkout, or a copy of the files.`,
    );
}
