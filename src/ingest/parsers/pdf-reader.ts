// Reads the words of a PDF with PDFium (through liteparse), without OCR. Damage, passwords and emptiness become typed errors.
import { LiteParse } from '@llamaindex/liteparse';
import { FootnoteError } from '../../core/errors.ts';
import type { PdfContent, PdfPage, PdfWord } from './pdf-content.ts';

export async function readPdf(bytes: Uint8Array, name: string, password?: string): Promise<PdfContent> {
  const reader = new LiteParse({
    ocrEnabled: false,
    quiet: true,
    emitWordBoxes: true,
    keepHeadersFooters: true,
    preserveVerySmallText: true,
    extractTextMetadata: true,
    extractDocumentMetadata: true,
    outputFormat: 'json',
    maxPages: 100_000,
    continueOnPageError: true,
    ...(password === undefined ? {} : { password }),
  });
  try {
    const result = await reader.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    const pages = result.pages.map((page): PdfPage => {
      const words = page.textItems.flatMap((item): PdfWord[] => {
        const style = {
          size: item.fontHeight ?? item.height,
          bold: (item.fontWeight ?? 0) >= 600 || /bold|black|heavy|medi/i.test(item.fontName ?? ''),
          turn: ((Math.round((item.rotation ?? 0) / 90) + 4) % 4) as 0 | 1 | 2 | 3,
        };
        const boxes = item.words?.length ? item.words : [item];
        return boxes.map(({ text, x, y, width, height }) => ({
          text,
          x,
          y,
          width,
          height,
          ...style,
          spaceBefore: true,
        }));
      });
      return {
        number: page.pageNum,
        width: page.width,
        height: page.height,
        words,
        ...(page.pageLabel ? { label: page.pageLabel } : {}),
      };
    });
    const info: Record<string, string> = {};
    if (result.creator) info['creator'] = result.creator;
    if (result.producer) info['producer'] = result.producer;
    if (result.docMeta?.creationDate) info['created'] = result.docMeta.creationDate;
    return {
      pages,
      outline: [],
      info,
      warnings: result.pageErrors.map((error) => `Page ${error.pageNum} could not be read.`),
    };
  } catch (error) {
    if (error instanceof FootnoteError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    if (/password/i.test(reason)) {
      throw new FootnoteError(
        'invalid-media',
        password === undefined
          ? `${name} is encrypted: a password is needed to open it. Give the password, or a copy without one.`
          : `${name} is encrypted and the password given does not open it. Check the password.`,
        { details: { reason: password === undefined ? 'password-needed' : 'wrong-password' } },
      );
    }
    throw new FootnoteError('invalid-media', `${name} is damaged: its PDF structure cannot be read. Export it again.`, {
      cause: error,
    });
  }
}
