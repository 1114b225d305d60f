// What a client that shows a text as HTML or as Markdown would act on, found by real parsers: an element with the value of an attribute or with a handler, one that swallows what
// follows, a comment, an address that runs, a picture from elsewhere.
import {
  type DefaultTreeAdapterTypes,
  fromMarkdown,
  parse,
  parseFragment,
} from '../packages/readers/testkit/libraries.ts';

const active = new Set(
  'title textarea style xmp iframe noembed noframes frameset noscript script plaintext template svg math'.split(' '),
);
const runs = /^[\s\p{Cc}]*(?:javascript|vbscript|data):/iu;

function inHtml(node: DefaultTreeAdapterTypes.Node): string[] {
  const own =
    'attrs' in node &&
    (node.attrs.some(({ name, value }) => value !== '' || name.startsWith('on')) || active.has(node.tagName))
      ? [`<${node.tagName} ${node.attrs.map(({ name, value }) => `${name}=${value}`).join(' ')}>`]
      : node.nodeName === '#comment' || node.nodeName === '#documentType'
        ? [node.nodeName]
        : [];
  return [...own, ...('childNodes' in node ? node.childNodes.flatMap(inHtml) : [])];
}

interface MarkdownNode {
  readonly type: string;
  readonly url?: string;
  readonly value?: string;
  readonly children?: readonly MarkdownNode[];
}

function inMarkdown({ type, url, value, children = [] }: MarkdownNode): string[] {
  const own =
    url !== undefined && (runs.test(url) || (type !== 'link' && /^[a-z]+:|^\/\//iu.test(url)))
      ? [`${type} ${url}`]
      : type === 'html'
        ? inHtml(parseFragment(value ?? ''))
        : [];
  return [...own, ...children.flatMap(inMarkdown)];
}

const isOfPage = new Set(['#documentType', '<html >', '<head >', '<body >']);

/** Empty: none. `text` also stands in the middle of a page, and behind other text. */
export function activeIn(text: string): string[] {
  return [
    ...inHtml(parseFragment(text)),
    ...inHtml(parse(`<body><p>${text}</p>`)).filter((found) => !isOfPage.has(found)),
    ...inMarkdown(fromMarkdown(text) as MarkdownNode),
  ];
}

/** What is read of a text that is shown as HTML. */
export function readAsHtml(text: string): string {
  const textOf = (node: DefaultTreeAdapterTypes.Node): string =>
    'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
  return textOf(parseFragment(text));
}
