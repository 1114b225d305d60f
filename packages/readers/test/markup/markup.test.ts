import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sharedData } from '../../../../testkit/shared-data.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { headingsOf, kindsOf, readMarkup } from '../../testkit/read-markup.ts';
import { faultOf } from '../../testkit/well-formed.ts';

describe('YAML and TOML', () => {
  it('keep the file as it is, with its keys as headings', async () => {
    const source = [
      '# Head',
      'name: app',
      'services:',
      '  web:',
      '    image: nginx',
      '    note: |',
      '      fake: key',
      '  db:',
      '    image: pg',
      'list:',
      '- a: 1',
      '- b: 2',
      '',
    ];
    const document = await readMarkup('a.yaml', source);
    expect(document.text).toBe(source.join('\n'));
    expect(document.citeByLine).toBe(true);
    expect(headingsOf(document)).toEqual(['1 services', '2 web', '2 db', '1 list']);
    expect(kindsOf(document)).toEqual([
      'record: # Head\nname: app',
      'record: services:\n  web:\n    image: nginx\n    note: |\n      fake: key\n  db:\n    image: pg',
      'record: list:',
      'record: - a: 1',
      'record: - b: 2',
    ]);
  });

  it('have no headings in texts of many lines', async () => {
    expect(headingsOf(await readMarkup('a.yaml', 'note: |\n  fake:\n    x\nreal:\n  a: 1\n'))).toEqual([
      '1 note',
      '1 real',
    ]);
  });

  it('expand no alias', async () => {
    const source = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...Array.from({ length: 40 }, (_, n) => `b${n}: &b${n} [*a,*a,*a,*a,*a,*a,*a,*a]`),
    ].join('\n');
    expect((await readMarkup('bomb.yml', source)).text).toBe(source);
  });

  it('have the tables of TOML as headings, but not those in strings', async () => {
    const document = await readMarkup('a.toml', [
      'title = "T"',
      '',
      '[owner]',
      'name = "Ann"',
      '',
      '[[a.b]]',
      'text = """',
      '[no]',
      '"""',
    ]);
    expect(headingsOf(document)).toEqual(['1 owner', '2 a.b']);
    expect(kindsOf(document)).toContain('record: [[a.b]]\ntext = """\n[no]\n"""');
  });
});

describe('reStructuredText', () => {
  it('has sections by their adornments, directives, literal blocks, lists and tables', async () => {
    const source = [
      '=====',
      'Title',
      '=====',
      '',
      ':Author: Ann',
      ':Date: 2024-05-06',
      '',
      'One',
      '---',
      '',
      'Text::',
      '',
      '  code',
      '',
      '  more',
      '',
      '- item',
      '  goes on',
      '- next',
      '',
      '.. note::',
      '',
      '   Mind this.',
      '',
      '.. code:: python',
      '',
      '   x()',
      '',
      '===  ===',
      'a    b',
      '===  ===',
      '1    2',
      '===  ===',
      '',
      '+--+--+',
      '| c| d|',
      '+--+--+',
      '',
      '.. comment',
      '',
      'Two',
      '---',
      '',
      'End.',
    ];
    const document = await readMarkup('a.rst', source);
    expect(document.text).toBe(source.join('\n'));
    expect(document.title).toBe('Title');
    expect(document.publishedAt).toBe('2024-05-06');
    expect(document.metadata).toEqual({ author: 'Ann', date: '2024-05-06' });
    expect(headingsOf(document)).toEqual(['1 Title', '2 One', '2 Two']);
    expect(kindsOf(document)).toEqual([
      'heading: =====\nTitle\n=====',
      'other: :Author: Ann\n:Date: 2024-05-06',
      'heading: One\n---',
      'paragraph: Text::',
      'code: code\n\n  more',
      'list-item: - item\n  goes on',
      'list-item: - next',
      'other: .. note::',
      'paragraph: Mind this.',
      'code: .. code:: python\n\n   x()',
      'table-row: a    b',
      'table-row: 1    2',
      'table-row: | c| d|',
      'other: .. comment',
      'heading: Two\n---',
      'paragraph: End.',
    ]);
  });
});

describe('Org', () => {
  it('has headlines without tags, blocks, tables and lists', async () => {
    const document = await readMarkup('a.org', [
      '#+title: Notes',
      '#+author: Ann',
      '#+date: <2024-05-06 Mon>',
      '',
      '* TODO One :work:',
      ':PROPERTIES:',
      ':ID: 1',
      ':END:',
      'Text.',
      '#+begin_src sh',
      ',* no',
      '#+end_src',
      '| a | b |',
      '|---+---|',
      '- item',
      '** Two',
      ': fixed',
    ]);
    expect(document).toMatchObject({ title: 'Notes', publishedAt: '2024-05-06', metadata: { author: 'Ann' } });
    expect(headingsOf(document)).toEqual(['1 TODO One', '2 Two']);
    expect(kindsOf(document).slice(1)).toEqual([
      'heading: * TODO One :work:',
      'other: :PROPERTIES:\n:ID: 1\n:END:',
      'paragraph: Text.',
      'code: #+begin_src sh\n,* no\n#+end_src',
      'table-row: | a | b |',
      'list-item: - item',
      'heading: ** Two',
      'code: : fixed',
    ]);
  });
});

describe('AsciiDoc', () => {
  it('has sections, delimited blocks, tables and the facts of its header', async () => {
    const document = await readMarkup('a.adoc', [
      '= Guide',
      'Ann Lee <ann@a.org>',
      'v1.0, 2024-05-06',
      ':lang: en',
      '',
      '== One',
      '',
      '.Title',
      '----',
      '== not a section',
      '----',
      '',
      '|===',
      '| a | b',
      '|===',
      '',
      '* item',
      '',
      '====',
      'An example.',
      '====',
      '',
      'Old',
      '~~~',
      '',
      'include::other.adoc[]',
    ]);
    expect(document).toMatchObject({
      title: 'Guide',
      publishedAt: '2024-05-06',
      metadata: { author: 'Ann Lee <ann@a.org>', language: 'en' },
    });
    expect(headingsOf(document)).toEqual(['1 Guide', '2 One', '3 Old']);
    expect(kindsOf(document).slice(3)).toEqual([
      'other: .Title',
      'code: ----\n== not a section\n----',
      'table-row: | a | b',
      'list-item: * item',
      'paragraph: An example.',
      'heading: Old\n~~~',
      'other: include::other.adoc[]',
    ]);
  });
});

describe('MDX', () => {
  it('has imports and expressions as code and the text of elements as prose', async () => {
    const document = await readMarkup('a.mdx', [
      "import { C } from './c.js'",
      '',
      '# Hello',
      '',
      '<Tabs>',
      '  ## Inner',
      '',
      '  Prose.',
      '</Tabs>',
      '',
      '<C />',
      '',
      '{1 + 1}',
    ]);
    expect(headingsOf(document)).toEqual(['1 Hello', '2 Inner']);
    expect(kindsOf(document)).toEqual([
      "code: import { C } from './c.js'",
      'heading: # Hello',
      'heading: ## Inner',
      'paragraph: Prose.',
      'other: <C />',
      'code: {1 + 1}',
    ]);
    expect(document.mime).toBe('text/mdx');
  });

  it('is read as Markdown where it is no valid MDX', async () => {
    const document = await readMarkup('a.mdx', '# A\n\nx < y and {open\n');
    expect(headingsOf(document)).toEqual(['1 A']);
    expect(document.warnings[0]).toContain('no valid MDX');
  });

  it('has no heading without a title', async () => {
    for (const name of ['a.mdx', 'a.md'])
      expect(headingsOf(await readMarkup(name, '##\n\nText\n\n# B\n'))).toEqual(['1 B']);
  });

  it('has a quick reading for files that take too long', async () => {
    const input = { name: 'a.mdx', bytes: Buffer.from('# A\n\n<A>\n\n## B\n') };
    const document = await parseFile(input, true);
    expect([document.mime, ...headingsOf(document)]).toEqual(['text/mdx', '1 A', '2 B']);
  });
});

describe('LaTeX', () => {
  it('reads as it is set, line by line: no comments, no commands, formulas as written', async () => {
    const source = [
      String.raw`\documentclass{article}\usepackage{x}\newcommand{\me}[1]{My #1}`,
      String.raw`\title{Tea \&`,
      String.raw`  Milk} \author{Ann}\date{2024-05-06}`,
      String.raw`\begin{document}\maketitle`,
      String.raw`\section[Short]{One}\label{s}`,
      String.raw`It \emph{is} $a^2$, 5\% % not this`,
      String.raw`cheap.\footnote{Not \emph{so}.} See~\cite{k}. G\"odel, \'{E}t\'e, na\"{\i}ve, Stra\ss e, ` +
        "``q'' -- \\me{x}",
      '',
      String.raw`\subsection*{Two \textbf{b}}`,
      String.raw`\begin{itemize}\item a`,
      '  or more',
      String.raw`\item[b] c\end{itemize}`,
      String.raw`\begin{tabular}{@{}ll}\hline N & P \\`,
      String.raw`T &`,
      String.raw`\multicolumn{1}{c}{5} \\[2mm] \hline`,
      String.raw`\end{tabular}`,
      String.raw`\begin{equation}x=1\end{equation}`,
      String.raw`\begin{align}`,
      String.raw`  y &= 2 \label{y} % two`,
      String.raw`\end{align}`,
      String.raw`\begin{quote}As said.\end{quote}`,
      String.raw`\begin{verbatim}`,
      String.raw`% kept \x`,
      String.raw`\end{verbatim}`,
      String.raw`\input{other}\href{https://a.b}{link}, \verb|x + y|`,
      String.raw`\begin{comment}`,
      'not this',
      String.raw`\end{comment}`,
      String.raw`\paragraph{Setup.} We use it. \textcolor{red}{Now}.`,
      String.raw`\end{document} not this`,
      'nor this',
    ];
    const document = await readMarkup('a.tex', source);
    expect(document).toMatchObject({ title: 'Tea & Milk', publishedAt: '2024-05-06', metadata: { author: 'Ann' } });
    expect(headingsOf(document)).toEqual(['1 Tea & Milk', '2 One', '3 Two b']);
    expect(kindsOf(document)).toEqual([
      'heading: Tea & Milk',
      'heading: One',
      'paragraph: It is $a^2$, 5%\ncheap. (Not so.) See. Gödel, Été, naïve, Straße, “q” – x',
      'heading: Two b',
      'list-item: - a\nor more',
      'list-item: b c',
      'table-row: N | P',
      'table-row: T |\n5',
      String.raw`other: \begin{equation}x=1\end{equation}` +
        '\n' +
        String.raw`\begin{align}` +
        '\n' +
        String.raw`  y &= 2 \label{y} % two` +
        '\n' +
        String.raw`\end{align}`,
      'quote: As said.',
      String.raw`code: % kept \x`,
      'paragraph: link (https://a.b), x + y',
      'paragraph: Setup. We use it. Now.',
    ]);
    // Cited by line: each stands where it stands in the file.
    const lineOf = (lines: readonly string[], words: string): number => lines.findIndex((line) => line.includes(words));
    for (const words of ['cheap.', 'or more', '% kept', 'As said', 'link', 'We use it'])
      expect(lineOf(document.text.split('\n'), words), words).toBe(lineOf(source, words));
    expect(document.warnings).toHaveLength(2);
  });

  it.each([
    '{',
    String.raw`\section{`,
    String.raw`\label{`,
    '$',
    String.raw`\begin{a}`,
    String.raw`\def\a`,
    String.raw`\footnote{`,
    String.raw`\footnote{a}{{b}`,
    String.raw`\href{a}{`,
    String.raw`\begin{verbatim}`,
    String.raw`\cite[a]`,
    '\n\\title{{a}{',
    '[',
    String.raw`\item[`,
  ])('takes linear time on %j without end', async (piece) => {
    const work = async (times: number): Promise<number> => {
      const before = process.cpuUsage().user;
      await readMarkup('a.tex', `Text ${piece.repeat(times)}`).catch(() => undefined);
      return process.cpuUsage().user - before;
    };
    await work(2000);
    const [short, long] = [await work(4000), await work(16_000)];
    expect(long).toBeLessThan(Math.max(1, short) * 16 + 400_000);
  });
});

describe('markup', () => {
  const line = fc.constantFrom(
    '',
    'Text',
    '----',
    '====',
    '* a',
    '- b',
    '  in',
    '.. x::',
    '::',
    '|===',
    '| a',
    '#+begin_src',
    '#+end_src',
    ':a:',
    '[t]',
    'k: v',
    '"""',
    '$',
    '{',
    '}',
    String.raw`\item`,
    String.raw`\begin{x}`,
    '<A>',
    '{x}',
    '+--+',
  );
  it.each(['a.rst', 'a.org', 'a.adoc', 'a.yaml', 'a.toml', 'a.tex', 'a.mdx'])(
    '%s is well-formed whatever the lines',
    async (name) => {
      await fc.assert(
        fc.asyncProperty(fc.array(line, { maxLength: 40 }), async (lines) => {
          const bytes = Buffer.from(`x\n${lines.join('\n')}`);
          const outcome = await parseFile({ name, bytes }).catch((error: unknown) => error as { code: string });
          if ('code' in outcome) expect(outcome.code).toBe('invalid-media');
          else expect(faultOf(outcome)).toBeUndefined();
        }),
        { numRuns: 60 },
      );
    },
  );

  it.each([
    ['r2r-org.org', 'Modern Org Example', 21],
    ['r2r-rst.rst', 'Header 1', 4],
  ])('of the samples: %s', async (name, title, count) => {
    const path = sharedData('documents', 'office', name);
    if (path === undefined) return;
    const source = readFileSync(path, 'utf8');
    const document = await readMarkup(name, source);
    expect(document.text).toBe(source);
    expect(document.title).toBe(title);
    expect(document.headings).toHaveLength(count);
  });
});
