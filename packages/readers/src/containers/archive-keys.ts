// Which of the given passwords opens which file of an archive. Invariant: what opened one file is tried first on the next, and a list of
// words costs a bounded time however many files there are.
import type { RefusedContent } from '../reader.ts';
import { type MemberLock, mayFit, type Unlocked, unlock } from './archive-unlock.ts';
import { lockedMessage, lockedReason } from './locked.ts';

/** Tries in one archive (1.2 ms each at AES-256): after them only passwords that fitted before. */
const maxTries = 2000;

/** What a plain content becomes: a file, or why it is none. */
type Accept = (plain: Buffer) => Uint8Array | RefusedContent;

export interface ArchiveKeys {
  /** Whether one of the passwords opens it, at no more cost than that takes. */
  mayOpen(packed: Buffer, lock: MemberLock, accept: Accept): boolean;
  /** What `accept` makes of the first plain content that it takes; else why there is none. */
  open(packed: Buffer, lock: MemberLock, accept: Accept): Uint8Array | RefusedContent;
}

/** The bytes of a password: today's tools write UTF-8, older ones the letters of western Europe. */
function spellings(password: string): Buffer[] {
  const utf8 = Buffer.from(password, 'utf8');
  const western = Buffer.from(password, 'latin1');
  return western.equals(utf8) || western.toString('latin1') !== password ? [utf8] : [utf8, western];
}

export function createArchiveKeys(passwords: readonly string[]): ArchiveKeys {
  let keys = passwords.flatMap(spellings);
  const fitted = new Set<Buffer>();
  let tries = 0;

  function* candidates(): Generator<Buffer> {
    for (const key of keys) {
      if (!fitted.has(key) && ++tries > maxTries) continue;
      yield key;
    }
  }
  const markFitted = (key: Buffer): void => {
    fitted.add(key);
    if (keys[0] !== key) keys = [key, ...keys.filter((one) => one !== key)];
  };

  const opening: ArchiveKeys = {
    mayOpen: (packed, lock, accept) =>
      lock.kind === 'aes'
        ? candidates().some((key) => mayFit(packed, lock, key))
        : opening.open(packed, lock, accept) instanceof Uint8Array,
    open(packed, lock, accept) {
      let fault: RefusedContent | undefined;
      for (const key of candidates()) {
        const plain: Unlocked = unlock(packed, lock, key);
        if (plain === undefined) continue;
        const content =
          plain === 'damaged'
            ? ({ code: 'invalid-media', message: damagedMessage('its authentication code is wrong') } as const)
            : accept(plain);
        if (content instanceof Uint8Array) {
          markFitted(key);
          return content;
        }
        // Of AES the password is right all the same, with a chance of 1 in 65,536; of the old cipher it tells nothing.
        if (lock.kind === 'aes') fault = content;
      }
      return fault ?? lockedContent(passwords.length);
    },
  };
  return opening;
}

export const damagedMessage = (what: string): string =>
  `It is damaged in the archive: ${what}. Copy or pack the archive anew.`;

const lockedContent = (tried: number): RefusedContent => ({
  code: 'invalid-media',
  message: lockedMessage({ name: 'It', tried }),
  reason: lockedReason(tried),
});
