// vCard 2.1 to 4.0 (RFC 6350): each card as a record under the name of its person or organisation, by which it is cited. Pictures, keys and what
// programs keep for themselves are left out.

import { canonicalText, parsedDocument, requireText } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { joinText } from '../canonical/joined-text.ts';
import type { Metadata } from '../document.ts';
import { ReadError } from '../read-error.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { type Contact, type ContactLine, partsOf, readContacts } from './contact-lines.ts';

const maxContacts = 100_000;
const maxOtherLength = 300;

export const contacts: Parser = {
  name: 'contacts',
  mimes: ['text/vcard'],
  parse: async (input: ParseInput) => {
    const { text: source, warnings } = decodeText(input.bytes, input.name);
    const cards = readContacts(source);
    if (cards === undefined)
      throw new ReadError(
        'invalid-media',
        `${input.name} has no BEGIN:VCARD: it holds no contacts. Export them again.`,
      );
    const joined = joinText();
    const seen = new Map<string, number>();
    let count = 0;
    for (const card of cards.slice(0, maxContacts)) {
      const facts = factsOf(card);
      const name = nameOf(card, facts);
      if (name === undefined) continue;
      count++;
      const times = (seen.get(name) ?? 0) + 1;
      seen.set(name, times);
      joined.at(times === 1 ? name : `${name} (${times})`);
      joined.put('heading', name, 1);
      joined.put('record', facts.map(([label, value]) => `${label}: ${value}`).join('\n'));
    }
    const document = joined.finish();
    requireText(document.text, input.name);
    const metadata: Metadata = { contacts: count };
    return parsedDocument({
      ...document,
      mime: 'text/vcard',
      title: count === 1 ? document.headings[0]?.title : undefined,
      metadata,
      warnings:
        cards.length > maxContacts
          ? [...warnings, `Only the first ${maxContacts} contacts are read. Split the file.`]
          : warnings,
    });
  },
};

type Fact = readonly [label: string, value: string];

/** What holds no words for people, or is said by another line. */
const leftOut =
  /^(?:VERSION|PRODID|REV|UID|PHOTO|LOGO|SOUND|KEY|SOURCE|XML|CLIENTPIDMAP|SORT-STRING|SORT-AS|CLASS|MAILER|PROFILE|AGENT|N|FN|X-AB(?:LABEL|ADR|UID|SHOWAS|RELATEDNAMES|DATE)|X-IMAGE.*|X-MS-(?:CARDPICTURE|OL.*)|X-(?:ADDRESSBOOKSERVER|EVOLUTION|KADDRESSBOOK|ANDROID)-.*)$/u;

const labels: Readonly<Record<string, string>> = {
  NICKNAME: 'Nickname',
  ORG: 'Organisation',
  TITLE: 'Title',
  ROLE: 'Role',
  TEL: 'Phone',
  EMAIL: 'Email',
  ADR: 'Address',
  LABEL: 'Address',
  IMPP: 'Chat',
  'X-SOCIALPROFILE': 'Profile',
  SOCIALPROFILE: 'Profile',
  URL: 'Link',
  BDAY: 'Birthday',
  ANNIVERSARY: 'Anniversary',
  'X-ANNIVERSARY': 'Anniversary',
  CATEGORIES: 'Categories',
  RELATED: 'Related',
  MEMBER: 'Member',
  LANG: 'Language',
  TZ: 'Time zone',
  GEO: 'Position',
  KIND: 'Kind',
  GENDER: 'Gender',
  NOTE: 'Note',
};

/** Types that say how something is stored or sent, rather than which one of several it is. */
const technicalTypes = /^(?:internet|voice|pref|x400|intl|postal|parcel|dom|uri|text|message-rfc822|jpeg|png|)$/u;

function factsOf(card: Contact): Fact[] {
  const named = new Map<string, string>();
  for (const line of card)
    if (line.name === 'X-ABLABEL' && line.group !== '')
      named.set(line.group, lineText(line).replace(/^_\$!<(.*)>!\$_$/u, '$1'));
  const facts = new Map<string, Fact>();
  for (const line of card) {
    const isRelated = line.name === 'X-ABRELATEDNAMES' || line.name === 'X-ABDATE';
    if (leftOut.test(line.name) && !isRelated) continue;
    const value = shownValue(line);
    const label = isRelated
      ? line.name === 'X-ABDATE'
        ? 'Date'
        : 'Related'
      : (labels[line.name] ?? otherLabel(line.name));
    if (value === '' || (labels[line.name] === undefined && value.length > maxOtherLength)) continue;
    const kind = named.get(line.group) ?? line.types.filter((type) => !technicalTypes.test(type)).join(', ');
    const whole = kind === '' ? label : `${label} (${kind.toLowerCase()})`;
    facts.set(`${whole}: ${value}`, [whole, value]);
  }
  return [...facts.values()];
}

/** `X-PHONETIC-FIRST-NAME` as `Phonetic first name`. */
function otherLabel(name: string): string {
  const words = name.replace(/^X-/u, '').toLowerCase().replaceAll('-', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const oneLine = (value: string): string => canonicalText(value).replace(/\s+/gu, ' ').trim();
const lineText = ({ value }: ContactLine): string => oneLine(partsOf(value).join(' '));

function shownValue(line: ContactLine): string {
  const { name, value } = line;
  switch (name) {
    case 'ADR':
    case 'ORG':
    case 'GENDER':
      return joinedParts(partsOf(value, ';'));
    case 'NICKNAME':
    case 'CATEGORIES':
      return joinedParts(partsOf(value, ','));
    case 'BDAY':
    case 'ANNIVERSARY':
    case 'X-ANNIVERSARY':
    case 'X-ABDATE':
      return dateText(oneLine(value));
    default:
      return lineText(line).replace(/^(?:tel|mailto|x-apple):/iu, '');
  }
}

const joinedParts = (parts: readonly string[]): string =>
  parts
    .map(oneLine)
    .filter((part) => part !== '')
    .join(', ');

/** `19850412` and `--0412` (no year) as people read dates (RFC 6350 §4.3.1); others stay as they are. */
function dateText(value: string): string {
  const found = /^(\d{4}|--)-?(\d{2})-?(\d{2})(?:T00.*)?$/u.exec(value);
  if (found === null) return value;
  return found[1] === '--' ? `--${found[2]}-${found[3]}` : `${found[1]}-${found[2]}-${found[3]}`;
}

/** What the card calls itself, else the parts of the name, else the organisation or an address. */
function nameOf(card: Contact, facts: readonly Fact[]): string | undefined {
  const formatted = card.find(({ name }) => name === 'FN');
  const whole = formatted === undefined ? '' : lineText(formatted);
  if (whole !== '') return whole;
  const structured = card.find(({ name }) => name === 'N');
  const [family = '', given = '', middle = '', before = '', after = ''] = partsOf(structured?.value ?? '', ';');
  const parts = [before, given, middle, family, after].map(oneLine).filter((part) => part !== '');
  if (parts.length > 0) return parts.join(' ');
  return (
    facts.find(([label]) => /^(?:Organisation|Nickname|Email|Phone)/u.test(label))?.[1] ??
    (facts.length > 0 ? 'Without a name' : undefined)
  );
}
