// Which encoding the text parts of a mail are really in. Mail programs name none, name the wrong one or leave it to the HTML inside; then the bytes
// decide. A named encoding other than a Latin one is believed.
import PostalMime, { type Email, type PostalMimeOptions } from 'postal-mime';
import { decodeText, isUtf8 } from '../canonical/decode.ts';
import { isReadError } from '../read-error.ts';
import { unflowed } from './mail-flowed.ts';

/** What postal-mime holds of a part, before it makes text of it. Its types do not name it; without it parts are read as they declare themselves. */
export interface MailPart {
  content?: ArrayBuffer | null;
  readonly childNodes: readonly MailPart[];
  readonly contentType: { readonly parsed: { value: string; readonly params: Record<string, string> } };
  readonly headers: readonly { readonly key: string; readonly value: string }[];
}
interface Insides {
  readonly root?: MailPart;
  finalize?: () => Promise<void>;
}

/** As `PostalMime.parse`, with the encodings of text parts mended. `take` is handed the parts as they came. */
export function parseMail(
  bytes: Uint8Array,
  options: PostalMimeOptions,
  take: (root: MailPart) => void = () => undefined,
): Promise<Email> {
  const parser = new PostalMime(options);
  const insides = parser as unknown as Insides;
  const finalize = insides.finalize?.bind(parser);
  if (finalize !== undefined)
    insides.finalize = async () => {
      await finalize();
      if (insides.root === undefined) return;
      mendParts(insides.root);
      take(insides.root);
    };
  return parser.parse(bytes);
}

function mendParts(root: MailPart): void {
  const pending = [root];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    pending.push(...part.childNodes);
    const { parsed } = part.contentType;
    // What is no type of two words is plain text (RFC 2045 §5.2): `text`, as programs of before MIME wrote it.
    if (!parsed.value.includes('/')) parsed.value = 'text/plain';
    const { value, params } = parsed;
    if (!part.content || !/^text\/(?:plain|html)$/iu.test(value)) continue;
    const bytes = new Uint8Array(part.content);
    const declared = (params['charset'] ?? '').trim().toLowerCase();
    if (/^(?:x-)?(?:unicode-1-1-)?utf-?7$/u.test(declared)) {
      part.content = Uint8Array.from(Buffer.from(fromUtf7(bytes), 'utf8')).buffer;
      params['charset'] = 'utf-8';
    } else {
      const charset = charsetOf(bytes, declared, value);
      if (charset !== undefined) params['charset'] = charset;
    }
    mendFlow(part, params);
  }
}

/** Postal-mime does not know of quotations in such texts. Spaces, marks and line ends are single bytes but in UTF-16 and UTF-32, which are left to it. */
function mendFlow(part: MailPart, params: Record<string, string>): void {
  if (!part.content || !/^flowed$/iu.test(params['format'] ?? '') || /^utf-?(?:16|32)/iu.test(params['charset'] ?? ''))
    return;
  const text = unflowed(Buffer.from(part.content).toString('latin1'), /^yes$/iu.test(params['delsp'] ?? ''));
  part.content = Uint8Array.from(Buffer.from(text, 'latin1')).buffer;
  params['format'] = 'fixed';
}

/** What the head of a page says. One that can be read a byte a character is in no encoding of two (HTML §13.2.3.2), as Word says of all that it saves. */
export function charsetInHtml(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
  const charset = /<meta\s[^<>]{0,200}?charset\s*=\s*["']?([\w.:-]+)/iu.exec(head)?.[1];
  return charset === undefined || /^(?:utf-?16|(?:cs)?unicode|ucs-2)/iu.test(charset) ? undefined : charset;
}

/** Undefined where what is declared stands. */
function charsetOf(bytes: Uint8Array, declared: string, type: string): string | undefined {
  if (!bytes.some((byte) => byte >= 0x80 || byte === 0x1b)) return undefined;
  const isLatin = /^(?:x-)?(?:iso[-_]?8859|latin|l\d|windows-125\d|cp-?125\d)/u.test(declared);
  const isUnknown = declared === '' || /^(?:us-)?ascii$|^ansi|^utf-?8$|^binary$|^8bit$|unknown/u.test(declared);
  if (!isLatin && !isUnknown) return undefined;
  // Latin text of more than one character beyond ASCII that happens to be UTF-8 does not occur.
  if (isUtf8(bytes)) return 'utf-8';
  if (isLatin) return undefined;
  const meta = type.toLowerCase() === 'text/html' ? charsetInHtml(bytes) : undefined;
  try {
    return decodeText(bytes, 'part', meta).encoding;
  } catch (error) {
    if (!isReadError(error)) throw error;
    return undefined;
  }
}

/** RFC 2152: runs of base64 of UTF-16 between `+` and what is no base64; `+-` is a plus. */
function fromUtf7(bytes: Uint8Array): string {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return source.replace(/\+([A-Za-z\d+/]*)-?/gu, (_, run: string) =>
    run === ''
      ? '+'
      : Buffer.from(run, 'base64')
          .subarray(0, ((run.length * 3) >> 2) & ~1)
          .swap16()
          .toString('utf16le'),
  );
}
