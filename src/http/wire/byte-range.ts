// A part of a file, and whether the client has it already (RFC 9110, sections 13 and 14): one range of bytes. Several at once, other units and what
// cannot be read are as if nothing was asked for, and the whole file is given.
import type { FastifyReply } from 'fastify';
import { FootnoteError } from '../../core/errors.ts';
import type { DocumentFile } from '../../footnote/facade.ts';
import type { ByteRange } from '../../footnote/record/text-range.ts';

export function byteRangeOf(header: string | undefined): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/u.exec(header ?? '') ?? [];
  if (first === '') return last === '' ? undefined : { start: Number(last) === 0 ? Number.MAX_SAFE_INTEGER : -last };
  if (last === '') return { start: Number(first) };
  return Number(last) < Number(first) ? undefined : { start: Number(first), end: Number(last) + 1 };
}

/** Whether `If-None-Match` names this tag. */
export const isKnown = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//u, ''))) ?? false;

/** Status and headers of a file or a part of it. Throws a 416 where no byte of the file is of the range. */
export function headOfPart(reply: FastifyReply, { bytes, size }: DocumentFile, range: ByteRange | undefined): void {
  // Readers of PDF ask for parts only where they are told how long the whole is.
  void reply.headers({ 'accept-ranges': 'bytes', 'content-length': bytes.byteLength });
  if (!range) return;
  if (bytes.byteLength === 0) {
    void reply.removeHeader('content-length').header('content-range', `bytes */${size}`);
    const refusal = new FootnoteError('invalid-request', `The range lies beyond the file, which has ${size} bytes.`);
    throw Object.assign(refusal, { status: 416 });
  }
  const start = range.start < 0 ? Math.max(0, size + range.start) : range.start;
  void reply.code(206).header('content-range', `bytes ${start}-${start + bytes.byteLength - 1}/${size}`);
}
