// A multipart upload becomes the same fields as a JSON body, plus its files. Sizes are capped while reading, so a large
// upload is refused before it is held.

import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { GivenFile } from '../../core/documents/add-document.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { parseJsonBody } from '../../core/json/json-body.ts';
import type { HttpLimits } from './http-types.ts';

const listFields: ReadonlySet<string> = new Set(['access', 'stores']);
const jsonFields: ReadonlySet<string> = new Set(['metadata', 'passwords']);

/** Reads the whole upload: sets `request.body` to its fields, `request.uploads` to its files, and the body's hash. */
export async function readUpload(request: FastifyRequest, limits: HttpLimits): Promise<void> {
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const uploads: GivenFile[] = [];
  const hash = createHash('sha256');
  let totalBytes = 0;
  const { heldBody } = request;
  let refused: FootnoteError | undefined;
  let file: Readable | undefined;
  const refusal = Promise.withResolvers<never>();
  // Where no part is awaited by then, or ever again, it is thrown below.
  refusal.promise.catch(() => undefined);
  if (heldBody)
    heldBody.refuse = (error) => {
      refused = error;
      file?.destroy(error);
      refusal.reject(error);
    };
  const parts = request.parts({
    limits: { fileSize: limits.fileBytes, files: limits.filesPerUpload, fields: 50, fieldSize: limits.bodyBytes },
  });
  // What waits for the next part is told as well: the connection stays, for the reply that says so.
  const next = () => Promise.race([parts.next(), refusal.promise]);
  for (let given = await next(); !given.done; given = await next()) {
    const part = given.value;
    if (part.type === 'file') {
      const pieces: Buffer[] = [];
      file = part.file;
      for await (const piece of part.file) {
        const bytes = piece as Buffer;
        totalBytes += bytes.byteLength;
        if (totalBytes > limits.uploadBytes)
          throw new FootnoteError(
            'too-large',
            `The files are larger than ${limits.uploadBytes} bytes together. Send fewer at once.`,
          );
        pieces.push(bytes);
        heldBody?.add(bytes.byteLength);
        if (refused) throw refused;
      }
      file = undefined;
      if (part.file.truncated)
        throw new FootnoteError('too-large', `${part.filename || 'A file'} is larger than ${limits.fileBytes} bytes.`);
      const given: GivenFile = {
        name: fileNameOf(part.filename),
        // Browsers and clients that know nothing say octet-stream: then the name and the bytes decide.
        mime: part.mimetype === 'application/octet-stream' ? '' : part.mimetype,
        bytes: Buffer.concat(pieces),
      };
      hash.update(`\u0000file ${given.name} ${given.mime} ${given.bytes.byteLength}\u0000`).update(given.bytes);
      uploads.push(given);
    } else {
      if (part.valueTruncated || part.fieldnameTruncated)
        throw new FootnoteError('too-large', `The field ${part.fieldname} is larger than ${limits.bodyBytes} bytes.`);
      const text = String(part.value);
      heldBody?.add(text.length);
      if (refused) throw refused;
      hash.update(`\u0000field ${part.fieldname} ${text.length}\u0000${text}`);
      setField(fields, part.fieldname, text);
    }
  }
  if (heldBody) heldBody.refuse = undefined;
  request.body = { ...fields };
  request.uploads = uploads;
  request.bodyHash = hash.digest('hex');
}

function setField(fields: Record<string, unknown>, name: string, text: string): void {
  if (listFields.has(name)) {
    const values = text.trimStart().startsWith('[')
      ? parseField(name, text)
      : text.split(',').map((item) => item.trim());
    const earlier = fields[name];
    fields[name] = [...(Array.isArray(earlier) ? earlier : []), ...(Array.isArray(values) ? values : [values])];
    return;
  }
  if (Object.hasOwn(fields, name))
    throw new FootnoteError('invalid-request', `body.${name}: given twice; give it once.`);
  fields[name] = jsonFields.has(name) ? parseField(name, text) : text;
}

function parseField(name: string, text: string): unknown {
  try {
    return parseJsonBody(Buffer.from(text));
  } catch (error) {
    const { code, message } = toFootnoteError(error);
    if (code === 'too-large') throw new FootnoteError(code, `body.${name}: ${message}`, { cause: error });
    // What is wrong with it quotes it.
    if (name === 'passwords')
      throw new FootnoteError('invalid-request', 'body.passwords: must be JSON. Send a list: ["one", "two"].');
    throw new FootnoteError('invalid-request', `body.${name}: must be JSON. ${message}`, {
      cause: error,
    });
  }
}

/** The last part of what a client called its file: never a path. */
function fileNameOf(name: string | undefined): string {
  const last = (name ?? '').split(/[\\/]/).at(-1) ?? '';
  const clean = last.replace(/\p{Cc}/gu, '').slice(0, 255);
  return clean === '' || clean === '.' || clean === '..' ? 'upload' : clean;
}
