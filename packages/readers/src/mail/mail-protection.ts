// What is encrypted or signed in a mail (RFC 8551, RFC 3156, RFC 9580 §6): nothing is opened or checked, but it is said, and signatures and wrappings
// are not taken for attached files.
import type { SourceSpan } from '../document.ts';

export type Protection = 'S/MIME' | 'PGP';

export interface Protected {
  readonly encrypted?: Protection;
  readonly signed?: Protection;
}

/** From the type of the whole message, as its head has it. */
export function protectionOf(contentType: string | undefined): Protected {
  const type = (contentType ?? '').toLowerCase();
  if (/^\s*multipart\/encrypted\b/u.test(type)) return { encrypted: 'PGP' };
  if (/^\s*application\/(?:x-)?pkcs7-mime\b/u.test(type)) {
    return type.includes('signed-data') ? { signed: 'S/MIME' } : { encrypted: 'S/MIME' };
  }
  if (!/^\s*multipart\/signed\b/u.test(type)) return {};
  return { signed: type.includes('pgp') ? 'PGP' : 'S/MIME' };
}

/** A message as a whole, encrypted or wrapped in its signature. */
export const isSealed = (mimeType: string): boolean => /^application\/(?:x-)?pkcs7-mime$/iu.test(mimeType);

/** A part that holds a signature, or what an encrypted message is wrapped in. */
export function isWrapping(mimeType: string, name: string | null, { encrypted, signed }: Protected): boolean {
  const type = mimeType.toLowerCase();
  if (/^application\/(?:(?:x-)?pkcs7-signature|pgp-signature|pgp-encrypted|pgp-keys)$/u.test(type)) return true;
  if (isSealed(type)) return encrypted === 'S/MIME' || signed === 'S/MIME';
  return encrypted === 'PGP' && type === 'application/octet-stream' && /\.(?:asc|pgp|gpg)$/iu.test(name ?? '.asc');
}

export function protectionWarnings({ encrypted, signed }: Protected, hasText: boolean): string[] {
  if (encrypted !== undefined)
    return [
      `The message is encrypted (${encrypted}): only its head is read. Open it in a mail program and save it without encryption.`,
    ];
  if (signed !== undefined && !hasText)
    return [
      `The text of the message lies inside its signature (${signed}) and is not read. Forward it to yourself, or save it as text.`,
    ];
  return [];
}

/** Begins what is encrypted in a text. */
export const encryptedMark: RegExp = /^-----BEGIN PGP MESSAGE-----[ \t]*$/mu;

/** Armoured blocks (`-----BEGIN PGP MESSAGE-----` to its end) in a text: letters that say nothing to a reader. */
export function armouredRegions(text: string): SourceSpan[] {
  const regions: SourceSpan[] = [];
  const begin = /^-----BEGIN PGP (MESSAGE|SIGNATURE|PUBLIC KEY BLOCK)-----[ \t]*$/gmu;
  for (let found = begin.exec(text); found !== null; found = begin.exec(text)) {
    const mark = `-----END PGP ${found[1]}-----`;
    const end = text.indexOf(mark, found.index);
    if (end < 0) break;
    regions.push({ start: found.index, end: end + mark.length });
    begin.lastIndex = end;
  }
  return regions;
}
