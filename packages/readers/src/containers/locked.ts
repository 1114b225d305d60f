// What a file with a password is told that was opened without one or with another, in the same words whatever kind it is. Invariant:
// `details.reason` says it to programs, who then try the next password (ingest/read/passwords.ts).
import { ReadError } from '../read-error.ts';

export interface Lock {
  /** What is encrypted, for people. */
  readonly name: string;
  /** Passwords that did not open it. */
  readonly tried: number;
}

const advice =
  'Give the password (footnote ingest: --password or --password-file; over HTTP: the field password), or a copy without one.';

export const lockedMessage = ({ name, tried }: Lock): string =>
  tried === 0
    ? `${name} is encrypted: a password is needed to open it. ${advice}`
    : `${name} is encrypted and ${tried === 1 ? 'the password given does not open it' : `none of the ${tried} passwords given opens it`}. Check the password.`;

export const lockedReason = (tried: number): 'password-needed' | 'wrong-password' =>
  tried === 0 ? 'password-needed' : 'wrong-password';

/** `invalid-media` with `details.reason`. */
export const locked = (name: string, password: string | undefined): ReadError => {
  const tried = password === undefined ? 0 : 1;
  return new ReadError('invalid-media', lockedMessage({ name, tried }), {
    details: { reason: lockedReason(tried) },
  });
};

/** Encrypted in a way that no password given here would open, or that is not read. */
export const lockedOtherwise = (name: string, how: string): ReadError =>
  new ReadError('invalid-media', `${name} is encrypted ${how}. Save it without a password, or export it as PDF.`, {
    details: { reason: 'encrypted' },
  });
