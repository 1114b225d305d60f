import { describe, expect, it } from 'vitest';
import {
  clearLanguage,
  findMismatch,
  toDegradation,
  withoutMetMismatch,
} from '../../../src/retrieval/legs/language-mismatch.ts';

const german = 'Wie viele Punkte ließ die Verteidigung der Panthers in der Saison zu?';
const english = [{ language: 'en', chunks: 99 }];
/** As people begin. */
const short: Readonly<Record<string, readonly string[]>> = {
  en: ['What is attention?', 'Who wrote it?', 'When was it built?', 'Can I park in Wien?'],
  de: ['Was ist das?', 'Wer hat das geschrieben?', 'Wie hoch ist der Turm?', 'Was war in Rom?'],
  fr: ['Qui est l’auteur ?', 'Où est la tour ?', 'Quel est le total ?', 'Qui a écrit ça ?'],
  es: ['¿Quién es el autor?', '¿Dónde está la torre?', '¿Qué es esto?', '¿Cuánto cuesta?'],
  ja: ['誰が書いた？', '著者名', '首都', '東京の人口は？'],
};
const find = (question: string, languages: readonly { language: string; chunks: number }[]) =>
  findMismatch(clearLanguage(question), languages);

describe('the language of a question', () => {
  it('is told where function words or script are clear', () => {
    expect(clearLanguage(german)).toBe('de');
    expect(clearLanguage('城市是什么时候建立的？')).toBe('zh');
    expect(clearLanguage('متى تأسست المدينة')).toBe('ar');
    expect(clearLanguage('Когда основали?')).toBe('ru');
    expect(clearLanguage('How many points did the defense of the Panthers give up?')).toBe('en');
  });

  it('is left open where a few words or names could be any', () => {
    for (const text of ['Panthers defense', 'ERR_TIMEOUT 408', '42', '', 'Angela Merkel Berlin'])
      expect(clearLanguage(text), text).toBeUndefined();
  });
});

describe('a language mismatch', () => {
  it('is a clear question that hardly any document could answer', () => {
    expect(find(german, english)).toEqual({ question: 'de', documents: ['en'], isSure: true });
    expect(
      find(german, [
        { language: 'fr', chunks: 60 },
        { language: 'en', chunks: 39 },
        { language: 'it', chunks: 20 },
      ]),
    ).toEqual({ question: 'de', documents: ['fr', 'en'], isSure: true });
  });

  it('is none where enough documents are in the language, or nothing is known', () => {
    expect(find(german, [...english, { language: 'de', chunks: 4 }])).toBeUndefined();
    expect(find('Panthers defense', english)).toBeUndefined();
    expect(find(german, [])).toBeUndefined();
    expect(find(german, [{ language: 'und', chunks: 9 }])).toBeUndefined();
  });

  it('is not sure where a document is in the language of the question, or the language of most is not known', () => {
    const one = [...english, { language: 'de', chunks: 1 }];
    expect(find(german, one)).toEqual({ question: 'de', documents: ['en'], isSure: false });
    expect(find(german, [...english, { language: 'und', chunks: 99 }])).toMatchObject({ isSure: false });
    expect(find(german, [...english, { language: 'und', chunks: 98 }])).toMatchObject({ isSure: true });
  });

  it.each(Object.entries(short))(
    'is none for short questions over documents of their own language: %s',
    (own, asked) => {
      const others = Object.keys(short).filter((language) => language !== own);
      for (const question of asked) {
        // However few there are.
        const few = [...others.map((language) => ({ language, chunks: 500 })), { language: own, chunks: 1 }];
        expect(find(question, few)?.isSure, question).not.toBe(true);
        expect(find(question, [{ language: own, chunks: 9 }]), question).toBeUndefined();
      }
    },
  );

  it('does not tell languages of one alphabet apart by the alphabet', () => {
    expect(find('Коли засновано?', [{ language: 'uk', chunks: 5 }])).toBeUndefined();
    expect(find('کی تأسیس شد', [{ language: 'fa', chunks: 5 }])).toBeUndefined();
    expect(find('Коли засновано?', english)).toEqual({ question: 'ru', documents: ['en'], isSure: true });
  });

  it('is said in words, with what it means for each kind of search', () => {
    const mismatch = { question: 'de', documents: ['en', 'fr'] };
    const effects = (['none', 'corpus', 'fixed'] as const).map((meaning) => {
      const { component, code, detail, effect } = toDegradation(mismatch, meaning);
      expect([component, code]).toEqual(['language', 'language-mismatch']);
      expect(detail).toBe('The question is in German; most documents are in English and French.');
      return effect;
    });
    expect(new Set(effects).size).toBe(3);
    expect(effects[1]).toContain('multilingual model');
  });

  it('is not told under an answer that cites the language of the question', () => {
    const mismatch = toDegradation({ question: 'de', documents: ['en'] }, 'none');
    const other = { ...mismatch, code: 'reranker-failed' };
    const told = (quote: string) => withoutMetMismatch([mismatch, other], german, [quote]).map(({ code }) => code);
    expect(told('Die Verteidigung der Panthers ließ in der Saison 308 Punkte zu.')).toEqual(['reranker-failed']);
    expect(told('The defense of the Panthers gave up 308 points.')).toEqual(['language-mismatch', 'reranker-failed']);
    expect(told('Panthers 308')).toEqual(['language-mismatch', 'reranker-failed']);
  });
});
