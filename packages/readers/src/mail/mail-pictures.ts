// Pictures that the text of a message shows (`cid:`, RFC 2392, and data: URLs): read in place instead of becoming documents, since without the message
// they say little. What is smaller or named nowhere is left to whoever sorts the attached files.
import type { AttachedFile } from '../document.ts';
import { dataAddresses, dataPicture } from '../pictures/data-pictures.ts';
import {
  addressedPictures,
  type EmbeddedPictures,
  isLegible,
  recognisePictures,
} from '../pictures/embedded-pictures.ts';
import { pictureHead } from '../pictures/picture-head.ts';
import type { ParseInput } from '../reader.ts';

/** A picture under the address by which the HTML of its message names it. */
export interface ShownPicture {
  /** `cid:` and the id, in lower case. */
  readonly address: string;
  readonly file: AttachedFile;
}

/** Images that the text shows: below this they are logos, lines and counters. */
export const leastImageBytes = 16 * 1024;

const addressOfId = (id: string): string => `cid:${id.trim().replace(/^<|>$/gu, '')}`.toLowerCase();

/** The addresses of attached files that a body shows: HTML, or plain text with `[cid:…]` where its pictures were. */
export function shownAddresses(...bodies: readonly (string | undefined)[]): ReadonlySet<string> {
  const found = bodies.flatMap((body) => body?.match(/cid:[^"'\s<>()[\]]{1,300}/giu) ?? []);
  return new Set(found.map((address) => decoded(address).toLowerCase()));
}

/** What a body shows by this id, if it is a picture that may hold text; undefined for other files. */
export function shownPicture(
  file: AttachedFile,
  id: string | undefined,
  shown: ReadonlySet<string>,
): ShownPicture | undefined {
  if (!id || file.bytes.length < leastImageBytes) return undefined;
  const address = addressOfId(id);
  if (!shown.has(address)) return undefined;
  const head = pictureHead(file.bytes);
  return head === undefined || !isLegible(head) ? undefined : { address, file };
}

export interface MessagePictures extends EmbeddedPictures {
  /** By the order in which the message holds them. */
  readonly keys: readonly string[];
  /** The key of what an address of the HTML shows. */
  keyOf(address: string): string | undefined;
}

export async function messagePictures(
  input: ParseInput,
  {
    html = '',
    shown = [],
  }: { readonly html?: string | undefined; readonly shown?: readonly ShownPicture[] | undefined },
): Promise<MessagePictures> {
  const { held, keyOf, add } = addressedPictures();
  for (const { address, file } of shown) add(address, () => file.bytes);
  for (const { address } of dataAddresses(html)) add(address, () => dataPicture(address));
  return {
    ...(await recognisePictures(input, held)),
    keys: held.map(({ key }) => key),
    keyOf: (address) => keyOf(address) ?? keyOf(decoded(address).toLowerCase()),
  };
}

function decoded(address: string): string {
  if (!/^cid:/iu.test(address)) return address;
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}
