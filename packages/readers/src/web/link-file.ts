// Links that desktops keep as files (.url of Windows, .webloc of macOS, .desktop of Linux): the title and the address, as text. The address is never
// opened, and a command that a file names is never run.

import { createBlockWriter } from '../canonical/block-writer.ts';
import { parsedDocument } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { readPropertyList } from '../containers/property-list.ts';
import { titleFromName } from '../file-names.ts';
import { ReadError } from '../read-error.ts';
import type { ParseInput, Parser } from '../reader.ts';

const mime = 'application/internet-shortcut';
const longest = 4000;

export const linkFile: Parser = {
  name: 'link-file',
  mimes: [mime],
  parse: async (input: ParseInput) => {
    const facts = factsOf(input);
    const file = input.name.slice(input.name.lastIndexOf('/') + 1);
    const title = oneLine(facts['Name'] ?? titleFromName(file));
    const address = oneLine(facts['URL'] ?? '');
    if (address === '')
      throw new ReadError(
        'unsupported-media',
        `${input.name} is a shortcut that holds no address of the web. Give the file that it leads to.`,
      );
    const writer = createBlockWriter();
    writer.put('heading', title, 1);
    writer.put('record', [`URL: ${address}`, oneLine(facts['Comment'] ?? '')].filter((line) => line !== '').join('\n'));
    return parsedDocument({ ...writer.finish(), mime, title, metadata: { link: address } });
  },
};

const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim().slice(0, longest);

/** `URL`, `Name` and `Comment`, as far as the file says them. */
function factsOf({ bytes, name }: ParseInput): Readonly<Record<string, string>> {
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  if (head.startsWith('bplist') || /^\s*<(?:\?xml|!DOCTYPE|plist)/iu.test(head)) {
    const list = readPropertyList(bytes, name);
    return list instanceof Map && typeof list.get('URL') === 'string' ? { URL: String(list.get('URL')) } : {};
  }
  const { text } = decodeText(bytes, name);
  const facts: Record<string, string> = {};
  let isOwn = true;
  for (const line of text.split('\n').slice(0, 1000)) {
    const section = /^\[(.{1,100})\]\s*$/u.exec(line)?.[1];
    if (section !== undefined) isOwn = /^(?:InternetShortcut|Desktop Entry)$/iu.test(section);
    const [, key, value] = /^(URL|Name|Comment)\s*=(.*)$/u.exec(line) ?? [];
    if (isOwn && key !== undefined && value !== undefined) facts[key] ??= value.trim();
  }
  return facts;
}
