// Writing to a hosted store whatever it makes of a request as a whole: what the service finds too large is sent as two, down to a part that is too large by
// itself; and what it refuses for one of several parts is looked for by halves, so that it costs that one alone.
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

export interface RefusedApart<Part> {
  send(parts: readonly Part[]): Promise<void>;
  /** Whether one of several parts may be what is refused. */
  isOfOne(error: FootnoteError): boolean;
  /** Notes what a half ended with; false: it ends the others, too. */
  note(parts: readonly Part[], error: FootnoteError): boolean;
}

/** Throws what `send` throws for all parts, and what `note` does not take. */
export async function refusedApart<Part>(parts: readonly Part[], by: RefusedApart<Part>): Promise<void> {
  try {
    await by.send(parts);
  } catch (thrown) {
    if (!by.isOfOne(toFootnoteError(thrown)) || parts.length < 2) throw thrown;
    const half = Math.ceil(parts.length / 2);
    for (const some of [parts.slice(0, half), parts.slice(half)])
      await refusedApart(some, by).catch((inner: unknown) => {
        const error = toFootnoteError(inner);
        if (!by.note(some, error)) throw error;
      });
  }
}
