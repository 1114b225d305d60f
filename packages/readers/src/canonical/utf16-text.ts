// Bytes of UTF-16 (little endian) inside binary files as text; half a character at the end is left. Invariant: Node is never asked to decode an odd number of
// bytes, for then it writes one byte beyond its copy where they begin at an odd address (seen in 24.21: the heap is damaged, the process aborts).

export const utf16Text = (bytes: Buffer): string => bytes.subarray(0, bytes.length & ~1).toString('utf16le');
