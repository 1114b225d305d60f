// Tells texts that hold a secret (a password, a key, a card), so that no memory ever keeps one. Errs towards refusing: a memory that is not
// kept costs little.

const named =
  /\b(?:pass(?:word|wort|code|phrase)|passwd|pwd|pin(?: code| number)?|api[ _-]?keys?|access[ _-]?keys?|secret(?: key)?s?|private keys?|(?:auth|access|bearer|refresh|api|session) tokens?|otp|2fa code|recovery (?:code|phrase)|seed phrase|cvv|cvc|credit card|card number|iban|bank account|account number|routing number|social security|ssn|passport (?:number|no)|security (?:code|answer)|login credentials?|mother'?s maiden name|contraseña|kennwort|mot de passe)\b/iu;
const shaped =
  /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant)?[-_]?[A-Za-z0-9_-]{12,200}|\bgh[pousr]_[A-Za-z0-9]{20,100}|\bgithub_pat_\w{20,200}|\bxox[abprs]-[A-Za-z0-9-]{10,100}|\bAKIA[A-Z0-9]{12,20}\b|\bAIza[\w-]{30,50}|\beyJ[\w-]{10,500}\.|-----BEGIN |\bBearer [\w.~+/-]{16,500}|:\/\/[^\s/:@]{1,100}:[^\s/@]{1,100}@/u;
const ibanShaped = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,4})?\b/u;
const socialSecurity = /\b\d{3}-\d{2}-\d{4}\b/u;
const digits = /(?<!\d)\d(?:[ -]?\d){11,18}(?!\d)/gu;
const word = /[^\s"'`,;()<>]{16,200}/gu;

/** Payment cards (ISO/IEC 7812-1, annex B). */
function isCardNumber(text: string): boolean {
  const plain = text.replace(/\D/gu, '');
  if (plain.length < 13 || plain.length > 19) return false;
  let sum = 0;
  for (let at = 0; at < plain.length; at += 1) {
    const digit = Number(plain[plain.length - 1 - at]);
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Letters of both cases and digits without a pattern of writing: as keys look, and no word does. */
function looksRandom(text: string): boolean {
  if (/[/:.@]/u.test(text) && !/[+=]/u.test(text)) return false;
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\d/u].filter((kind) => kind.test(text)).length;
  const changes = [...text.matchAll(/[a-z](?=[A-Z\d])|[A-Z](?=\d)|\d(?=[A-Za-z])/gu)].length;
  return kinds === 3 && changes >= 4;
}

export function holdsSecret(text: string): boolean {
  if (named.test(text) || shaped.test(text) || ibanShaped.test(text) || socialSecurity.test(text)) return true;
  for (const [number] of text.matchAll(digits)) if (isCardNumber(number)) return true;
  for (const [one] of text.matchAll(word)) if (looksRandom(one)) return true;
  return false;
}
