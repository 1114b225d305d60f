// The content lines of vCard (RFC 6350 §3, RFC 2426, vCard 2.1): folded lines and quoted-printable ones joined, groups, parameters and values told
// apart, cards one after the other. Invariant: linear time, and a line that breaks the rules costs only itself.
import { unfoldedLines, unquotedValue } from './folded-lines.ts';

export interface ContactLine {
  /** What ties lines of a card together: `item1`. */
  readonly group: string;
  /** Upper case. */
  readonly name: string;
  /** Lower case, without those that only say how the value is written. */
  readonly types: readonly string[];
  /** Decoded; its escapes are kept. */
  readonly value: string;
}

export type Contact = readonly ContactLine[];

const maxTypes = 20;
/** Of what stands before a value against the rules. */
const maxPieces = 1000;

/** The cards in the order of their beginnings; undefined where there is none. Cards inside cards (agents) are cards too. */
export function readContacts(source: string): Contact[] | undefined {
  const contacts: ContactLine[][] = [];
  const open: ContactLine[][] = [];
  for (const raw of unfoldedLines(source)) {
    const line = contactLine(raw);
    if (line === undefined) continue;
    const isBegin = line.name === 'BEGIN' || (line.name === 'AGENT' && /^begin:vcard$/iu.test(line.value.trim()));
    if (isBegin) {
      const contact: ContactLine[] = [];
      contacts.push(contact);
      open.push(contact);
    } else if (line.name === 'END') open.pop();
    else open.at(-1)?.push(line);
  }
  return contacts.length === 0 ? undefined : contacts;
}

const parameter = /;([A-Za-z0-9-]+)(?:=((?:"[^"\n]*"|[^";:\n])*))?/uy;

function contactLine(raw: string): ContactLine | undefined {
  const head = /^(?:([A-Za-z0-9-]+)\.)?([A-Za-z0-9-]+)/u.exec(raw);
  if (head === null) return undefined;
  const types: string[] = [];
  let encoding = '';
  let charset = 'utf-8';
  let at = head[0].length;
  for (parameter.lastIndex = at; ; ) {
    const found = parameter.exec(raw);
    if (found === null) break;
    at = parameter.lastIndex;
    const name = (found[1] ?? '').toUpperCase();
    const value = (found[2] ?? '').replaceAll('"', '');
    // Version 2.1 writes `TEL;HOME;VOICE` for `TEL;TYPE=HOME,VOICE`.
    if (found[2] === undefined || name === 'TYPE') {
      if (/^(?:quoted-printable|base64|b)$/iu.test(found[1] ?? '') && found[2] === undefined)
        encoding = name.toLowerCase();
      else types.push(...(found[2] === undefined ? [found[1] ?? ''] : value.split(',', maxTypes)));
    } else if (name === 'ENCODING') encoding = value.toLowerCase();
    else if (name === 'CHARSET') charset = value;
  }
  // `TEL;FAX,WORK:` and empty parameters break the rules of every version, and leave no doubt.
  const colon = /[:;,]/u.test(raw[at] ?? '') ? raw.indexOf(':', at) : -1;
  if (colon < 0) return undefined;
  const others = raw.slice(at, colon).replace(/type=/giu, '').split(/[;,]/u, maxPieces);
  types.push(...others.filter((piece) => !piece.includes('=')));
  if (others.some((piece) => /^encoding=quoted-printable$/iu.test(piece))) encoding = 'quoted-printable';
  const value = raw.slice(colon + 1);
  return {
    group: (head[1] ?? '').toLowerCase(),
    name: (head[2] ?? '').toUpperCase(),
    types: types
      .map((type) => type.trim().toLowerCase())
      .filter((type) => type !== '')
      .slice(0, maxTypes),
    value: encoding === 'quoted-printable' ? unquotedValue(value, charset) : value,
  };
}

/** Parts of a value between unescaped separators (RFC 6350 §3.4), escapes undone; without a separator one part. */
export function partsOf(value: string, separator?: ';' | ','): string[] {
  const parts: string[] = [];
  let part = '';
  for (let at = 0; at < value.length; at++) {
    const character = value[at] ?? '';
    if (character === '\\' && at + 1 < value.length) {
      const next = value[++at] ?? '';
      part += next === 'n' || next === 'N' ? '\n' : next === '\\' || /[;,:]/u.test(next) ? next : `\\${next}`;
    } else if (character === separator) {
      parts.push(part);
      part = '';
    } else part += character;
  }
  parts.push(part);
  return parts.map((one) => one.trim());
}
