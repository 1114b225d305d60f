import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sharedData } from '../../../../testkit/shared-data.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { openDocumentOf } from '../../testkit/office-fixtures.ts';
import { placeOf } from '../../testkit/program.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';
import { zipOf } from '../../testkit/zip-fixture.ts';

const read = async (body: string, options: Parameters<typeof openDocumentOf>[2] = {}) => {
  const document = await parseFile({ name: 'a.odt', bytes: openDocumentOf('text', body, options) });
  expectWellFormed(document);
  return document;
};

describe('ODT', () => {
  it('reads headings, paragraphs, white space, lists and tables', async () => {
    const document = await read(
      `<text:h text:outline-level="1">Part</text:h><text:h text:outline-level="2">Chapter</text:h>
<text:p>one<text:s text:c="3"/>two<text:tab/>three<text:line-break/>four
 <text:span>five</text:span></text:p>
<text:list text:style-name="L1"><text:list-item><text:p>first</text:p><text:list><text:list-item><text:p>inner</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>second</text:p></text:list-item></text:list>
<table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table-header-rows><table:table-row><table:table-cell><text:p>1</text:p><text:p>2</text:p></table:table-cell><table:table-cell/></table:table-row></table:table>`,
      {
        styles:
          '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1"/><text:list-level-style-bullet text:level="2"/></text:list-style>',
      },
    );
    expect(document.text).toBe(
      'Part\n\nChapter\n\none   two\tthree\nfour five\n\n1. first\n  - inner\n2. second\n\na | b\n1 2',
    );
    expect(document.headings).toMatchObject([
      { level: 1, title: 'Part' },
      { level: 2, title: 'Chapter' },
    ]);
    expect(document).toMatchObject({
      title: 'Figures',
      language: 'de',
      metadata: { author: 'Ada', created: '2024-03-05T10:00:00.000Z' },
    });
  });

  it('counts headings in a list of their own, as they come from other word processors', async () => {
    const list = (items: string): string =>
      `<text:list text:style-name="W1" text:continue-numbering="true">${items}</text:list>`;
    const item = (inside: string): string => `<text:list-item>${inside}</text:list-item>`;
    const heading = (at: number, text: string): string => `<text:h text:outline-level="${at}">${text}</text:h>`;
    const level = (kind: string, at: number, rest: string): string => `<text:${kind} text:level="${at}" ${rest}/>`;
    const document = await read(
      `${list(item(heading(1, 'Terms')))}<text:p>between</text:p>${list(item(`<text:list>${item(heading(2, 'Rent'))}</text:list>`) + item(heading(1, 'End')))}${heading(1, 'Annex')}`,
      {
        styles: `<text:outline-style>${level('outline-level-style', 1, 'style:num-format=""')}</text:outline-style>
<text:list-style style:name="W1">${level('list-level-style-number', 1, 'style:num-format="1" style:num-suffix="."')}${level('list-level-style-number', 2, 'style:num-format="1" text:display-levels="2"')}</text:list-style>`,
      },
    );
    expect(document.text).toBe('1. Terms\n\nbetween\n\n1.1 Rent\n\n2. End\n\nAnnex');
    expect(document.headings).toMatchObject([
      { level: 1 },
      { level: 2, title: '1.1 Rent' },
      { level: 1 },
      { level: 1 },
    ]);
  });

  it('writes the labels that the program counts before headings and items', async () => {
    const level = (kind: string, at: number, rest: string): string =>
      `<text:${kind} text:level="${at}" style:num-format="1" ${rest}/>`;
    const item = (text: string, more = ''): string =>
      `<text:list-item><text:p>${text}</text:p>${more}</text:list-item>`;
    const list = (items: string, rest = ''): string => `<text:list text:style-name="L1" ${rest}>${items}</text:list>`;
    const heading = (at: number, text: string, rest = ''): string =>
      `<text:h text:outline-level="${at}" ${rest}>${text}</text:h>`;
    const document = await read(
      `${heading(1, 'Terms')}${heading(2, 'Rent')}${heading(2, 'Repairs')}${heading(1, 'Preface', 'text:style-name="P0"')}${heading(1, 'End')}
${list(item('one', list(item('inner'))) + item('two', list(item('deep'))), 'xml:id="l1"')}<text:p>between</text:p>${list(item('three'), 'text:continue-list="l1"')}${list(item('again'))}
<text:list text:style-name="L2"><text:list-item text:start-value="3"><text:p>c</text:p></text:list-item></text:list>`,
      {
        styles: `<text:outline-style>${level('outline-level-style', 1, 'style:num-suffix="."')}${level('outline-level-style', 2, 'text:display-levels="2"')}</text:outline-style>
<style:style style:name="P0" style:list-style-name=""/>
<text:list-style style:name="L1">${level('list-level-style-number', 1, 'style:num-suffix="."')}${level('list-level-style-number', 2, 'text:display-levels="2"')}</text:list-style>
<text:list-style style:name="L2"><text:list-level-style-number text:level="1" style:num-format="a" style:num-prefix="(" style:num-suffix=")"/></text:list-style>`,
      },
    );
    expect(document.text).toBe(
      '1. Terms\n\n1.1 Rent\n\n1.2 Repairs\n\nPreface\n\n2. End\n\n1. one\n  1.1. inner\n2. two\n  2.1. deep\n\nbetween\n\n3. three\n1. again\n(c) c',
    );
  });

  it('keeps the white space at the edges of spans', async () => {
    const document = await read(
      '<text:p>the<text:span> first</text:span> <text:span> and<text:span> last</text:span></text:span> \n one</text:p>',
    );
    expect(document.text).toBe('the first and last one');
  });

  it('puts notes and comments at the end, leaves deleted text out, and reads boxes and alternative texts', async () => {
    const document = await read(
      `<text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p></text:deletion></text:changed-region></text:tracked-changes>
<text:p>Claim<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>Source</text:p></text:note-body></text:note> stands<office:annotation><dc:creator>Bob</dc:creator><dc:date>2024</dc:date><text:p>really?</text:p></office:annotation>.<draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box></draw:frame></text:p>
<text:p><draw:frame><draw:image xlink:href="Pictures/1.png"/><svg:desc>A cat</svg:desc></draw:frame><draw:frame><draw:image xlink:href="Pictures/2.png"/></draw:frame></text:p>`,
    );
    expect(document.text).toBe('Claim[1] stands.\n\nboxed\n\nImage: A cat\n\n[1] Source\n\nComment by Bob: really?');
    expect(document.warnings).toEqual([expect.stringContaining('1 picture has no text')]);
  });

  it('takes paragraphs in heading styles for headings, and formulas as typed', async () => {
    const document = await read(
      '<text:p text:style-name="P1">The title</text:p><text:p>so <draw:frame><draw:object xlink:href="./Object 1"/></draw:frame> holds</text:p>',
      {
        styles: '<style:style style:name="P1" style:parent-style-name="Title"/>',
        extra: {
          'Object 1/content.xml':
            '<math:math xmlns:math="m"><math:semantics><math:mrow><math:mi>x</math:mi></math:mrow><math:annotation encoding="StarMath 5.0">x = {a} over {b}</math:annotation></math:semantics></math:math>',
        },
      },
    );
    expect(document.text).toBe('The title\n\nso x = {a} over {b} holds');
    expect(document.headings).toMatchObject([{ level: 1, title: 'The title' }]);
  });

  it('cites pages where as many were counted as are marked', async () => {
    const body =
      '<text:p>one</text:p><text:soft-page-break/><text:p>two <text:soft-page-break/>and on</text:p><text:p>three</text:p>';
    const meta = (count: number) => ({
      extra: {
        'meta.xml': `<office:document-meta xmlns:office="o" xmlns:meta="m"><office:meta><meta:document-statistic meta:page-count="${count}"/></office:meta></office:document-meta>`,
      },
    });
    const document = await read(body, meta(3));
    expect(document.places.map(({ label, start, end }) => [label, document.text.slice(start, end)])).toEqual([
      ['page 1', 'one'],
      ['page 2', 'two and on'],
      ['page 3', 'three'],
    ]);
    expect((await read(body, meta(4))).places).toEqual([]);
    const noted = `<text:p>a<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>first</text:p></text:note-body></text:note></text:p>${body}`;
    const withNote = await read(noted, meta(3));
    const at = withNote.text.indexOf('[1] first');
    expect(placeOf(withNote.places, { start: at, end: withNote.text.length })).toBe('page 1');
    expect(placeOf(withNote.places, { start: 0, end: withNote.text.length })).toBe('page 1–3');
  });

  it('cites notes by the heading that their marks stand under where there are no pages', async () => {
    const note = (text: string): string =>
      `<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>${text}</text:p></text:note-body></text:note>`;
    const heading = (text: string): string => `<text:h text:outline-level="1">${text}</text:h>`;
    const { text, places } = await read(
      `${heading('Report')}${heading('Rent')}<text:p>paid${note('first')}</text:p>${heading('Last')}<text:p>end</text:p>`,
    );
    const placed = (part: string): string | undefined =>
      placeOf(places, { start: text.indexOf(part), end: text.indexOf(part) + part.length });
    expect(['paid', '[1] first', 'end'].map(placed)).toEqual(['Rent', 'Rent', 'Last']);
  });

  it('refuses encrypted, empty and deeply nested files, each with its own message', async () => {
    const encrypted = openDocumentOf('text', '<text:p>x</text:p>', {
      extra: {
        'META-INF/manifest.xml':
          '<m:manifest xmlns:m="m"><m:file-entry m:full-path="content.xml"><m:encryption-data/></m:file-entry></m:manifest>',
      },
    });
    await expect(parseFile({ name: 'a.odt', bytes: encrypted })).rejects.toMatchObject({
      code: 'invalid-media',
      message: expect.stringContaining('password'),
      details: { reason: 'encrypted' },
    });
    await expect(parseFile({ name: 'a.odt', bytes: openDocumentOf('text', '') })).rejects.toThrow(/has no text/u);
    const deep = openDocumentOf('text', `${'<text:section>'.repeat(5000)}x${'</text:section>'.repeat(5000)}`);
    await expect(parseFile({ name: 'a.odt', bytes: deep })).rejects.toMatchObject({ code: 'too-large' });
  });
});

const path = sharedData('documents', 'office', 'r2r-odt.odt');
describe.skipIf(path === undefined)('a real ODT', () => {
  it('gives its text', async () => {
    const document = await parseFile({ name: 'a.odt', bytes: new Uint8Array(readFileSync(path ?? '')) });
    expectWellFormed(document);
    expect(document.text).toMatch(/^Lorem ipsum dolor sit amet[\s\S]+deserunt mollit anim id est laborum\.$/u);
  });
});

describe('documents of OpenOffice.org 1', () => {
  const packageOf = (kind: string, body: string, more: Readonly<Record<string, string>> = {}): Uint8Array =>
    zipOf({
      'content.xml': `<?xml version="1.0"?><!DOCTYPE office:document-content PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "office.dtd">
<office:document-content xmlns:office="o" xmlns:text="t" xmlns:draw="d" xmlns:presentation="p" xmlns:svg="s" office:class="${kind}"><office:body>${body}</office:body></office:document-content>`,
      ...more,
    });

  it('are read: headings, lists, footnotes', async () => {
    const bytes = packageOf(
      'text',
      `<text:h text:level="2">Part</text:h><text:ordered-list><text:list-item><text:p>one</text:p></text:list-item></text:ordered-list>
<text:p>Claim<text:footnote><text:footnote-citation>1</text:footnote-citation><text:footnote-body><text:p>Source</text:p></text:footnote-body></text:footnote><text:tab-stop/>stands</text:p>`,
      { mimetype: 'application/vnd.sun.xml.writer' },
    );
    const document = await parseFile({ name: 'a.sxw', bytes });
    expectWellFormed(document);
    expect(document.text).toBe('Part\n\n- one\n\nClaim[1]\tstands\n\n[1] Source');
    expect(document.headings).toMatchObject([{ level: 2, title: 'Part' }]);
  });

  it('are told by their manifest where that alone says what they are', async () => {
    const bytes = packageOf(
      'presentation',
      '<draw:page><draw:text-box svg:x="1cm" svg:y="1cm" svg:width="5cm" svg:height="1cm"><text:p>said</text:p></draw:text-box></draw:page>',
      {
        'META-INF/manifest.xml':
          '<manifest:manifest xmlns:manifest="m"><manifest:file-entry manifest:media-type="application/vnd.sun.xml.impress" manifest:full-path="/"/></manifest:manifest>',
      },
    );
    expect((await parseFile({ name: 'a.sxi', bytes })).text).toBe('Slide 1\n\nsaid');
  });
});

describe('OpenDocuments in one XML file', () => {
  const flat = (kind: string, body: string): Uint8Array =>
    Buffer.from(`<?xml version="1.0"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
 xmlns:dc="http://purl.org/dc/elements/1.1/" office:mimetype="application/vnd.oasis.opendocument.${kind}">
<office:meta><dc:title>Lamps</dc:title></office:meta><office:body>${body}</office:body></office:document>`);

  it('are read as those in packages: text without what was deleted', async () => {
    const body =
      '<office:text><text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p></text:deletion></text:changed-region></text:tracked-changes><text:h text:outline-level="1">Part</text:h><text:p>There</text:p></office:text>';
    const document = await parseFile({ name: 'a.fodt', bytes: flat('text', body) });
    expectWellFormed(document);
    expect(document).toMatchObject({ text: 'Part\n\nThere', title: 'Lamps', warnings: [] });
  });

  it('leaves out what was deleted where LibreOffice left it in its place', async () => {
    const region = (id: string, kind: string): string =>
      `<text:changed-region text:id="${id}"><text:${kind}><office:change-info/></text:${kind}></text:changed-region>`;
    const body = `<office:text><text:tracked-changes>${region('c1', 'deletion')}${region('c2', 'insertion')}</text:tracked-changes>
<text:p>kept<text:change-start text:change-id="c1"/> gone<text:s/></text:p><text:p>gone too<text:change-end text:change-id="c1"/>here</text:p>
<text:p><text:change-start text:change-id="c2"/>new<text:change-end text:change-id="c2"/></text:p></office:text>`;
    expect((await parseFile({ name: 'a.fodt', bytes: flat('text', body) })).text).toBe('kept\n\nhere\n\nnew');
  });

  it('sheets by cell, slides by slide', async () => {
    const table =
      '<office:spreadsheet><table:table table:name="Costs"><table:table-row><table:table-cell><text:p>Item</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>Lamp</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>';
    const sheets = await parseFile({ name: 'a.fods', bytes: flat('spreadsheet', table) });
    expect(sheets.places.map(({ label }) => label)).toEqual(['Costs!A1', 'Costs!A2']);
    const chart = table.replace(
      '</table:table>',
      '<table:shapes><draw:frame><draw:object><office:document><text:p>Axis</text:p></office:document></draw:object><draw:image><office:binary-data>QUJD</office:binary-data></draw:image></draw:frame></table:shapes></table:table>',
    );
    const drawn = await parseFile({ name: 'b.fods', bytes: flat('spreadsheet', chart) });
    expect(drawn.text).toBe(sheets.text);
    const page =
      '<office:presentation><draw:page draw:name="p1"><draw:frame><draw:text-box><text:p>Beam</text:p></draw:text-box></draw:frame></draw:page></office:presentation>';
    const slides = await parseFile({ name: 'a.fodp', bytes: flat('presentation', page) });
    expect(slides.text).toContain('Beam');
    expect(slides.places.map(({ label }) => label)).toEqual(['slide 1']);
  });
});
