// Titles of markup that is kept as it is written, without their marks: how people cite them, not how they are typed. Linear in the title.

type Markup = 'rst' | 'asciidoc' | 'org';

/** In order: what each mark stands for. */
const marks: Readonly<Record<Markup, readonly (readonly [mark: RegExp, text: string])[]>> = {
  // docutils: literals, links with their targets, roles, interpreted text, emphasis.
  rst: [
    [/``([^`\n]{1,300})``_{0,2}/gu, '$1'],
    [/(?<![\w`]):[\w:+.-]{1,60}:(?=`)/gu, ''],
    [/`[~!]?([^`<\n]{1,300}?)\s*(?:<[^<>`\n]{0,500}>)?`_{0,2}/gu, '$1'],
    [/(?<![\w*])(\*{1,2})([^\s*](?:[^*\n]{0,298}[^\s*])?)\1(?![\w*])/gu, '$2'],
    [/(?<=\w)_{1,2}(?=\s|$)/gu, ''],
    [/\\(?=\S)/gu, ''],
  ],
  // Asciidoctor: anchors, links and macros with a text, monospace, strong and emphasis.
  asciidoc: [
    [/\[\[[^\]\n]{0,200}\]\]/gu, ''],
    [/<<[^<>,\n]{1,200},\s*([^<>\n]{1,300})>>/gu, '$1'],
    [/(?:link:|xref:|https?:\/\/)[^\s[\]]{1,500}\[([^\]\n]{1,300})\]/gu, '$1'],
    [/(?<!\w)([`*_+])\1?([^\s`*_+](?:[^`*_+\n]{0,298}[^\s`*_+])?)\1\1?(?!\w)/gu, '$2'],
  ],
  // Org: the state of a task, its priority, links, emphasis and code.
  org: [
    [/\[#[A-Z0-9]\]\s+/u, ''],
    [/\[\[[^[\]\n]{1,500}\]\[([^[\]\n]{1,300})\]\]/gu, '$1'],
    [/(?<!\S)([=~*/_+])([^\s=~*/_+](?:[^=~*/_+\n]{0,298}[^\s=~*/_+])?)\1(?=[\s.,;:!?)]|$)/gu, '$2'],
  ],
};

/** The title as it is, where nothing would be left of it. */
export function plainTitle(title: string, markup: Markup): string {
  const plain = marks[markup].reduce((text, [mark, stands]) => text.replace(mark, stands), title).trim();
  return plain === '' ? title : plain;
}
