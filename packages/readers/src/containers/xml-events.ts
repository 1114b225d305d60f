// XML as people have it, as a stream of events: small faults are counted and read over, a document type is read over too. Invariant: no entity but
// the five of XML is expanded, nothing is fetched, depth is bounded, and a file of nothing but faults is refused. saxes reads.
import { SaxesParser } from 'saxes';
import { ReadError } from '../read-error.ts';

export interface XmlEvents {
  /** Names as written, prefix included. */
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  /** Between two elements it may come in pieces. */
  text(text: string): void;
  close(name: string): void;
}

const maxDepth = 200;
const maxFaults = 100;
const pieceLength = 65_536;

/** Reads all of a source; the warnings for people. Throws `invalid-media` for what is no XML, `too-large` for what nests too deeply. */
export function readXmlEvents(source: string, name: string, events: XmlEvents): string[] {
  const parser = new SaxesParser({ fragment: false });
  const faults: string[] = [];
  let hasEntities = false;
  let isFragment = false;
  const open: string[] = [];
  let elements = 0;
  parser.on('error', (error) => {
    // Books name them by the hundred, and have them in files of their own.
    if (error.message.endsWith('undefined entity.')) {
      hasEntities = true;
      return;
    }
    // A part of a larger document has many roots; it is one fault, however many.
    if (/(?:only one root|outside of root node)\.$/u.test(error.message)) {
      isFragment = true;
      return;
    }
    faults.push(error.message);
    if (faults.length > maxFaults)
      throw new ReadError('invalid-media', `${name} is not well-formed XML: ${faults[0]} Export it again.`);
  });
  parser.on('opentag', ({ name: tag, attributes }) => {
    open.push(tag);
    elements++;
    if (open.length > maxDepth)
      throw new ReadError(
        'too-large',
        `${name} nests more than ${maxDepth} elements in one another: refused. Flatten it.`,
        { details: { maxDepth } },
      );
    events.open(tag, attributes as Record<string, string>);
  });
  parser.on('text', (text) => events.text(text));
  parser.on('cdata', (text) => events.text(text));
  parser.on('closetag', ({ name: tag }) => {
    open.pop();
    events.close(tag);
  });
  const { text, bare } = withoutBareAmpersands(source);
  for (let at = 0; at < text.length; at += pieceLength) parser.write(text.slice(at, at + pieceLength));
  parser.close();
  // A file that is cut short is read as far as it goes.
  for (let tag = open.pop(); tag !== undefined; tag = open.pop()) events.close(tag);
  if (elements === 0)
    throw new ReadError('invalid-media', `${name} is not XML: it has no element. Rename it to .txt if it is text.`);
  return [
    ...(faults.length === 0 ? [] : [`The XML is not well-formed in ${faults.length} places, first at ${faults[0]}`]),
    ...(bare === 0 ? [] : [`The XML is not well-formed: "&" stands bare ${bare === 1 ? 'once' : `${bare} times`}.`]),
    ...(isFragment ? ['The XML is a part of a document: it has no single root.'] : []),
    ...(!hasEntities ? [] : ['Entities that the file defines itself are kept as they are written.']),
  ];
}

/** A bare "&", the commonest fault, would take all text up to the next ";" for the name of an entity. */
function withoutBareAmpersands(source: string): { text: string; bare: number } {
  const marks = /<!\[CDATA\[|<!--|&(?:#\d{1,8};|#x[\da-f]{1,8};|[a-z_:][\w.:-]{0,63};)?/giu;
  const parts: string[] = [];
  let bare = 0;
  let from = 0;
  for (let found = marks.exec(source); found !== null; found = marks.exec(source)) {
    if (found[0] === '&') {
      parts.push(source.slice(from, found.index), '&amp;');
      from = found.index + 1;
      bare++;
    } else if (found[0].startsWith('<')) {
      const end = source.indexOf(found[0] === '<!--' ? '-->' : ']]>', found.index);
      if (end < 0) break;
      marks.lastIndex = end + 3;
    }
  }
  return { text: bare === 0 ? source : parts.join('') + source.slice(from), bare };
}

/** The encoding that an XML declaration names. */
export function declaredXmlEncoding(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 512));
  return /^\s*<\?xml[^>]+encoding\s*=\s*["']([\w.-]+)/iu.exec(head)?.[1];
}

export const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
