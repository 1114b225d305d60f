import { describe, expect, it } from 'vitest';
import { isGarbled, qualityWarnings } from '../src/quality.ts';

const prose: Readonly<Record<string, string>> = {
  en: 'The harbour master keeps a ledger of every vessel that comes in, with the name of the captain and the cargo, and no ship leaves before the tide has turned. ',
  de: 'Der Hafenmeister führt ein Buch über jedes Schiff, das einläuft, mit dem Namen des Kapitäns und der Ladung, und keines läuft aus, bevor die Flut kommt. ',
  pl: 'Kapitan portu prowadzi księgę wszystkich statków, które wpływają do portu, z nazwiskiem kapitana i ładunkiem, a żaden nie wypływa przed odpływem. ',
  fi: 'Satamakapteeni pitää kirjaa jokaisesta satamaan saapuvasta laivasta, sen kapteenista ja lastista, eikä yksikään laiva lähde ennen vuoroveden kääntymistä. ',
  tr: 'Liman başkanı limana gelen her geminin kaptanını ve yükünü bir deftere yazar ve hiçbir gemi gelgit dönmeden limandan ayrılmaz, bu kural eskidir. ',
};
const long = (text: string): string => text.repeat(5);
const page = (number: number, start: number, end: number) => ({ number, start, end, width: 600, height: 800 });

describe('quality', () => {
  it.each(Object.keys(prose))('takes prose in %s for what it is', (language) => {
    expect(isGarbled(long(prose[language] ?? ''))).toBe(false);
  });

  it('sees letters that stand for others, a letter that is missing, and characters without meaning', () => {
    const english = long(prose['en'] ?? '');
    const shifted = english.replace(/[a-z]/g, (letter) =>
      String.fromCharCode(((letter.charCodeAt(0) - 97 + 7) % 26) + 97),
    );
    expect(isGarbled(shifted)).toBe(true);
    expect(isGarbled(english.replaceAll('a', ''))).toBe(true);
    expect(isGarbled(english.replace(/[eo]/g, '\ufffd'))).toBe(true);
  });

  it('does not judge what is short, or made of numbers', () => {
    expect(isGarbled('Xqz kfw prt.')).toBe(false);
    expect(isGarbled('12.5 | 17.25 | 19\n'.repeat(200))).toBe(false);
  });

  it('names pages with hardly any text among pages with text', () => {
    const one = prose['en'] ?? '';
    const text = `${one}4\n${one}${one}`;
    const pages = [page(1, 0, one.length), page(2, one.length, one.length + 2), page(3, one.length + 2, text.length)];
    expect(qualityWarnings({ text, pages })).toEqual([
      { kind: 'few-characters', message: 'There is hardly any text on page 2.', pages: [2] },
    ]);
    expect(qualityWarnings({ text: `${one}\ufffd\ufffd\ufffd`, pages: [] })).toMatchObject([
      { kind: 'unknown-characters' },
    ]);
  });

  it('does not miss words in tables of figures and ids', () => {
    const text = long(prose['en'] ?? '').replaceAll('a', '');
    const [start, end] = [0, text.length];
    expect(qualityWarnings({ text, pages: [], blocks: [{ kind: 'paragraph', start, end }] })).toMatchObject([
      { kind: 'garbled' },
    ]);
    expect(qualityWarnings({ text, pages: [], blocks: [{ kind: 'table-row', start, end }] })).toEqual([]);
  });
});
