// The pictures of a book: parts that its manifest names, and those that chapters carry in themselves. Addresses outside of the book are none.
import type { DefaultTreeAdapterTypes } from 'parse5';
import type { ParseInput } from '../parse.ts';
import { dataAddresses, dataPicture } from './data-pictures.ts';
import { type EmbeddedPictures, type HeldPicture, partPictures, recognisePictures } from './embedded-pictures.ts';
import { decodePath, type EpubBook } from './epub-package.ts';
import { addressOf, showPictureText } from './html-pictures.ts';
import { resolvePart } from './office-package.ts';

export interface BookPictures extends EmbeddedPictures {
  /** Puts their text into a chapter; `path` is its own, to which the addresses of its pictures are relative. */
  showIn(tree: DefaultTreeAdapterTypes.ParentNode, path: string): void;
}

export async function bookPictures(input: ParseInput, { zip, pictures, spine }: EpubBook): Promise<BookPictures> {
  const keys = new Map<string, string>();
  const held: HeldPicture[] = partPictures(zip, pictures);
  for (const path of spine) {
    const source = zip.bytes(path);
    if (source === undefined || !Buffer.from(source).includes('data:image/')) continue;
    for (const { address } of dataAddresses(new TextDecoder().decode(source))) {
      const bytes = keys.has(address) ? undefined : dataPicture(address);
      if (bytes === undefined) continue;
      const key = `data: ${keys.size + 1}`;
      keys.set(address, key);
      held.push({ key, bytes: () => bytes });
    }
  }
  const read = await recognisePictures(input, held);
  return {
    ...read,
    showIn(tree, path) {
      const folder = path.slice(0, path.lastIndexOf('/') + 1);
      showPictureText(tree, read, (element) => {
        const address = addressOf(element);
        if (address === undefined) return undefined;
        return keys.get(address) ?? partOf(address, folder);
      });
    },
  };
}

function partOf(address: string, folder: string): string | undefined {
  if (/^[a-z][a-z\d+.-]*:/iu.test(address)) return undefined;
  return resolvePart(folder, decodePath(address.split(/[?#]/u)[0] ?? ''));
}
