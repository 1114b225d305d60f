// Puts the text that was recognised in the pictures of a page behind them, as paragraphs and rows of the page: its renderer then treats it as any other
// text. Pictures are those that stand in the page itself or in the file around it; no address is followed. Linear in the size of the page.
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import type { ParseInput } from '../reader.ts';
import { dataPicture } from './data-pictures.ts';
import { addressedPictures, type EmbeddedPictures, pictureLines, recognisePictures } from './embedded-pictures.ts';

type Parent = DefaultTreeAdapterTypes.ParentNode;
type Element = DefaultTreeAdapterTypes.Element;

/** The elements of a page that may be pictures, in the order of the page. */
function* pictureElements(tree: Parent): Generator<Element> {
  const pending: DefaultTreeAdapterTypes.ChildNode[] = [...tree.childNodes].reverse();
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (!('tagName' in node)) continue;
    if (addressOf(node) !== undefined) yield node;
    for (let index = node.childNodes.length - 1; index >= 0; index--) {
      const child = node.childNodes[index];
      if (child !== undefined) pending.push(child);
    }
  }
}

/** What an image shows (`img`, or `image` of SVG). */
export function addressOf({ tagName, attrs }: Element): string | undefined {
  if (tagName !== 'img' && tagName !== 'image') return undefined;
  const source = attrs.find(({ name }) => name === 'src' || name === 'href' || name === 'xlink:href')?.value.trim();
  return source === '' ? undefined : source;
}

/** Reads the pictures of a page and puts their text behind them. `heldBy` has the bytes of addresses other than data: URLs. */
export async function showPagePictures(
  tree: Parent,
  input: ParseInput,
  heldBy: (address: string) => Uint8Array | undefined = () => undefined,
): Promise<EmbeddedPictures> {
  const { held, keyOf, add } = addressedPictures();
  for (const element of pictureElements(tree)) {
    const address = addressOf(element) ?? '';
    add(address, () => dataPicture(address) ?? heldBy(address));
  }
  const pictures = await recognisePictures(input, held);
  if (held.length > 0) showPictureText(tree, pictures, (element) => keyOf(addressOf(element) ?? ''));
  return pictures;
}

/** `keyOf` names the picture that an element shows. */
export function showPictureText(
  tree: Parent,
  pictures: EmbeddedPictures,
  keyOf: (element: Element) => string | undefined,
): void {
  const pending: Parent[] = [tree];
  for (let parent = pending.pop(); parent !== undefined; parent = pending.pop()) {
    const children: DefaultTreeAdapterTypes.ChildNode[] = [];
    for (const child of parent.childNodes) {
      children.push(child);
      if (!('childNodes' in child)) continue;
      const key = keyOf(child);
      if (key !== undefined && pictures.hasText(key)) children.push(...textNodes(pictures, key));
      else pending.push(child);
    }
    parent.childNodes = children;
  }
}

function textNodes(pictures: EmbeddedPictures, key: string): DefaultTreeAdapterTypes.ChildNode[] {
  const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const markup = pictureLines(pictures, key).map(({ text }) => `<p>${escaped(text).replaceAll('\n', '<br>')}</p>`);
  return parseFragment(markup.join('')).childNodes;
}
