// Puts the text that was recognised in the pictures of a chapter behind them, as paragraphs and rows of the page: its renderer then treats it as
// any other text. Linear in the size of the page.
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { type EmbeddedPictures, pictureLines } from './embedded-pictures.ts';
import { resolvePart } from './office-package.ts';

type Parent = DefaultTreeAdapterTypes.ParentNode;

/** `path` is that of the chapter, to which the addresses of its pictures are relative. */
export function showPictureText(tree: Parent, path: string, pictures: EmbeddedPictures): void {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const pending: Parent[] = [tree];
  for (let parent = pending.pop(); parent !== undefined; parent = pending.pop()) {
    const children: DefaultTreeAdapterTypes.ChildNode[] = [];
    for (const child of parent.childNodes) {
      children.push(child);
      if (!('childNodes' in child)) continue;
      const part = partOf(child, folder);
      if (part !== undefined && pictures.hasText(part)) children.push(...textNodes(pictures, part));
      else pending.push(child);
    }
    parent.childNodes = children;
  }
}

/** The part that an image shows (`img`, or `image` of SVG); addresses outside of the book are none. */
function partOf({ tagName, attrs }: DefaultTreeAdapterTypes.Element, folder: string): string | undefined {
  if (tagName !== 'img' && tagName !== 'image') return undefined;
  const source = attrs.find(({ name }) => name === 'src' || name === 'href' || name === 'xlink:href')?.value.trim();
  if (!source || /^[a-z][a-z\d+.-]*:/iu.test(source)) return undefined;
  try {
    return resolvePart(folder, decodeURIComponent(source.split(/[?#]/u)[0] ?? ''));
  } catch {
    return undefined;
  }
}

function textNodes(pictures: EmbeddedPictures, part: string): DefaultTreeAdapterTypes.ChildNode[] {
  const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const markup = pictureLines(pictures, part).map(({ text }) => `<p>${escaped(text).replaceAll('\n', '<br>')}</p>`);
  return parseFragment(markup.join('')).childNodes;
}
