// Addresses of the web as they are compared: one spelling for what is one page.
import { addressWithoutSecrets, refuseAddressSecrets } from '../../../core/addresses.ts';
import { FootnoteError } from '../../../core/errors.ts';

/** What is only said for those who count visits. */
const tracking = /^(?:utm_[a-z]+|gclid|fbclid|mc_[ce]id|igshid|msclkid|yclid)$/iu;

/** The one spelling of an address: no fragment, no default port, no path that goes up, nothing that only counts visits. Throws `invalid-request`,
 * also for what holds a secret. */
export function canonicalAddress(written: string): string {
  const url = URL.parse(written.trim());
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new FootnoteError(
      'invalid-request',
      `"${written
        .slice(written.lastIndexOf('@') + 1)
        .split('?', 1)[0]
        ?.slice(0, 200)}" is no address of the web. Write it whole: https://example.org/page.`,
    );
  refuseAddressSecrets(written);
  url.hash = '';
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  const told = [...url.searchParams.keys()].filter((name) => tracking.test(name));
  for (const name of told) url.searchParams.delete(name);
  if (url.search === '') url.search = '';
  return url.href;
}

/** The same of what a page leads to, without its secrets; undefined for what is no address. */
export function asCanonical(written: string): string | undefined {
  try {
    return canonicalAddress(addressWithoutSecrets(written));
  } catch {
    return undefined;
  }
}

/** The name of the file at an address: a hint for its kind and its title. */
export function nameAt(address: string): string {
  const { pathname, hostname } = new URL(address);
  const last = pathname.split('/').findLast((part) => part !== '') ?? hostname;
  try {
    return decodeURIComponent(last).replaceAll(/[\0/\\]/gu, '-');
  } catch {
    return last;
  }
}
