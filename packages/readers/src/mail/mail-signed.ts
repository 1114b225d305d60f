// The message inside an opaque signature: CMS SignedData (RFC 5652 §5) with its content as a MIME entity (RFC 8551 §3.5.2). The signature is not
// checked. Invariant: nothing is read outside of the bytes, and nesting is followed to a fixed depth only.

/** An element of BER (X.690): where its content begins and ends, its tag and whether it holds elements. */
interface Element {
  readonly tag: number;
  readonly isConstructed: boolean;
  readonly start: number;
  readonly end: number;
  /** Where what follows it begins. */
  readonly next: number;
}

const maxDepth = 12;
const maxElements = 100_000;
const sequence = 0x30;
const objectIdentifier = 0x06;
const octetString = 0x04;
const contextZero = 0xa0;
/** 1.2.840.113549.1.7.2 (signed) and .1 (data). */
const signedData = '2a864886f70d010702';
const plainData = '2a864886f70d010701';

/** The message inside: of CMS, or of what Outlook keeps, which is the message itself. Undefined for what is encrypted or damaged. */
export function unsealedBytes(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes[0] === sequence) return signedContent(bytes);
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  return /^(?:MIME-Version|Content-Type):/iu.test(head) ? bytes : undefined;
}

/** Undefined where the bytes are no signed message that holds its content. */
function signedContent(bytes: Uint8Array): Uint8Array | undefined {
  const reader = createReader(bytes);
  const whole = reader.read(0, bytes.length);
  const [type, explicit] = whole?.tag === sequence ? reader.inside(whole) : [];
  if (type?.tag !== objectIdentifier || reader.hex(type) !== signedData) return undefined;
  if (explicit?.tag !== contextZero) return undefined;
  const [signed] = reader.inside(explicit);
  if (signed?.tag !== sequence) return undefined;
  const wrapped = reader.inside(signed).find(({ tag }) => tag === sequence);
  const [innerType, content] = wrapped === undefined ? [] : reader.inside(wrapped);
  if (innerType === undefined || reader.hex(innerType) !== plainData || content?.tag !== contextZero) return undefined;
  const parts: Uint8Array[] = [];
  for (const part of reader.inside(content)) reader.strings(part, parts);
  const joined = Buffer.concat(parts);
  return joined.length === 0 ? undefined : Uint8Array.from(joined);
}

interface Reader {
  read(at: number, limit: number, depth?: number): Element | undefined;
  inside(element: Element): Element[];
  hex(element: Element): string;
  /** The octets of a string, which may be one of strings. */
  strings(element: Element, into: Uint8Array[], depth?: number): void;
}

function createReader(bytes: Uint8Array): Reader {
  let elements = 0;
  const read = (at: number, limit: number, depth = 0): Element | undefined => {
    if (++elements > maxElements || depth > maxDepth || at + 2 > limit) return undefined;
    const tag = bytes[at] ?? 0;
    const isConstructed = (tag & 0x20) !== 0;
    const first = bytes[at + 1] ?? 0;
    let start = at + 2;
    if (first === 0x80) return isConstructed ? untilEnd({ tag, start, limit, depth }) : undefined;
    let length = first;
    if (first > 0x80) {
      const count = first & 0x7f;
      if (count > 4 || start + count > limit) return undefined;
      length = 0;
      for (let index = 0; index < count; index++) length = length * 256 + (bytes[start + index] ?? 0);
      start += count;
    }
    const end = start + length;
    return end > limit ? undefined : { tag, isConstructed, start, end, next: end };
  };
  /** An element of indefinite length goes on to two zeros. */
  const untilEnd = ({
    tag,
    start,
    limit,
    depth,
  }: {
    readonly tag: number;
    readonly start: number;
    readonly limit: number;
    readonly depth: number;
  }): Element | undefined => {
    for (let at = start; at + 2 <= limit; ) {
      if (bytes[at] === 0 && bytes[at + 1] === 0) return { tag, isConstructed: true, start, end: at, next: at + 2 };
      const inner = read(at, limit, depth + 1);
      if (inner === undefined) return undefined;
      at = inner.next;
    }
    return undefined;
  };
  const inside = ({ start, end }: Element): Element[] => {
    const found: Element[] = [];
    for (let at = start; at < end; ) {
      const element = read(at, end);
      if (element === undefined) break;
      found.push(element);
      at = element.next;
    }
    return found;
  };
  const strings = (element: Element, into: Uint8Array[], depth = 0): void => {
    if ((element.tag & 0x1f) !== octetString || depth > maxDepth) return;
    if (element.isConstructed) for (const part of inside(element)) strings(part, into, depth + 1);
    else into.push(bytes.subarray(element.start, element.end));
  };
  const hex = ({ start, end }: Element): string => Buffer.from(bytes.subarray(start, end)).toString('hex');
  return { read, inside, hex, strings };
}
