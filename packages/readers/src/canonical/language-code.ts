// What files say of their language (`en-GB`, `de_AT`, `fra`) as documents keep it.

/** The primary subtag of a language tag (RFC 5646 §2.2.1), in lower case; undefined where it is none. */
export function languageCode(tag: string | undefined): string | undefined {
  const code = tag
    ?.trim()
    .split(/[-_@.]/u)[0]
    ?.toLowerCase();
  return code !== undefined && /^[a-z]{2,3}$/u.test(code) ? code : undefined;
}
