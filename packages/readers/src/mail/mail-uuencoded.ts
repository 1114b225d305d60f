// Files that stand in the text of a message as mail had them before MIME (uuencode, POSIX.1-2017): taken out of it, as attached files. Invariant: linear time;
// what is not such a file to its last line stays in the text.
import type { AttachedFile } from '../document.ts';

export interface WithoutFiles {
  readonly text: string;
  readonly files: readonly AttachedFile[];
}

const maxFiles = 100;
const begin = /^begin [0-7]{3,4} (\S[^\r\n]{0,200}?)[ \t]*\r?$/u;

export function withoutUuencoded(text: string): WithoutFiles {
  if (!/^begin [0-7]{3,4} \S/mu.test(text)) return { text, files: [] };
  const lines = text.split('\n');
  const kept: string[] = [];
  const files: AttachedFile[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const name = files.length < maxFiles ? begin.exec(line)?.[1] : undefined;
    const found = name === undefined ? undefined : fileAt(lines, at + 1);
    if (name === undefined || found === undefined) kept.push(line);
    else {
      files.push({ name, bytes: found.bytes });
      at = found.end;
    }
  }
  return { text: kept.join('\n'), files };
}

/** The lines up to `end`: each begins with how many bytes it holds. */
function fileAt(
  lines: readonly string[],
  start: number,
): { readonly bytes: Uint8Array; readonly end: number } | undefined {
  const parts: Buffer[] = [];
  for (let at = start; at < lines.length; at++) {
    const line = (lines[at] ?? '').replace(/\r$/u, '');
    if (/^end[ \t]*$/u.test(line)) return parts.length === 0 ? undefined : { bytes: Buffer.concat(parts), end: at };
    if (line === '`' || line === ' ' || line === '') continue;
    const part = bytesOf(line);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return undefined;
}

/** Three bytes in four characters from the space on, the back quote being zero as well; spaces at the end may be lost on the way. */
function bytesOf(line: string): Buffer | undefined {
  const length = (line.charCodeAt(0) - 32) & 63;
  const digits = Math.ceil(length / 3) * 4;
  if (length === 0 || length > 45 || line.length > digits + 3 || !/^[ -`]+$/u.test(line)) return undefined;
  const whole = line.slice(1).padEnd(digits, ' ');
  const out = Buffer.alloc(digits);
  let size = 0;
  for (let at = 0; at < digits; at += 4) {
    let bits = 0;
    for (let index = 0; index < 4; index++) bits = (bits << 6) | ((whole.charCodeAt(at + index) - 32) & 63);
    out[size++] = (bits >> 16) & 0xff;
    out[size++] = (bits >> 8) & 0xff;
    out[size++] = bits & 0xff;
  }
  return out.subarray(0, length);
}
