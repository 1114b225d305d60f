// The DOM that Readability is given: it must be able to read whatever page there is, since a page on which it fails is judged by names alone.
import { Readability } from '@mozilla/readability';
import fc from 'fast-check';
import { parse } from 'parse5';
import { describe, expect, it } from 'vitest';
import { startProcessorTime } from '../../../../testkit/processor-time.ts';
import { html } from '../../src/web/html.ts';
import { type ReadableElement, readableDocument } from '../../src/web/readable-dom.ts';

const documentOf = (source: string) => readableDocument(parse(source, { scriptingEnabled: false }));
const bodyOf = (source: string): ReadableElement => {
  const { body } = documentOf(`<body>${source}`);
  if (body === null) throw new Error('A parsed page has a body.');
  return body;
};
const read = (source: string) =>
  new Readability<string>(documentOf(source) as never, {
    serializer: (content) => (content as unknown as ReadableElement).innerHTML,
    keepClasses: true,
    charThreshold: 50,
  }).parse();

const prose =
  'The pump of the northern basin, which was replaced in spring, shares the load with two smaller ones, as planned. ';
const tags = (
  'a article aside b blockquote br button center dd div dl dt em embed fieldset figcaption figure font footer form h1 h2 h3 header hr iframe ' +
  'img input label li main math nav noscript object ol p picture pre section select source span strong style sub svg table tbody td template ' +
  'textarea th thead time title tr ul video'
).split(' ');
const attributes = [
  '',
  ' class="article-body entry"',
  ' class="sidebar comment"',
  ' id="content"',
  ' style="display: none"',
  ' style="visibility:hidden;color:red"',
  ' href="/a b?c=%"',
  ' href="javascript:void(0)"',
  ' src="data:image/png;base64,iVBORw0KGgo="',
  ' data-src="a.jpg 2x" srcset="a.png 1x, b.png 2x"',
  ' rel="author" itemprop="author name"',
  ' role="presentation" aria-hidden="true"',
  ' property="og:title" content="Pumps &amp; basins"',
  ' summary="" rowspan="2" colspan="x"',
  ' dir="rtl" lang="ar"',
];
const pages = fc
  .array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc
          .tuple(fc.constantFrom(...tags), fc.constantFrom(...attributes))
          .map(([tag, rest]) => `<${tag}${rest}>`),
      },
      { weight: 2, arbitrary: fc.constantFrom(...tags).map((tag) => `</${tag}>`) },
      {
        weight: 2,
        arbitrary: fc.constantFrom(prose, 'By Ada Brook', '5 < 6 & 7', '', '\u00a0', '<!-- note -->', '<br><br>'),
      },
    ),
    { minLength: 1, maxLength: 80 },
  )
  .map((parts) => parts.join(''));

describe('the DOM of Readability', () => {
  it('lets it read any page without failing', () => {
    let readable = 0;
    fc.assert(
      fc.property(pages, (page) => {
        if (read(page)) readable += 1;
      }),
      { numRuns: 400, seed: 20261121 },
    );
    expect(readable).toBeGreaterThan(100);
  });

  it('writes what it was made of, and reads what is written', () => {
    const source =
      '<p class="a&quot;b">5 &lt; 6 &amp; <b>more</b></p><hr><script>if (a < b && c) {}</script><pre>x\n y</pre>';
    const body = bodyOf(source);
    expect(body.innerHTML).toBe(source);
    expect(body.textContent).toBe('5 < 6 & moreif (a < b && c) {}x\n y');
    body.innerHTML = '<ul><li>one<li>two</ul>';
    expect(body.innerHTML).toBe('<ul><li>one</li><li>two</li></ul>');
    expect(body.textContent).toBe('onetwo');
  });

  it('keeps its order through any changes, as lists of children would', () => {
    const change = fc.record({
      what: fc.constantFrom('append', 'remove', 'replace', 'move'),
      at: fc.nat(20),
      to: fc.nat(20),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const body = bodyOf('<i></i>text<b></b>');
        const model = [...body.childNodes];
        for (const { what, at, to } of changes) {
          const node = model[at % Math.max(1, model.length)];
          const made = body.ownerDocument.createElement('u');
          if (what === 'append') model.push(body.appendChild(made));
          else if (node === undefined) continue;
          else if (what === 'remove') model.splice(model.indexOf(body.removeChild(node)), 1);
          else if (what === 'replace') {
            model.splice(model.indexOf(node), 1, made);
            body.replaceChild(made, node);
          } else {
            const other = model[to % model.length];
            if (other === undefined || other === node) continue;
            body.replaceChild(node, other);
            model.splice(model.indexOf(node), 1);
            model.splice(model.indexOf(other), 1, node);
          }
        }
        expect(body.childNodes).toEqual(model);
        const backwards: unknown[] = [];
        for (let node = body.lastChild; node !== null; node = node.previousSibling) backwards.unshift(node);
        expect(backwards).toEqual(model);
        expect(body.children).toEqual(model.filter(({ nodeType }) => nodeType === 1));
        expect(body.querySelectorAll('*')).toEqual(body.children);
      }),
      { numRuns: 300, seed: 20261121 },
    );
  });

  it('makes reading a page cost a few times what parsing it does', async () => {
    const links = Array.from(
      { length: 60 },
      (_, index) => `<li class="item"><a href="/${index}">Chapter ${index}</a>`,
    ).join('');
    const section = `<section class="s"><h2 id="h">Basins</h2><p>${prose.repeat(3)}<code>a</code> and <em>b</em>.<table><tr><td>1<td>2</table></section>`;
    const page = `<!doctype html><title>T</title><nav><ul>${links}</ul></nav><main>${section.repeat(120)}</main><footer>${links}</footer>`;
    const bytes = Buffer.from(page);
    const readings = async (): Promise<number> => {
      const spent = startProcessorTime();
      for (let index = 0; index < 10; index++) await html.parse({ bytes, name: 'a.html' });
      return spent();
    };
    const parsings = (): number => {
      const spent = startProcessorTime();
      for (let index = 0; index < 10; index++) parse(page);
      return spent();
    };
    const ratios: number[] = [];
    for (let round = 0; round < 5; round++) ratios.push((await readings()) / parsings());
    // Some 5; with a general DOM it was 15 and more.
    expect(Math.min(...ratios)).toBeLessThan(10);
  });
});
