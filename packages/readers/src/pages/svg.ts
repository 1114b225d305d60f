// The words of a drawing (SVG 1.1 §10): its title, what is said of it, and its texts in the order of the file. No script is run, no reference is followed,
// and pictures inside are left out.

import { createBlockWriter } from '../canonical/block-writer.ts';
import { parsedDocument } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { declaredXmlEncoding, localName, readXmlEvents } from '../containers/xml-events.ts';
import { nothingInIt, ReadError } from '../read-error.ts';
import type { ParseInput, Parser } from '../reader.ts';

const mime = 'image/svg+xml';
/** Elements whose text is no part of the drawing. */
const unseen = new Set(['script', 'style', 'metadata', 'symbol']);

export const svg: Parser = {
  name: 'svg',
  mimes: [mime],
  parse: async (input: ParseInput) => {
    const { text: source, warnings } = decodeText(input.bytes, input.name, declaredXmlEncoding(input.bytes));
    const writer = createBlockWriter();
    const open: string[] = [];
    let hidden = 0;
    let title: string | undefined;
    let parts: string[] | undefined;
    let pictures = 0;
    const notes = readXmlEvents(source, input.name, {
      open(name) {
        const local = localName(name);
        open.push(local);
        if (unseen.has(local)) hidden++;
        if (hidden > 0) return;
        if (local === 'image') pictures++;
        if (local === 'text' || local === 'title' || local === 'desc' || local === 'flowRoot') parts ??= [];
        // Lines of a text are pieces of it.
        else if (local === 'tspan' || local === 'flowPara' || local === 'p' || local === 'div' || local === 'br')
          parts?.push(' ');
        // HTML inside a drawing is words, too.
        else if (local === 'foreignObject') parts = [];
      },
      text(text) {
        if (hidden === 0) parts?.push(text);
      },
      close() {
        const local = open.pop() ?? '';
        if (unseen.has(local)) hidden--;
        const ends = local === 'text' || local === 'title' || local === 'desc' || local === 'flowRoot';
        const isInner = open.includes('text') || open.includes('foreignObject');
        if (hidden > 0 || parts === undefined || isInner || (!ends && local !== 'foreignObject')) return;
        const content = parts.join('').replace(/\s+/gu, ' ').trim();
        parts = undefined;
        const isTitle = local === 'title' && open.length === 1 && title === undefined && content !== '';
        if (isTitle) title = content;
        writer.put(isTitle ? 'heading' : 'paragraph', content, isTitle ? 1 : undefined);
      },
    });
    const document = writer.finish();
    if (document.text === '')
      throw new ReadError(
        'invalid-media',
        `${input.name} is a drawing without words. Give one with text in it, or export it as PNG to have its picture read.`,
        nothingInIt,
      );
    return parsedDocument({
      ...document,
      mime,
      title,
      warnings: [
        ...warnings,
        ...notes,
        ...(pictures === 0 ? [] : [`${pictures} ${pictures === 1 ? 'picture' : 'pictures'} in the drawing not read.`]),
      ],
    });
  },
};
