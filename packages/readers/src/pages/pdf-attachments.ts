// Takes out the files that a PDF carries (ISO 32000-1, 7.11.4 and 12.5.6.15), within limits: what is beyond them is named in a
// warning. Nothing is opened here.
import type { AttachedFile } from '../document.ts';
import type { OpenPdf } from '../engines/pdf-module.ts';

const mostFiles = 500;
const mostBytes = 100 * 1024 * 1024;

/** A name of a file under the key that its bytes do not stand under. */
const misplacedName = /\/UF(?=\s{0,8}\((?:[^()\\]|\\.){0,1000}\)\s{0,8}\/EF\s{0,8}<<\s{0,8}\/F\s)/g;
const longestPatched = 64 * 1024 * 1024;

/**
 * The file as PDFium finds what is attached to it: it looks for bytes only under keys that hold a name, and some programs write the
 * name as /UF and the bytes as /F. The name is read from /F then; nothing changes its place. Objects that are compressed stay
 * as they are.
 */
export function withNamesBesideFiles(bytes: Uint8Array): Uint8Array {
  const given = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length > longestPatched || !given.includes('/UF')) return bytes;
  const text = given.toString('latin1');
  const patched = text.replace(misplacedName, (key, at: number) => {
    const before = text.slice(Math.max(0, at - 1000), at);
    const dictionary = before.slice(before.lastIndexOf('<<') + 1);
    return /\/F\s*[(<]/.test(dictionary) ? key : '/F ';
  });
  return patched === text ? bytes : Buffer.from(patched, 'latin1');
}

/** `hung` are handles of files that hang on places of pages. */
export function readAttachments(
  { pdfium, memory, document }: OpenPdf,
  hung: readonly number[],
): { readonly files: readonly AttachedFile[]; readonly warnings: readonly string[] } {
  const files: AttachedFile[] = [];
  const left: string[] = [];
  let total = 0;
  const named = Math.max(0, pdfium.FPDFDoc_GetAttachmentCount(document));
  const handles: number[] = [];
  for (let index = 0; index < Math.min(named, mostFiles); index++)
    handles.push(pdfium.FPDFDoc_GetAttachment(document, index));
  handles.push(...hung.slice(0, mostFiles - handles.length));
  const size = memory.allocate(8);
  for (const handle of handles) {
    if (handle === 0) continue;
    const name =
      memory.utf16((buffer, length) => pdfium.FPDFAttachment_GetName(handle, buffer, length)).trim() ||
      `attachment-${files.length + 1}`;
    const mime = memory.utf16((buffer, length) => pdfium.FPDFAttachment_GetSubtype(handle, buffer, length)).trim();
    const hasFile = pdfium.FPDFAttachment_GetFile(handle, 0, 0, size);
    const length = hasFile ? memory.integer(size) : 0;
    if (!hasFile || total + length > mostBytes) {
      left.push(name);
      continue;
    }
    total += length;
    const buffer = memory.allocate(length);
    pdfium.FPDFAttachment_GetFile(handle, buffer, length, size);
    const bytes = memory.read(buffer, length);
    files.push({ name, bytes, ...(/^[\w.+-]+\/[\w.+-]+$/.test(mime) && { mime }) });
  }
  const skipped = Math.max(0, named + hung.length - mostFiles);
  const warnings = [
    ...(left.length > 0
      ? [`${left.length} attached file(s) could not be taken out: ${left.slice(0, 5).join(', ')}.`]
      : []),
    ...(skipped > 0 ? [`${skipped} attached file(s) beyond the first ${mostFiles} were left out.`] : []),
  ];
  return { files, warnings };
}
