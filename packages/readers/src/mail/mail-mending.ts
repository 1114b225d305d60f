// Messages of several parts whose head does not say, or says wrongly, what parts them (RFC 2046 §5.1.1), as gateways and exports leave them: the line
// that parts them is taken from the body. Invariant: only a message of which nothing else could be read is read so.
import type { Email } from 'postal-mime';
import { decodeText } from '../canonical/decode.ts';

const searchedBytes = 1024 * 1024;

export const holdsNothing = ({ text, html, attachments }: Email): boolean =>
  !text?.trim() && !html?.trim() && attachments.length === 0;

/** The message again under the line that really parts it; its body as text where there is no such line; undefined where it is not of several parts or empty. */
export function mended(
  bytes: Uint8Array,
  type: string | undefined,
): { parts: Uint8Array } | { text: string } | undefined {
  const kind = /^\s*multipart\/([\w-]{1,40})/iu.exec(type ?? '')?.[1];
  if (kind === undefined) return undefined;
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = /\r?\n\r?\n/u.exec(source.toString('latin1', 0, searchedBytes));
  if (start === null) return undefined;
  const body = source.subarray(start.index + start[0].length);
  const line = /^--([^\s"][^\r\n"]{0,68}?)[ \t]*\r?\ncontent-[\w-]{1,60}:/imu.exec(
    body.toString('latin1', 0, searchedBytes),
  );
  if (line?.[1] !== undefined)
    return {
      parts: Buffer.concat([
        Buffer.from(`Content-Type: multipart/${kind}; boundary="${line[1]}"\r\n\r\n`, 'latin1'),
        body,
      ]),
    };
  const { text } = decodeText(body, 'part');
  return text.trim() === '' ? undefined : { text };
}
