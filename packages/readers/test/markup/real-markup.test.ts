// What real files taught: prose in XML as books are written, lists and titles of markup, LaTeX with words of its own, output of terminals.
import { describe, expect, it } from 'vitest';
import { languageCode } from '../../src/canonical/language-code.ts';
import type { ParsedDocument } from '../../src/document.ts';
import { headingsOf, kindsOf, readMarkup } from '../../testkit/read-markup.ts';

describe('prose in XML', () => {
  it('keeps its paragraphs where entities or stray words stand between chapters', async () => {
    const chapter = (title: string): string =>
      `<chapter><title>${title}</title>&mark;<para>${`A long ${title}. `.repeat(20)}</para><para>The <em>end</em>.</para></chapter>`;
    const document = await readMarkup(
      'a.docbook',
      `<?xml version="1.0"?><book><title>Guide</title>&licence; ${chapter('one')}${chapter('two')}</book>`,
    );
    expect(headingsOf(document)).toEqual(['1 Guide', '2 one', '2 two']);
    expect(kindsOf(document).filter((kind) => kind.startsWith('paragraph: A long'))).toHaveLength(2);
  });

  it('is prose without markup in its paragraphs, too', async () => {
    const document = await readMarkup(
      'a.xml',
      '<section><title>Pumps</title><para>They run.</para><section><title>Care</title><para>Oil them.</para></section></section>',
    );
    expect(headingsOf(document)).toEqual(['1 Pumps', '2 Care']);
    expect(kindsOf(document)).toContain('paragraph: Oil them.');
  });

  it('may name a hundred entities, and may be a part without one root', async () => {
    const many = Array.from({ length: 300 }, (_, at) => `<para>&product; has <b>part</b> ${at}.</para>`).join('\n');
    const book = await readMarkup('a.xml', `<book><title>T</title>${many}</book>`);
    expect(book.text).toContain('&product; has part 299.');
    const part = await readMarkup(
      'b.xml',
      Array.from({ length: 150 }, (_, at) => `<sect1><title>S${at}</title><para>P <b>${at}</b>.</para></sect1>`),
    );
    expect(part.headings).toHaveLength(150);
    expect(part.warnings).toHaveLength(1);
  });

  it('has rows for tables, and code and items also inside of paragraphs', async () => {
    const document = await readMarkup(
      'a.xml',
      '<article><title>T</title><para>See <em>this</em>:<programlisting>a\n   b</programlisting>and <em>more</em>:' +
        '<itemizedlist><listitem><para>one</para></listitem></itemizedlist></para><table><tgroup><thead><row><entry>Site</entry><entry>Depth</entry><entry>Use</entry></row></thead>' +
        '<tbody><row><entry><para>Bay <em>A</em></para></entry><entry/><entry>5</entry></row></tbody></tgroup></table></article>',
    );
    expect(kindsOf(document)).toEqual([
      'heading: T',
      'paragraph: See this:',
      'code: a\n   b',
      'paragraph: and more:',
      'list-item: one',
      'table-row: Site | Depth | Use',
      'table-row: Bay A |  | 5',
    ]);
    expect(document.blocks.map(({ isHeader = false }) => isHeader).indexOf(true)).toBe(5);
    const nested = await readMarkup(
      'b.xml',
      '<article><title>T</title><para>Some <em>words</em>.</para><list><item>One <em>a</em><list><item>in <em>it</em></item></list>' +
        '</item><item>Two <em>b<note>N</note></em> end</item></list></article>',
    );
    expect(kindsOf(nested).slice(2)).toEqual([
      'list-item: One a',
      'list-item: in it',
      'list-item: Two b',
      'paragraph: N',
      'list-item: end',
    ]);
    const glued = await readMarkup(
      'd.xml',
      '<article><title>T</title><para>It <em>rains</em>.<footnote><para>Here.</para></footnote>Often.</para>' +
        '<table><tr>Sum<td>H<sub>2</sub>O</td><td><line>one</line><line>two</line></td></tr></table></article>',
    );
    expect(kindsOf(glued).slice(1)).toEqual(['paragraph: It rains. Here. Often.', 'table-row: Sum | H2O | one two']);
    const held = await readMarkup(
      'c.xml',
      '<article><title>T</title><para>Some <em>words</em>.</para><list><item><p>One <em>a</em><list><item>in <em>it</em></item></list></p></item></list></article>',
    );
    expect(kindsOf(held).slice(2)).toEqual(['list-item: One a', 'list-item: in it']);
  });

  it('is called as an article of JATS says', async () => {
    const document = await readMarkup(
      'a.xml',
      '<article><front><article-meta><title-group><article-title>On Pumps</article-title></title-group></article-meta></front>' +
        '<body><sec><title>Methods</title><p>We <i>pumped</i> all of the water out of the northern basin in a week.</p></sec></body></article>',
    );
    expect(document.title).toBe('On Pumps');
    expect(headingsOf(document)).toEqual(['1 Methods']);
  });
});

describe('markup that is kept as it is', () => {
  it('has titles as people cite them', async () => {
    const rst = [
      'The :mod:`os` module, ``code``, `a link <http://x.y>`_ and *more* of snake_case',
      '='.repeat(80),
      '',
      'Text.',
    ];
    expect(headingsOf(await readMarkup('a.rst', rst))).toEqual([
      '1 The os module, code, a link and more of snake_case',
    ]);
    expect(
      headingsOf(
        await readMarkup('a.adoc', [
          '= The *bold* `code`, link:http://x.y[Site] {version} snake_case_name',
          '',
          'Text.',
        ]),
      ),
    ).toEqual(['1 The bold code, Site {version} snake_case_name']);
    expect(
      headingsOf(await readMarkup('a.org', ['* TODO [#A] The =code= and [[http://x.y][a link]], 2*3 :tag:', 'Text.'])),
    ).toEqual(['1 TODO The code and a link, 2*3']);
    expect(headingsOf(await readMarkup('a.md', '# Water H<sub>2</sub>O <a name="x"></a>\n\nText.'))).toEqual([
      '1 Water H2O',
    ]);
  });

  it('has list items of many lines whole', async () => {
    const item = ['- one goes on', '  and on', '  and on', '- two'];
    for (const name of ['a.rst', 'a.adoc', 'a.org'])
      expect(kindsOf(await readMarkup(name, item)), name).toEqual([
        'list-item: - one goes on\n  and on\n  and on',
        'list-item: - two',
      ]);
  });

  it('has no titles of blocks in the middle of paragraphs of AsciiDoc', async () => {
    const document = await readMarkup('a.adoc', [
      'It updates the file',
      '.git/shallow and accepts',
      '[such] refs.',
      '',
      '.Title',
      '----',
      'x',
      '----',
    ]);
    expect(kindsOf(document)).toEqual([
      'paragraph: It updates the file\n.git/shallow and accepts\n[such] refs.',
      'other: .Title',
      'code: ----\nx\n----',
    ]);
  });
});

describe('LaTeX', () => {
  const latex = async (preamble: string, body: string): Promise<ParsedDocument> =>
    readMarkup('a.tex', `\\documentclass{article}\n${preamble}\n\\begin{document}\n${body}\n\\end{document}\n`);

  it('says which commands of its own it leaves out', async () => {
    const document = await latex(
      '\\newcommand{\\lab}{Bay Lab}\n\\newcommand{\\sq}[1]{#1 squared}\n\\def\\never{x}',
      'What \\lab\\ knows: \\sq{five}.',
    );
    expect(document.text.trim()).toBe('What knows: five.');
    expect(document.warnings.join()).toMatch(/left out: \\lab, \\sq$/u);
  });

  it('leaves out what its author put away', async () => {
    expect((await latex('', 'One. \\iffalse Not this. \\fi Two.')).text.trim()).toBe('One. Two.');
    const long = await latex('', 'One.\n\\iffalse Not this,\nnot \\emph{this}.\n\\fi\nTwo.');
    expect(long.text.trim().split(/\n+/u)).toEqual(['One.', 'Two.']);
  });

  it('takes of two forms of a title the one for the page', async () => {
    expect(
      headingsOf(await latex('', '\\section{\\texorpdfstring{The \\emph{pump}}{The pump (outline)}}\nText.')),
    ).toEqual(['1 The pump']);
  });
});

describe('references', () => {
  it('have the words in commands that nobody knows, and the spaces of strings', async () => {
    const document = await readMarkup('a.bib', [
      '@string{venue = "Proceedings of "}',
      '@book{k, title = {On \\mkbibquote{Pumps} and \\LaTeX{}}, booktitle = venue # "the 9th Meeting", author = {\\textgreek{Ann}}}',
    ]);
    expect(document.text).toBe(
      'On Pumps and LaTeX\n\nk (book)\nbooktitle: Proceedings of the 9th Meeting\nauthor: Ann',
    );
  });
});

describe('what programs write to a terminal', () => {
  it('is read without colours and without letters struck twice', async () => {
    const log = await readMarkup(
      'build.log',
      '\u001b[32mPASS\u001b[0m src/a.test.ts\n\u001b[1m\u001b[31mFAIL\u001b[39m\u001b[22m b\n\u001b]0;title\u0007done\n',
    );
    expect(log.text).toBe('PASS src/a.test.ts\nFAIL b\ndone\n');
    expect(log.warnings).toEqual([]);
    const bold = (word: string): string => [...word].map((letter) => `${letter}\b${letter}`).join('');
    const manual = await readMarkup('ls.txt', `${bold('NAME')}\n  ${bold('ls')} - list _\bd_\bi_\br and +\bo item\n`);
    expect(manual.text).toBe('NAME\n  ls - list dir and o item\n');
    // A title without an end is no reason to lose the line.
    const cut = await readMarkup('cut.log', 'x\u001b]P4000080 and what follows\nlast\n');
    expect(cut.text).toBe('xP4000080 and what follows\nlast\n');
  });
});

describe('a language', () => {
  it('is the first part of its tag', () => {
    expect(['en-GB', 'de_AT.UTF-8', ' FRA ', 'sr@latin', 'x-none', 'english', '', undefined].map(languageCode)).toEqual(
      ['en', 'de', 'fra', 'sr', undefined, undefined, undefined, undefined],
    );
  });
});
