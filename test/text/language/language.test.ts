import { describe, expect, it } from 'vitest';
import { detectLanguage, guessLanguage, isEnglishOrUnclear } from '../../../src/text/language/language.ts';

describe('isEnglishOrUnclear', () => {
  it('is what may be English, in Latin letters', () => {
    const may = ['pool temp', 'ENOSPC', 'When is the café open on Sundays?', 'α-amylase activity of the samples'];
    const mayNot = ['Wann ist das Bad am Sonntag geöffnet?', 'كيف حالك', 'Когда открыт бассейн?', 'プールはいつ'];
    expect(may.filter(isEnglishOrUnclear)).toEqual(may);
    expect(mayNot.filter(isEnglishOrUnclear)).toEqual([]);
  });
});

describe('detectLanguage', () => {
  it.each([
    ['en', 'The otter swims in the river and eats the fish that it finds there.'],
    ['de', 'Der Otter schwimmt im Fluss und frisst die Fische, die er dort findet.'],
    ['fr', "La loutre nage dans la rivière et mange les poissons qu'elle y trouve."],
    ['es', 'La nutria nada en el río y se come los peces que encuentra por allí.'],
    ['it', 'La lontra nuota nel fiume e mangia i pesci che trova con gli altri animali.'],
    ['pt', 'A lontra nada no rio e come os peixes que não foram levados para longe.'],
    ['nl', 'De otter zwemt in de rivier en eet de vissen die hij daar heeft gevonden.'],
    ['sv', 'Uttern simmar i floden och äter de fiskar som den hittar där, men inte alla.'],
    ['ru', 'Выдра плавает в реке и ест рыбу, которую она там находит.'],
    ['ar', 'تسبح ثعالب الماء في النهر وتأكل الأسماك التي تجدها هناك'],
    ['zh', '水獭在河里游泳，吃它在那里找到的鱼。'],
    ['ja', 'カワウソは川で泳ぎ、そこで見つけた魚を食べます。'],
    ['ko', '수달은 강에서 헤엄치며 물고기를 먹는다.'],
    ['el', 'Η βίδρα κολυμπά στο ποτάμι και τρώει ψάρια.'],
    ['th', 'นากว่ายน้ำในแม่น้ำและกินปลา'],
  ])('%s', (language, text) => {
    expect(detectLanguage(text)).toEqual({ language, reliable: true });
  });

  it('is not misled by variables of one letter in code', () => {
    const code = 'def f(c, s, t):\n    """Return the sum of all of the values in the list."""\n    return c + s + t';
    expect(detectLanguage(code)).toEqual({ language: 'en', reliable: true });
  });

  it('does not rely on a guess from a title or a name', () => {
    for (const text of ['Preliminary Report', 'Géza von Cziffra', 'x = 1'])
      expect(detectLanguage(text).reliable).toBe(false);
  });

  it('says `und` where there are no letters', () => {
    for (const text of ['', ' ', '123 + 456', '😀'])
      expect(detectLanguage(text)).toEqual({ language: 'und', reliable: false });
  });
});

describe('guessLanguage', () => {
  it('tells short texts by their function words and script', () => {
    expect(guessLanguage('Wann wurde die Stadt gegründet?')).toBe('de');
    expect(guessLanguage('Who founded the city?')).toBe('en');
    expect(guessLanguage('城市是什么时候建立的？')).toBe('zh');
    expect(guessLanguage('متى')).toBe('ar');
    expect(guessLanguage('Москва')).toBe('ru');
    expect(guessLanguage('Panthers')).toBe('en');
    expect(guessLanguage('')).toBe('en');
  });

  it('prefers the languages that are likely', () => {
    expect(guessLanguage('Panthers defense', ['de', 'en'])).toBe('de');
    expect(guessLanguage('der Kaiser', ['en', 'de'])).toBe('de');
    expect(guessLanguage('der Kaiser', ['en'])).toBe('en');
  });
});
