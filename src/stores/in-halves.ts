// Writing to a hosted store whatever its limit on requests: what the service finds too large is sent as two, down to a part that is too large by itself.
import { type FootnoteError, toFootnoteError } from '../core/errors.ts';

/** A call that writes carries megabytes: it may take so many times as long as another. */
export const writeShare = 3;

export interface InHalves<Part, Sent> {
  send(parts: readonly Part[]): Promise<readonly Sent[]>;
  /** What comes of a part that is too large by itself; it may throw the error. */
  tooLarge(part: Part, error: FootnoteError): readonly Sent[];
}

/** What was sent, in its order. Throws what `send` throws but for `too-large`. */
export async function inHalves<Part, Sent>(
  parts: readonly Part[],
  { send, tooLarge }: InHalves<Part, Sent>,
): Promise<readonly Sent[]> {
  try {
    return await send(parts);
  } catch (thrown) {
    const error = toFootnoteError(thrown);
    if (error.code !== 'too-large') throw thrown;
    const [first] = parts;
    if (first !== undefined && parts.length === 1) return tooLarge(first, error);
    const half = Math.ceil(parts.length / 2);
    const front = await inHalves(parts.slice(0, half), { send, tooLarge });
    return [...front, ...(await inHalves(parts.slice(half), { send, tooLarge }))];
  }
}
