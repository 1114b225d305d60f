// Keeps libraries in the process that calls it from asking Node to decode half a character of UTF-16: of an odd number of bytes at an odd
// address `Buffer.prototype.toString` writes one byte beyond its copy (seen in Node 24.21: the heap is damaged, the process aborts).

const isUtf16 = (encoding: string | undefined): boolean =>
  encoding !== undefined && /^(?:utf-?16le|ucs-?2)$/iu.test(encoding);

export function decodeWholeUtf16(): void {
  const native = Buffer.prototype.toString;
  Buffer.prototype.toString = function decode(this: Buffer, encoding?: BufferEncoding, start = 0, end = this.length) {
    if (!isUtf16(encoding)) return native.call(this, encoding, start, end);
    const from = Math.min(Math.max(0, Math.trunc(start)), this.length);
    const to = Math.min(Math.max(from, Math.trunc(end)), this.length);
    return native.call(this, encoding, from, to - ((to - from) % 2));
  };
}
