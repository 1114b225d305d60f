import { describe, expect, it } from 'vitest';
import { decodeText, looksBinary } from '../../src/canonical/decode.ts';
import { dosTables } from '../../src/canonical/decode-alphabets.ts';

/** Bytes of a text in an encoding of one or two bytes a character, by turning Node's decoder around. */
function encode(text: string, label: string): Uint8Array {
  const dos = dosTables[label];
  if (dos !== undefined)
    return Uint8Array.from(
      [...text].map((character) => (character < '\u0080' ? character.charCodeAt(0) : dos.indexOf(character) + 0x80)),
    );
  const decoder = new TextDecoder(label, { fatal: true });
  const table = new Map<string, number[]>();
  const learn = (bytes: number[]): void => {
    try {
      const character = decoder.decode(Uint8Array.from(bytes));
      if ([...character].length === 1 && !table.has(character)) table.set(character, bytes);
    } catch {}
  };
  for (let first = 0; first < 256; first++) learn([first]);
  if (/jis|euc|gb|big5/u.test(label))
    for (let first = 0x81; first < 0xff; first++)
      for (let second = 0x40; second < 0xff; second++) learn([first, second]);
  return Uint8Array.from([...text].flatMap((character) => table.get(character) ?? [0x3f]));
}

const texts: readonly (readonly [label: string, text: string])[] = [
  ['windows-1252', 'Größe der Straße: 5 Meter. Schöne Grüße aus München.'],
  ['windows-1252', 'Le café est très apprécié à l’été; ça coûte 5 €.'],
  ['windows-1252', 'name;price\nCafé;5\nThé;3\n'],
  // In Shift-JIS an accented letter takes the next one along: kanji in the middle of words.
  ['windows-1252', 'Käthe Brömmelhaus, Göttingen'],
  ['windows-1252', 'Käthe Brömmelhaus zählt ihre Gänse in Göttingen.'],
  ['windows-1252', 'Die Universität erhält mehr Plätze.'],
  ['windows-1252', 'Jérôme préfère les légumes.'],
  ['windows-1250', 'Příliš žluťoučký kůň úpěl ďábelské ódy. Cena je vysoká.'],
  ['windows-1250', 'Zażółć gęślą jaźń. Wszystko jest dobrze w tym mieście.'],
  ['windows-1250', 'Každá žiadosť musí byť doručená úradu do konca týždňa.'],
  ['windows-1250', 'Račun mora biti plačan, še preden začne teči rok za pritožbo.'],
  ['iso-8859-2', 'Račun mora biti plačan, še preden začne teči rok za pritožbo. Če želite več, pišite.'],
  ['iso-8859-2', 'Każdy wniosek musi być złożony w urzędzie do końca miesiąca. Później jest już za późno.'],
  ['windows-1257', 'Kiekvienas prašymas turi būti pateiktas iki mėnesio pabaigos, o vėliau jau per vėlu.'],
  ['windows-1252', 'He said “yes” – and left…'],
  ['windows-1252', '• It’s the “first” item\n• the “second” — at 20 °C, 5 µm'],
  ['windows-1252', '© 2001 A. Person'],
  // As programs for DOS and old Macintoshes wrote.
  ['ibm850', 'Für die Prüfung der Anträge ist das Büro zuständig. Größere Beträge überweist die Kasse.'],
  ['ibm850', 'La société a été créée à Genève; le siège est resté là où il était.'],
  ['ibm852', 'Každý žadatel obdrží potvrzení, že jeho žádost byla přijata.'],
  ['ibm866', 'Каждое заявление должно быть подано до конца месяца.'],
  ['ibm437', '┌────────┐\n│ Grüße! │\n└────────┘\n░▒▓█▄▀ ▐▌'],
  ['macintosh', 'Für die Prüfung der Anträge ist das Büro zuständig. Größere Beträge überweist die Kasse.'],
  ['koi8-u', 'Привіт! Це перевірка кодування тексту, який її містить.'],
  ['windows-1251', 'Секое барање мора да биде поднесено до крајот на месецот, а подоцна е веќе доцна. Ќе се јавиме.'],
  ['windows-874', 'เอกสารนี้เป็นการทดสอบการเข้ารหัสตัวอักษร'],
  ['windows-1251', 'Привет, мир! Это проверка кодировки текста.'],
  ['windows-1251', 'ИВАН ПЕТРОВ, МОСКВА'],
  ['windows-1251', 'Имя;Цена\nКофе;5\nЧай;3\n'],
  ['koi8-r', 'Привет, мир! Это проверка кодировки текста.'],
  ['iso-8859-7', 'Καλημέρα κόσμε, αυτό είναι ένα δοκιμαστικό κείμενο.'],
  ['windows-1254', 'Merhaba dünya, bugün hava çok güzel. Şimdi yağmur yağıyor.'],
  ['windows-1256', 'مرحبا بالعالم، هذا نص لاختبار الترميز في الملف.'],
  ['gb18030', '你好，世界。这是一个测试文件，用来检查编码。'],
  ['big5', '你好，世界。這是一個測試檔案，用來檢查編碼。'],
  ['euc-jp', 'こんにちは世界。これは文字コードのテストです。'],
  ['shift_jis', '名前,年齢,住所\n佐藤太郎,30,東京\n'],
  // Beside letters and figures of ASCII, and with a character of private use.
  ['shift_jis', 'PDFを開く'],
  ['shift_jis', 'a社とb社'],
  ['shift_jis', 'JR東海,JR西日本\n'],
  ['shift_jis', 'name,city\nTanaka,東京\nSato,大阪市\n'],
  ['shift_jis', '第1回 QCサークル\ue000の記録'],
  ['euc-kr', '안녕하세요 세계. 이것은 인코딩 테스트입니다.'],
];

describe('text without a mark', () => {
  it.each(texts)('in %s reads as it was written: %s', (label, text) => {
    const { text: found, warnings } = decodeText(encode(text, label), 'a.txt');
    expect(found).toBe(text);
    expect(warnings).toHaveLength(1);
  });

  it('is judged by its first bytes beyond ASCII, however late they come', () => {
    const ascii = Buffer.from('All of this is plain.\n'.repeat(5000));
    const late = Buffer.concat([ascii, encode('Привет, мир! Это проверка кодировки текста.', 'windows-1251')]);
    expect(decodeText(late, 'a.txt').text).toContain('Привет, мир!');
  });

  it.each(['utf-16le', 'utf-16be'])('in %s', (label) => {
    const bytes = Buffer.from('Name,Ort\nJörg,Köln – “5 €”\n', 'utf16le');
    if (label === 'utf-16be') bytes.swap16();
    const { text, encoding, warnings } = decodeText(bytes, 'a.csv');
    expect([text, encoding, warnings.length]).toEqual(['Name,Ort\nJörg,Köln – “5 €”\n', label, 1]);
  });

  it('in ISO-2022-JP, whose bytes are all ASCII', () => {
    const bytes = Buffer.from('\u001b$B$3$s$K$A$O\u001b(B, world\n', 'latin1');
    expect(decodeText(bytes, 'a.txt').text).toBe('こんにちは, world\n');
    const colours = Buffer.from('\u001b[31mred\u001b[0m $B(B\n', 'latin1');
    expect(decodeText(colours, 'a.txt').encoding).toBe('utf-8');
  });

  it('goes by what the file declares before any guess', () => {
    expect(decodeText(encode('Καλημέρα κόσμε', 'iso-8859-7'), 'a.xml', 'ISO-8859-7').encoding).toBe('iso-8859-7');
  });

  it('is no text where samples of sound look like it', () => {
    const sound = new Uint8Array(4096);
    for (let index = 0; index < sound.length; index += 2) sound[index] = (index * 37) % 32;
    expect(looksBinary(sound)).toBe(true);
  });
});
