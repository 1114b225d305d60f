// One picture inside a file as lines of text: unpacked, recognised, and laid out as a page of a scan is, so that a table comes out as rows.

import { likelyDpi, readPicture } from '../pages/image.ts';
import { openPageReader } from '../pages/page-recognition.ts';
import { assemble } from '../pages/pdf.ts';
import type { ParseInput } from '../reader.ts';

/** A line of a picture, or a row of a table in it. */
export interface PictureLine {
  readonly kind: 'paragraph' | 'table-row';
  readonly text: string;
}

export interface PictureText {
  readonly lines: readonly PictureLine[];
  /** From 0 to 1, mean over the characters. */
  readonly confidence: number;
  /** Letters and digits. */
  readonly characters: number;
}

export interface PictureReader {
  /** Nothing where the words as a whole are less sure than `least`: gaps between sure words would make other sentences. */
  read(
    picture: { readonly bytes: Uint8Array; readonly name: string; readonly mime: string },
    least: number,
  ): Promise<PictureText>;
}

const nothing: PictureText = { lines: [], confidence: 0, characters: 0 };

/** Throws `config-invalid` where a language has no model. */
export function openPictureReader(input: ParseInput): PictureReader {
  const reader = openPageReader(input);
  let count = 0;
  return {
    async read(picture, least) {
      const { raster, dpi } = await readPicture(picture, reader.engine);
      const likely = likelyDpi(raster, dpi);
      const read = await reader.read(++count, () => ({ raster, dpi: likely }));
      if (read === undefined || read.confidence < least) return nothing;
      const { words, confidence } = read;
      const [width, height] = [(raster.width * 72) / likely, (raster.height * 72) / likely];
      const page = { number: 1, width, height, words, notes: [], isBlank: false };
      const { text, blocks } = assemble({ pages: [page], outline: [], attachments: [], info: {}, warnings: [] });
      return {
        lines: blocks.map(({ kind, start, end }) => ({
          kind: kind === 'table-row' ? kind : 'paragraph',
          text: text.slice(start, end).replace(/(?<!\s)\s*\n\s*/gu, kind === 'table-row' ? ' ' : '\n'),
        })),
        confidence,
        characters: words.reduce((total, word) => total + word.text.replace(/[^\p{L}\p{N}]/gu, '').length, 0),
      };
    },
  };
}
