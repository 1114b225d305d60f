// The pictures of a book: parts that its manifest names, and those that chapters carry in themselves. Addresses outside of the book are none.
import type { DefaultTreeAdapterTypes } from 'parse5';
import type { ZipFile } from '../containers/zip.ts';
import { dataAddresses, dataPicture } from '../pictures/data-pictures.ts';
import {
  addressedPictures,
  type EmbeddedPictures,
  partPictures,
  recognisePictures,
} from '../pictures/embedded-pictures.ts';
import { addressOf, showPictureText } from '../pictures/html-pictures.ts';
import type { ParseInput } from '../reader.ts';
import { type EpubBook, partOfBook } from './epub-package.ts';

export interface BookPictures extends EmbeddedPictures {
  /** Puts their text into a chapter; `path` is its own, to which the addresses of its pictures are relative. */
  showIn(tree: DefaultTreeAdapterTypes.ParentNode, path: string): void;
}

export async function bookPictures(
  input: ParseInput,
  { zip, chapter, pictures, spine }: EpubBook,
): Promise<BookPictures> {
  const { held, keyOf, add } = addressedPictures();
  for (const path of spine) {
    const source = chapter(path);
    if (source === undefined || !Buffer.from(source).includes('data:image/')) continue;
    for (const { address } of dataAddresses(new TextDecoder().decode(source))) add(address, () => dataPicture(address));
  }
  const read = await recognisePictures(input, [...partPictures(zip, pictures), ...held]);
  return {
    ...read,
    showIn(tree, path) {
      const folder = path.slice(0, path.lastIndexOf('/') + 1);
      showPictureText(tree, read, (element) => {
        const address = addressOf(element);
        if (address === undefined) return undefined;
        return keyOf(address) ?? partOf(zip, folder, address);
      });
    },
  };
}

function partOf(zip: ZipFile, folder: string, address: string): string | undefined {
  if (/^[a-z][a-z\d+.-]*:/iu.test(address)) return undefined;
  return partOfBook(zip, folder, address.split(/[?#]/u)[0] ?? '');
}
