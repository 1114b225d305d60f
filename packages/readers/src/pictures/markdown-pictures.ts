// Pictures that Markdown carries in itself, as data: URLs. Their digits say nothing to anybody and give way to the text that was recognised in them, on
// the line of the picture: invariant: no line is added or taken away, so that the file is cited by its lines all the same.
import type { ParseInput } from '../reader.ts';
import { dataAddresses, dataPicture } from './data-pictures.ts';
import {
  addressedPictures,
  type EmbeddedPictures,
  type HeldPicture,
  pictureLines,
  recognisePictures,
} from './embedded-pictures.ts';

export interface FoldedMarkdown {
  /** With `…` for the digits. */
  readonly text: string;
  readonly held: readonly HeldPicture[];
  /** The same with the text of the pictures where they stand. */
  withText(pictures: EmbeddedPictures): string;
}

/** What ends a picture behind its address: a title and a bracket, the rest of a tag, a pointed bracket. */
const restOfPicture = /[^\n<>()"]{0,20}(?:"[^"\n]{0,300}"[^\n<>()]{0,200})?(?:\)|\/?>)?/uy;
const longestDefinition = 300;
const definition = /^ {0,3}\[([^\]\n]{1,200})\]:[ \t]*<?$/u;

/** What stands on its line before a place; the longest definition is looked at, so that long lines cost nothing. */
function lineBefore(source: string, at: number): string {
  const near = source.slice(Math.max(0, at - longestDefinition), at);
  return near.slice(near.lastIndexOf('\n') + 1);
}

export function foldPictures(source: string): FoldedMarkdown {
  /** Pieces of the text, and keys of pictures whose text stands behind them. */
  const parts: { readonly text: string; readonly key?: string }[] = [];
  const { held, keyOf, add } = addressedPictures();
  const defined = new Map<string, string>();
  let from = 0;
  for (const { start, address } of dataAddresses(source)) {
    const comma = address.indexOf(',');
    const end = start + address.length;
    add(address, () => dataPicture(address));
    const key = keyOf(address);
    const shortened = `${address.slice(0, comma + 1)}…`;
    const name = definition.exec(lineBefore(source, start))?.[1];
    restOfPicture.lastIndex = end;
    const rest = restOfPicture.exec(source)?.[0] ?? '';
    parts.push({ text: source.slice(from, start) });
    if (name === undefined && key !== undefined) parts.push({ text: shortened + rest, key });
    else parts.push({ text: shortened + rest });
    if (name !== undefined && key !== undefined) defined.set(name.toLowerCase(), key);
    from = end + rest.length;
  }
  parts.push({ text: source.slice(from) });
  return {
    text: parts.map(({ text }) => text).join(''),
    held,
    withText: (pictures) => parts.map((part) => filled(part, defined, pictures)).join(''),
  };
}

/** On one line, and no row of a table where none is. */
function lineOf(pictures: EmbeddedPictures, key: string): string {
  const lines = pictureLines(pictures, key).map(({ text }) => text.replace(/\s+/gu, ' ').replaceAll('|', ';'));
  return lines.length === 0 ? '' : ` ${lines.join(' ')}`;
}

/** `![alt][name]`, `![name][]`, `![name]`: a picture that is defined elsewhere. */
const reference = /!\[([^\]\n]{0,500})\](?:\[([^\]\n]{0,200})\])?/gu;

function filled(
  { text, key }: { readonly text: string; readonly key?: string },
  defined: ReadonlyMap<string, string>,
  pictures: EmbeddedPictures,
): string {
  if (key !== undefined) return text + lineOf(pictures, key);
  if (defined.size === 0) return text;
  return text.replace(reference, (whole: string, alternative: string, name: string | undefined) => {
    const named = defined.get((name || alternative).toLowerCase());
    return named === undefined ? whole : whole + lineOf(pictures, named);
  });
}

/** A text with its pictures read, and what people should know. */
export async function readPictures(
  source: string,
  input: ParseInput,
): Promise<{ readonly text: string; readonly pictures: EmbeddedPictures }> {
  const { text, held, withText } = foldPictures(source);
  const pictures = await recognisePictures(input, held);
  return { text: held.length === 0 ? text : withText(pictures), pictures };
}
