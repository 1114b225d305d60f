// Jupyter notebooks (nbformat 3 and 4): Markdown, code and outputs in the order of the page, each cell a place `cell 5` counted from 1. Nothing is
// run; images are left out with a warning.

import { canonicalText, parsedDocument, requireText } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { type JoinedText, joinText } from '../canonical/joined-text.ts';
import type { Metadata } from '../document.ts';
import { markdownPiece } from '../markup/markdown.ts';
import { ReadError } from '../read-error.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { htmlPiece } from '../web/html-piece.ts';
import { type JsonValue, parseJson } from './json-text.ts';

type Fields = { [key: string]: JsonValue };

export const notebook: Parser = {
  name: 'notebook',
  mimes: ['application/x-ipynb+json'],
  parse: async (input: ParseInput) => {
    const { text: source, warnings } = decodeText(input.bytes, input.name);
    requireText(source, input.name);
    const root = fieldsOf(parseJson(source, input.name));
    const cells = cellsOf(root);
    if (cells === undefined)
      throw new ReadError(
        'invalid-media',
        `${input.name} has no cells: it is no notebook. Rename it to .json if it is other data.`,
      );
    const joined = joinText();
    let images = 0;
    for (const [index, cell] of cells.entries()) {
      joined.at(`cell ${index + 1}`);
      images += addCell(joined, fieldsOf(cell));
    }
    const document = joined.finish();
    requireText(document.text, input.name);
    const facts = fieldsOf(root['metadata']);
    return parsedDocument({
      ...document,
      mime: 'application/x-ipynb+json',
      title: textOf(facts['title']) || document.headings.find(({ level }) => level === 1)?.title,
      metadata: { cells: cells.length, ...languageOf(facts), ...authorsOf(facts) },
      warnings: [
        ...warnings,
        ...(images === 0 ? [] : [images === 1 ? 'An image is not read.' : `${images} images are not read.`]),
      ],
    });
  },
};

const fieldsOf = (value: JsonValue | undefined): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};

/** Text is a string or a list of lines that keep their ends. */
function textOf(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('') : '';
}

/** Of version 4, else of all worksheets of version 3. */
function cellsOf(root: Fields): JsonValue[] | undefined {
  if (Array.isArray(root['cells'])) return root['cells'];
  if (!Array.isArray(root['worksheets'])) return undefined;
  return root['worksheets'].flatMap((sheet) => {
    const { cells } = fieldsOf(sheet);
    return Array.isArray(cells) ? cells : [];
  });
}

/** Adds a cell; the number of its images. */
function addCell(joined: JoinedText, cell: Fields): number {
  const source = textOf(cell['source']) || textOf(cell['input']);
  switch (cell['cell_type']) {
    case 'markdown':
      joined.add(markdownPiece(source));
      return Object.keys(fieldsOf(cell['attachments'])).length;
    case 'heading':
      joined.put('heading', source, Number(cell['level']) || 1);
      return 0;
    case 'code': {
      joined.put('code', source);
      let images = 0;
      if (Array.isArray(cell['outputs']))
        for (const output of cell['outputs']) images += addOutput(joined, fieldsOf(output));
      return images;
    }
    default:
      joined.put('paragraph', source);
      return 0;
  }
}

// Colours and cursor movements of terminals (ECMA-48 control sequences).
const controlSequence = /\u001b\[[0-?]*[ -/]*[@-~]/gu;
const imageType = /^image\/|^(?:png|jpeg|svg)$/u;

function addOutput(joined: JoinedText, output: Fields): number {
  const plain = (text: string): void => joined.put('other', text.replace(controlSequence, ''));
  if (output['output_type'] === 'error' || output['output_type'] === 'pyerr') {
    plain(`${textOf(output['ename'])}: ${textOf(output['evalue'])}`);
    return 0;
  }
  // Version 3 has the representations beside the other fields.
  const data = output['data'] === undefined ? output : fieldsOf(output['data']);
  const html = textOf(data['text/html']) || textOf(data['html']);
  const markdown = textOf(data['text/markdown']);
  if (/<table\b/iu.test(html)) joined.add(htmlPiece(html));
  else if (markdown !== '') joined.add(markdownPiece(markdown));
  else {
    const text = textOf(data['text/plain']) || textOf(data['text']);
    if (text !== '') plain(text);
    else if (html !== '') joined.add(htmlPiece(html));
  }
  return Object.keys(data).some((type) => imageType.test(type)) ? 1 : 0;
}

function languageOf(facts: Fields): Metadata {
  const name = textOf(fieldsOf(facts['language_info'])['name']) || textOf(fieldsOf(facts['kernelspec'])['language']);
  return name === '' ? {} : { programmingLanguage: canonicalText(name).slice(0, 100) };
}

function authorsOf(facts: Fields): Metadata {
  if (!Array.isArray(facts['authors'])) return {};
  const names = facts['authors'].map((author) => textOf(fieldsOf(author)['name'])).filter((name) => name !== '');
  return names.length === 0 ? {} : { author: canonicalText(names.join(', ')).slice(0, 1000) };
}
