// Takes out the files that a PDF carries (ISO 32000-1, 7.11.4 and 12.5.6.15), within limits: what is beyond them is named in a
// warning. Nothing is opened here.
import type { AttachedFile } from '../../core/document.ts';
import type { OpenPdf } from './pdf-module.ts';

const mostFiles = 500;
const mostBytes = 100 * 1024 * 1024;

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
