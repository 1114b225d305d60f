// Pictures that a text carries in itself, as data: URLs (RFC 2397) in base64. Nothing else is read from an address, and nothing is fetched.

const addressHead = /data:image\/[\w.+-]{1,40}(?:;[\w.=-]{1,40}){0,4};base64,/giu;
/** Shorter ones are dots and lines. */
const leastDigits = 64;

const isDigit = (code: number): boolean =>
  (code >= 47 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  code === 43 ||
  code === 61 ||
  code === 37;

/** The addresses of pictures in a text; their kind is told from their bytes later. Goes over the text once, however long they are. */
export function* dataAddresses(text: string): Generator<{ readonly start: number; readonly address: string }> {
  addressHead.lastIndex = 0;
  for (let found = addressHead.exec(text); found !== null; found = addressHead.exec(text)) {
    const from = found.index + found[0].length;
    let end = from;
    while (end < text.length && isDigit(text.charCodeAt(end))) end++;
    if (end - from >= leastDigits) yield { start: found.index, address: text.slice(found.index, end) };
    addressHead.lastIndex = end;
  }
}

const longestHead = 200;

/** The bytes of a picture in an address; undefined where it is another one. */
export function dataPicture(address: string): Uint8Array | undefined {
  const head = address.slice(0, longestHead);
  const comma = head.indexOf(',');
  if (comma < 0 || !/^data:image\/[^,]*;base64$/iu.test(head.slice(0, comma))) return undefined;
  const data = address.slice(comma + 1);
  const plain = data.includes('%')
    ? data.replace(/%([\da-f]{2})/giu, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    : data;
  const bytes = Buffer.from(plain, 'base64');
  return bytes.length === 0 ? undefined : bytes;
}
