// The content lines of vCard (RFC 6350 §3, RFC 2426, vCard 2.1): folded lines and quoted-printable ones joined, groups, parameters and values told
// apart, cards one after the other. Invariant: linear time, and a line that breaks the rules costs only itself.

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

/** The cards in the order of their beginnings; undefined where there is none. Cards inside cards (agents) are cards too. */
export function readContacts(source: string): Contact[] | undefined {
  const contacts: ContactLine[][] = [];
  const open: ContactLine[][] = [];
  for (const raw of unfolded(source)) {
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

/** Lines as they were before folding; a value in quoted-printable goes on behind a `=` at the end of its line. */
function* unfolded(source: string): Generator<string> {
  let parts: string[] = [];
  let isQuoted = false;
  for (const line of source.split('\n')) {
    const last = parts.at(-1);
    if (last !== undefined && isQuoted && last.endsWith('=')) {
      parts[parts.length - 1] = last.slice(0, -1);
      parts.push(line);
    } else if (last !== undefined && /^[ \t]/u.test(line)) parts.push(line.slice(1));
    else {
      if (last !== undefined) yield parts.join('');
      parts = [line];
      isQuoted = /^(?=[^:]*:)[^:]*quoted-printable/iu.test(line);
    }
  }
  if (parts.length > 0) yield parts.join('');
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
      else types.push(...(found[2] === undefined ? [found[1] ?? ''] : value.split(',')));
    } else if (name === 'ENCODING') encoding = value.toLowerCase();
    else if (name === 'CHARSET') charset = value;
  }
  if (raw[at] !== ':') return undefined;
  const value = raw.slice(at + 1);
  return {
    group: (head[1] ?? '').toLowerCase(),
    name: (head[2] ?? '').toUpperCase(),
    types: types.slice(0, maxTypes).map((type) => type.trim().toLowerCase()),
    value: encoding === 'quoted-printable' ? unquoted(value, charset) : value,
  };
}

/** RFC 2045 §6.7. What is written outside its escapes was decoded with the file. */
function unquoted(value: string, charset: string): string {
  const decode = decoderOf(charset);
  return value.replace(/(?:=[\dA-F]{2})+/giu, (run) => decode(Buffer.from(run.replaceAll('=', ''), 'hex')));
}

function decoderOf(charset: string): (bytes: Uint8Array) => string {
  try {
    const decoder = new TextDecoder(charset.trim());
    return (bytes) => decoder.decode(bytes);
  } catch {
    return (bytes) => new TextDecoder().decode(bytes);
  }
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
