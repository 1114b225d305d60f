import { describe, expect, it } from 'vitest';
import { parseXmlTree } from '../../src/containers/xml-text.ts';
import { chartLines } from '../../src/office/chart-text.ts';

const written = (text: string): string => `<c:tx><c:rich><a:p><a:r><a:t>${text}</a:t></a:r></a:p></c:rich></c:tx>`;
const points = (values: readonly string[], format = 'General'): string =>
  `<c:formatCode>${format}</c:formatCode>${values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('')}`;
const numbers = (name: string, values: readonly string[], format?: string): string =>
  `<c:${name}><c:numRef><c:numCache>${points(values, format)}</c:numCache></c:numRef></c:${name}>`;
const linesOf = (inside: string, before = ''): string[] =>
  chartLines(
    parseXmlTree(`<c:chartSpace xmlns:c="c" xmlns:a="a">${before}<c:chart>${inside}</c:chart></c:chartSpace>`, 'chart'),
  ).map(({ text }) => text);

describe('charts', () => {
  it('say what their axes show, and numbers without the noise of binary fractions', () => {
    const axis = (kind: string, text: string): string => `<c:${kind}><c:title>${written(text)}</c:title></c:${kind}>`;
    expect(
      linesOf(
        `<c:title>${written('Growth')}</c:title><c:plotArea><c:ser>${numbers('val', ['4.4000000000000004', '1.5E-2'])}</c:ser>${axis('catAx', 'Month')}${axis('valAx', 'Million euros')}</c:plotArea>`,
      ),
    ).toEqual(['Chart: Growth', 'Axes: Month; Million euros', '1; 4.4', '2; 0.015']);
  });

  it('show percentages and days as such', () => {
    const series = `<c:plotArea><c:ser>${numbers('cat', ['39448', '39479.5'], 'm/d/yyyy')}${numbers('val', ['0.287', '0.5'], '0.0%')}</c:ser></c:plotArea>`;
    expect(linesOf(series)).toEqual(['Chart', '2008-01-01; 28.7%', '2008-02-01; 50.0%']);
    expect(linesOf(series, '<c:date1904 val="1"/>')[1]).toBe('2012-01-02; 28.7%');
    const months = `<c:plotArea><c:ser>${numbers('cat', ['39448'], 'mmm\\-yy')}${numbers('val', ['39448'], '#,##0" days"')}</c:ser></c:plotArea>`;
    expect(linesOf(months)[1]).toBe('2008-01; 39448');
  });

  it('are read whatever number of places a format asks for', () => {
    const series = `<c:plotArea><c:ser>${numbers('val', ['0.5'], `0.${'0'.repeat(200)}%`)}</c:ser></c:plotArea>`;
    expect(linesOf(series)).toEqual(['Chart', '1; 50.000000000000000%']);
  });

  it('join the levels of their categories, and keep what was written beside a point', () => {
    const level = (entries: Readonly<Record<number, string>>): string =>
      `<c:lvl>${Object.entries(entries)
        .map(([index, text]) => `<c:pt idx="${index}"><c:v>${text}</c:v></c:pt>`)
        .join('')}</c:lvl>`;
    const categories = `<c:cat><c:multiLvlStrRef><c:multiLvlStrCache>${level({ 0: 'Q1', 1: 'Q2', 2: 'Q1' })}${level({ 0: '2023', 2: '2024' })}</c:multiLvlStrCache></c:multiLvlStrRef></c:cat>`;
    const label = `<c:dLbls><c:dLbl><c:idx val="1"/>${written('strike')}</c:dLbl></c:dLbls>`;
    expect(
      linesOf(`<c:plotArea><c:ser>${label}${categories}${numbers('val', ['1', '2', '3'])}</c:ser></c:plotArea>`),
    ).toEqual(['Chart', '2023 Q1; 1', '2023 Q2; 2 (strike)', '2024 Q1; 3']);
  });
});
