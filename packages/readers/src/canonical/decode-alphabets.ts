// The letters beyond ASCII of the languages that were written in encodings of one byte a character, the commonest first, and which encodings those were
// (WHATWG's labels; those of DOS, which WHATWG leaves out, by IBM's tables). Letters are those of each language's orthography.

export interface ByteEncoding {
  readonly label: string;
  /** As people call it. */
  readonly name: string;
  /** Keys of `alphabets`. */
  readonly languages: readonly string[];
  /** How much rarer such files are than windows-1252: what has to be made up for by the letters (natural logarithm). */
  readonly rarity: number;
}

/** Lower case; of scripts without case, all. */
export const alphabets: Readonly<Record<string, string>> = {
  german: 'üäöß',
  french: 'éèàêçôîûùâïëœ',
  spanish: 'óíáéñúü¿¡',
  portuguese: 'ãçáéíóêõúâôà',
  italian: 'èàùòìé',
  swedish: 'äåöé',
  danish: 'øåæé',
  finnish: 'äöå',
  dutch: 'ëéïèöü',
  icelandic: 'íáðéóúýæþö',
  catalan: 'óàéèíçòúïü·',
  albanian: 'ëç',
  estonian: 'äõüöšž',
  western: 'éäöüáàèóíçñøåæßêôâãïúùëûîòìõýðœš',
  polish: 'łęąóżśćńź',
  czech: 'íáěéřýčžšůúóďťň',
  slovak: 'áíéčýžšúľťóňďôäĺŕ',
  hungarian: 'éáöőóüíűú',
  slovenian: 'čšž',
  croatian: 'čšžćđ',
  romanian: 'ăîţâşșț',
  lithuanian: 'ėšįųžūčąę',
  latvian: 'āīēšņūļķģčž',
  turkish: 'ıüşğçöîâ',
  russian: 'оеаинтсрвлкмдпуыяьгзбчйхжшюцщэфъё',
  ukrainian: 'оанитверсілкдумпязьбйчгцхїєжюшщфґ',
  bulgarian: 'аоиетнрвсдлкъпмзгбучщяцйхжфюшь',
  serbian: 'аоиенрстјудквмлпгзбчшћцжњљхђфџ',
  macedonian: 'аоеинтрсвдлкпмјзугбчшжцќхѓљфѕњџ',
  greek: 'αοιετσνηυρπκμλςωίόδάγέχθήύφβώξζψϊΐ',
  hebrew: 'יוהלאמרתבשנעםדחפקגטכסצזךןףץ',
  arabic: 'المينترودسعبفهقكحجةشخطصضىأئذغزظثءإآؤ،',
  thai: 'านรก่อเ้ยมลวดทสตะปีบคหแิัจใพชขไุูโธณถำผศฎซฟึ์ภฉษญืงฐฑฒฆฬฮๆๅ',
};

const central = ['polish', 'czech', 'slovak', 'hungarian', 'slovenian', 'croatian', 'romanian'];
const western = [
  'german',
  'french',
  'spanish',
  'portuguese',
  'italian',
  'swedish',
  'danish',
  'finnish',
  'dutch',
  'icelandic',
  'catalan',
  'albanian',
  'western',
];
const cyrillic = ['russian', 'ukrainian', 'bulgarian'];

export const byteEncodings: readonly ByteEncoding[] = [
  { label: 'windows-1252', name: 'windows-1252', languages: [...western, 'estonian'], rarity: 0 },
  { label: 'windows-1250', name: 'windows-1250', languages: central, rarity: 2 },
  { label: 'windows-1251', name: 'windows-1251', languages: [...cyrillic, 'serbian', 'macedonian'], rarity: 2 },
  { label: 'windows-1253', name: 'windows-1253', languages: ['greek'], rarity: 3 },
  { label: 'windows-1254', name: 'windows-1254', languages: ['turkish'], rarity: 2 },
  { label: 'windows-1255', name: 'windows-1255', languages: ['hebrew'], rarity: 2 },
  { label: 'windows-1256', name: 'windows-1256', languages: ['arabic'], rarity: 2 },
  { label: 'windows-1257', name: 'windows-1257', languages: ['lithuanian', 'latvian'], rarity: 3 },
  { label: 'windows-874', name: 'windows-874', languages: ['thai'], rarity: 2 },
  { label: 'iso-8859-2', name: 'iso-8859-2', languages: central, rarity: 3 },
  { label: 'iso-8859-5', name: 'iso-8859-5', languages: [...cyrillic, 'serbian', 'macedonian'], rarity: 4 },
  { label: 'iso-8859-6', name: 'iso-8859-6', languages: ['arabic'], rarity: 3 },
  { label: 'iso-8859-7', name: 'iso-8859-7', languages: ['greek'], rarity: 3.5 },
  { label: 'iso-8859-13', name: 'iso-8859-13', languages: ['lithuanian', 'latvian'], rarity: 4 },
  { label: 'koi8-r', name: 'koi8-r', languages: ['russian', 'bulgarian'], rarity: 3 },
  { label: 'koi8-u', name: 'koi8-u', languages: ['ukrainian'], rarity: 4 },
  { label: 'macintosh', name: 'Mac OS Roman', languages: western, rarity: 6 },
  { label: 'x-mac-cyrillic', name: 'Mac OS Cyrillic', languages: cyrillic, rarity: 6 },
  { label: 'ibm866', name: 'code page 866', languages: ['russian', 'bulgarian'], rarity: 4 },
  { label: 'ibm850', name: 'code page 850 (DOS)', languages: western, rarity: 5 },
  { label: 'ibm437', name: 'code page 437 (DOS)', languages: ['german', 'french', 'spanish', 'western'], rarity: 5.5 },
  { label: 'ibm852', name: 'code page 852 (DOS)', languages: central, rarity: 5 },
];

/** The upper halves of what TextDecoder does not know, from 0x80 on. */
export const dosTables: Readonly<Record<string, string>> = {
  ibm437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  ibm850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  ibm852:
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
};
