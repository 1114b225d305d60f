import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sharedData } from '../../../../testkit/shared-data.ts';
import { inReadingOrder } from '../../src/office/presentation-order.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { openDocumentOf, pptxOf, type SlideFixture, shape } from '../../testkit/office-fixtures.ts';
import { placeOf } from '../../testkit/program.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

const read = async (slides: readonly SlideFixture[], extra?: Readonly<Record<string, string>>) => {
  const document = await parseFile({ name: 'a.pptx', bytes: pptxOf(slides, extra) });
  expectWellFormed(document);
  return document;
};

describe('PPTX', () => {
  it('reads slides in the order of the presentation, with titles and notes, and cites them by slide', async () => {
    const document = await read([
      { shapes: shape('Plans', [0, 0], 'title') + shape('one\ntwo', [0, 500], 'body'), notes: 'Say hello.' },
      { shapes: shape('no title here', [0, 0]) },
    ]);
    expect(document.text).toBe('Plans\n\n- one\n- two\n\nSpeaker notes: Say hello.\n\nSlide 2\n\nno title here');
    expect(document.headings.map(({ title, level }) => [level, title])).toEqual([
      [1, 'Plans'],
      [1, 'Slide 2'],
    ]);
    const at = document.text.indexOf('no title');
    expect(placeOf(document.places, { start: at, end: at + 3 })).toBe('slide 2');
    expect(placeOf(document.places, { start: 0, end: document.text.length })).toBe('slide 1–2');
    expect(document).toMatchObject({ title: 'Figures & facts', metadata: { slides: 2, author: 'Ada' } });
  });

  it('reads columns down before across, and groups where the slide shows them', async () => {
    const group = `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="9" name="g"/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="600"/><a:ext cx="1000" cy="400"/><a:chOff x="90000" y="90000"/><a:chExt cx="1000" cy="400"/></a:xfrm></p:grpSpPr>${shape('left below', [90_000, 90_000])}</p:grpSp>`;
    const document = await read([
      { shapes: shape('right top', [3000, 0]) + shape('right below', [3000, 600]) + group + shape('left top', [0, 0]) },
    ]);
    expect(document.text).toBe('Slide 1\n\nleft top\n\nleft below\n\nright top\n\nright below');
  });

  it('reads tables, charts and alternative texts; footers stay beside the text', async () => {
    const table =
      '<p:graphicFrame><p:xfrm><a:off x="0" y="500"/><a:ext cx="10" cy="10"/></p:xfrm><a:graphic><a:graphicData><a:tbl><a:tr><a:tc gridSpan="2"><a:txBody><a:p><a:r><a:t>Both</a:t></a:r></a:p></a:txBody></a:tc><a:tc hMerge="1"><a:txBody><a:p/></a:txBody></a:tc></a:tr><a:tr><a:tc><a:txBody><a:p><a:r><a:t>a</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>b</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>';
    const chart =
      '<p:graphicFrame><p:xfrm><a:off x="0" y="900"/><a:ext cx="10" cy="10"/></p:xfrm><a:graphic><a:graphicData><c:chart r:id="rIdC"/></a:graphicData></a:graphic></p:graphicFrame>';
    const picture = (description: string, y: number): string =>
      `<p:pic><p:nvPicPr><p:cNvPr id="4" name="x" descr="${description}"/></p:nvPicPr><p:spPr><a:xfrm><a:off x="0" y="${y}"/><a:ext cx="9" cy="9"/></a:xfrm></p:spPr></p:pic>`;
    const document = await read(
      [
        {
          shapes:
            chart +
            table +
            picture('A cat', 1300) +
            picture('', 1400) +
            shape('Confidential', [0, 2000], 'ftr') +
            shape('3', [0, 2100], 'sldNum'),
          relations: { rIdC: ['chart', '../charts/chart1.xml'] },
        },
      ],
      {
        'ppt/charts/chart1.xml':
          '<c:chartSpace xmlns:c="c" xmlns:a="a"><c:chart><c:title><a:t>Growth</a:t></c:title><c:plotArea><c:barChart><c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>Sales</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>Q1</c:v></c:pt><c:pt idx="1"><c:v>Q2</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>4</c:v></c:pt><c:pt idx="1"><c:v>5</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>',
      },
    );
    expect(document.text).toBe('Slide 1\n\nBoth\na | b\n\nChart: Growth\n\nQ1; Sales: 4\nQ2; Sales: 5\n\nImage: A cat');
    expect(document.runningHeads).toEqual([{ page: 1, text: 'Confidential' }]);
    expect(document.warnings).toEqual([expect.stringContaining('1 picture has no text')]);
  });

  it('reads one of two alternatives, equations, and says which slides are hidden', async () => {
    const alternative =
      '<mc:AlternateContent><mc:Choice Requires="a14"><p:sp><p:txBody><a:p><a14:m xmlns:a14="a14"><m:oMath xmlns:m="m"><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></a14:m></a:p></p:txBody></p:sp></mc:Choice><mc:Fallback><p:sp><p:txBody><a:p><a:r><a:t>old</a:t></a:r></a:p></p:txBody></p:sp></mc:Fallback></mc:AlternateContent>';
    const document = await read([{ shapes: shape('T', [0, 0], 'ctrTitle') + alternative, isHidden: true }]);
    expect(document.text).toBe('T\n\nx^2');
    expect(document.warnings).toEqual(['Hidden in the file, read all the same: slide 1.']);
  });

  it('hands over files that were put into its slides', async () => {
    const document = await read(
      [{ shapes: shape('T', [0, 0]), relations: { p: ['package', '../embeddings/a.docx'] } }],
      {
        'ppt/embeddings/a.docx': 'bytes',
      },
    );
    expect(document.attachments?.map(({ name }) => name)).toEqual(['a.docx']);
  });

  it('refuses a presentation without slides or with a missing part', async () => {
    await expect(parseFile({ name: 'a.pptx', bytes: pptxOf([]) })).rejects.toMatchObject({ code: 'invalid-media' });
    const bytes = pptxOf([{ shapes: '' }], { 'ppt/presentation.xml': '<p:presentation>' });
    await expect(parseFile({ name: 'a.pptx', bytes })).rejects.toThrow(/not well-formed/u);
  });
});

describe('reading order', () => {
  const box = (x: number, y: number, width: number, height: number) => ({ box: { x, y, width, height } });

  it('goes card by card where the cards stand apart more than their parts', () => {
    const cards = [box(0, 0, 90, 20), box(200, 0, 90, 20), box(0, 25, 90, 60), box(200, 25, 90, 60)];
    expect(inReadingOrder(cards).map((card) => cards.indexOf(card))).toEqual([0, 2, 1, 3]);
  });

  it('takes any number of shapes in bounded time, and loses none', () => {
    const shapes = Array.from({ length: 20_000 }, (_, index) =>
      box((index * 7919) % 1000, (index * 104_729) % 1000, 5, 5),
    );
    const started = process.cpuUsage();
    expect(new Set(inReadingOrder([...shapes, { box: undefined }])).size).toBe(20_001);
    expect(process.cpuUsage(started).user).toBeLessThan(3_000_000);
  });
});

describe('ODP', () => {
  const frame = (content: string, attributes: string): string =>
    `<draw:frame svg:width="5cm" svg:height="1cm" ${attributes}>${content}</draw:frame>`;
  const box = (text: string): string => `<draw:text-box><text:p>${text}</text:p></draw:text-box>`;

  it('reads slides in order, shapes as they stand, notes labelled', async () => {
    const first =
      frame(box('below'), 'svg:x="1cm" svg:y="6cm"') +
      frame(box('above'), 'svg:x="1cm" svg:y="30mm"') +
      frame(box('Plans'), 'presentation:class="title" svg:x="1cm" svg:y="9cm"') +
      frame('<draw:image xlink:href="p.png"/><svg:title>A cat</svg:title>', 'svg:x="1cm" svg:y="8cm"') +
      `<presentation:notes>${frame(box('Say hello.'), 'presentation:class="notes"')}</presentation:notes>`;
    const second =
      '<draw:custom-shape svg:x="0cm" svg:y="0cm" svg:width="1cm" svg:height="1cm"><text:p>in a shape</text:p></draw:custom-shape>';
    const bytes = openDocumentOf(
      'presentation',
      `<draw:page draw:name="p1">${first}</draw:page><draw:page draw:name="p2" draw:style-name="dp2">${second}</draw:page>`,
      {
        styles:
          '<style:style style:name="dp2"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>',
      },
    );
    const document = await parseFile({ name: 'a.odp', bytes });
    expectWellFormed(document);
    expect(document.text).toBe(
      'Plans\n\nabove\n\nbelow\n\nImage: A cat\n\nSpeaker notes: Say hello.\n\nSlide 2\n\nin a shape',
    );
    expect(document.places.map(({ label }) => label)).toEqual(['slide 1', 'slide 2']);
    expect(document.warnings).toEqual(['Hidden in the file, read all the same: slide 2.']);
  });
});

describe('a layout that slides share', () => {
  it('is read once, however many they are', async () => {
    // Read for each of them it would be more than a file may be unpacked to.
    const layout = `<p:sldLayout xmlns:p="p"><!--${' '.repeat(15_000_000)}--></p:sldLayout>`;
    const relations = { rIdL: ['slideLayout', '../slideLayouts/one.xml'] as const };
    const slides = Array.from({ length: 40 }, (_, at) => ({
      shapes: shape(`Slide number ${at}`, [0, 0], 'title'),
      relations,
    }));
    const bytes = pptxOf(slides, { 'ppt/slideLayouts/one.xml': layout });
    const document = await parseFile({ name: 'a.pptx', bytes });
    expect(document.headings).toHaveLength(40);
  });
});

const folder = sharedData('documents', 'office');
describe.skipIf(folder === undefined)('a real presentation', () => {
  it('gives every marked text of every slide', async () => {
    const name = 'markitdown-test.pptx';
    const document = await parseFile({ name, bytes: new Uint8Array(readFileSync(`${folder}/${name}`)) });
    expectWellFormed(document);
    for (const mark of [
      '2cdda5c8-e50e-4db4-b5f0-9722a649f455',
      '04191ea8-5c73-4215-a1d3-1cfb43aaaf12',
      '44bf7d06-5e7a-4a40-a2e1-a2e42ef28c8a',
      '1b92870d-e3b5-4e65-8153-919f4ff45592',
      'a3f6004b-6f4f-4ea8-bee3-3741f4dc385f',
    ])
      expect(document.text).toContain(mark);
    expect(document.text).toContain('2003; Series 1: 2003');
    expect(document.places).toHaveLength(6);
  });
});
