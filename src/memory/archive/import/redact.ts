// Secrets that people paste into chats, replaced by a mark before anything is written. What has the form of a known kind of key, and what
// follows the word "password", is taken for one; every expression is linear.
const kinds: readonly (readonly [name: string, pattern: RegExp])[] = [
  [
    'private key',
    /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[A-Za-z0-9+/=\s]{1,10000}-----END [A-Z ]{0,30}PRIVATE KEY-----/gu,
  ],
  ['key', /\b(?:sk|pk|rk)-(?:[a-z]{2,10}-)?[A-Za-z0-9_-]{20,200}/gu],
  ['key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/gu],
  ['token', /\bgh[pousr]_[A-Za-z0-9]{30,255}\b/gu],
  ['token', /\bgithub_pat_[A-Za-z0-9_]{30,255}\b/gu],
  ['token', /\bxox[abeprs]-[A-Za-z0-9-]{10,255}/gu],
  ['token', /\bglpat-[A-Za-z0-9_-]{20,64}/gu],
  ['key', /\bAIza[A-Za-z0-9_-]{35}\b/gu],
  ['token', /\beyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,2000}/gu],
  [
    'password',
    /(?<=\b(?:password|passwort|passphrase|kennwort|secret|api[_-]?key)["']?\s?(?:is|ist|[:=])\s?["']?)[^\s"',;]{6,200}/giu,
  ],
];

export function redact(text: string): { readonly text: string; readonly count: number } {
  let count = 0;
  let clean = text;
  for (const [name, pattern] of kinds)
    clean = clean.replace(pattern, () => {
      count += 1;
      return `[${name} removed]`;
    });
  return { text: clean, count };
}
