// Draws a page of a PDF as a grey picture with PDFium, on white, annotations included. Nothing of it stays in PDFium's memory.

import type { Raster } from '../engines/image-raster.ts';
import type { OpenPdf } from '../engines/pdf-module.ts';
import { ReadError } from '../read-error.ts';

/** FPDFBitmap_Gray, FPDF_ANNOT and FPDF_GRAYSCALE of fpdfview.h. */
const greyFormat = 1;
const withAnnotations = 0x01;
const inGrey = 0x08;

/** `page` is PDFium's handle. Throws `too-large` where there is no room for the picture. */
export function renderPage(open: OpenPdf, page: number, size: { width: number; height: number }): Raster {
  const { pdfium, memory } = open;
  const { width, height } = size;
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, greyFormat, 0, 0);
  if (bitmap === 0)
    throw new ReadError(
      'too-large',
      `A page of ${width} × ${height} pixels needs more memory than drawing it may take.`,
    );
  try {
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff);
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, withAnnotations | inGrey);
    const stride = pdfium.FPDFBitmap_GetStride(bitmap);
    const drawn = memory.read(pdfium.FPDFBitmap_GetBuffer(bitmap), stride * height);
    if (stride === width) return { width, height, pixels: drawn };
    const pixels = new Uint8Array(width * height);
    for (let y = 0; y < height; y++) pixels.set(drawn.subarray(y * stride, y * stride + width), y * width);
    return { width, height, pixels };
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap);
  }
}
