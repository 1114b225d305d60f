// Private keys, and data in the letters of base64: texts by their bytes, but none that anybody asks. Invariant: a file that is a private key is never
// indexed, whatever it is called, and one that holds a key among other text says so (RFC 7468, PuTTY's key files).

const isKey = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----|^PuTTY-User-Key-File-\d/u;
const armoured = /-----BEGIN [^\n-]{1,60}-----[^-]{0,20000}-----END [^\n-]{1,60}-----/gu;

/** Whether a text is a private key, with what tools write above and below it, and not a text that shows one. */
export function isPrivateKey(head: string): boolean {
  if (!isKey.test(head)) return false;
  if (/^(?:PuTTY-User-Key-File|-----BEGIN [A-Z0-9 ]{0,60}PRIVATE KEY)/u.test(head.trimStart())) return true;
  return head.replace(armoured, '').trim().length * 2 < head.length;
}

/** For people whose file is read all the same; undefined where it holds no private key. */
export const privateKeyWarning = (text: string): string | undefined =>
  isKey.test(text)
    ? 'It holds a private key, which can now be found and shown. Take the key out of the file, or leave the file out (--exclude).'
    : undefined;

const leastEncoded = 200;
const encodedShare = 0.9;

/** Whether all but a tenth of a text stands in runs that are longer than words: base64, hexadecimal digits, public keys. */
export function isEncodedData(head: string): boolean {
  const visible = head.replace(/\s+/gu, '').length;
  const inRuns = (head.match(/[\w+/=-]{50,}/gu) ?? []).reduce((sum, run) => sum + run.length, 0);
  return visible >= leastEncoded && inRuns >= visible * encodedShare;
}
