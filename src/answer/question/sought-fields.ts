// What the fields are called that answer a question: "How high is …" is answered by the field "Height", "Who wrote …" by "Author".
// Terms of the field (contacts, catalogues, lists of facts, heads of messages) in English, German, French and Spanish; no list is about one subject.
// Pure.
import { termSet, termsOf } from './terms.ts';

export interface SoughtFields {
  /** Words that names of fields hold, in lower case. */
  readonly names: ReadonlySet<string>;
  /** Every word of the question, as search spells it: "the payment terms" are told by the field "Payment Terms". */
  readonly asked: ReadonlySet<string>;
  /** For each term of the question: is it said by the name of such a field? */
  readonly said: readonly boolean[];
}

interface Cue {
  readonly asks: RegExp;
  readonly names: string;
}

/** Every cue that fits counts. */
const written: readonly Cue[] = [
  {
    asks: /\bhow (?:high|tall)\b|\bwie hoch\b|\bqu[eé]l\w* (?:hauteur|altura)\b/iu,
    names: 'height elevation altitude höhe hauteur altura',
  },
  {
    asks: /\bhow long\b|\bwie lang\w*\b/iu,
    names: 'length duration runtime term länge dauer laufzeit longueur durée longitud duración',
  },
  { asks: /\bhow (?:big|large)\b|\bwie groß\b/iu, names: 'size area größe fläche taille superficie tamaño' },
  { asks: /\bhow deep\b|\bwie tief\b/iu, names: 'depth tiefe profondeur profundidad' },
  { asks: /\bhow wide\b|\bwie breit\b/iu, names: 'width breite largeur anchura' },
  { asks: /\bhow heavy\b|\bwie schwer\b/iu, names: 'weight mass gewicht masse poids peso' },
  { asks: /\bhow fast\b|\bwie schnell\b/iu, names: 'speed geschwindigkeit vitesse velocidad' },
  { asks: /\bhow old\b|\bwie alt\b/iu, names: 'age born birth alter geboren âge edad' },
  {
    asks: /\bhow much\b|\bcosts?\b|\bwie ?viel kostet\b|\bwas kostet\b|\bcombien coûte\b|\bcuánto cuesta\b/iu,
    names: 'price cost amount total fee rate preis kosten betrag summe prix coût montant precio coste importe monto',
  },
  {
    asks: /\bhow many\b.{0,30}\b(?:people|inhabitants|residents) live\b|\bpeople live\b|\bpopulation\b|\bwie ?viele (?:einwohner|menschen)\b/iu,
    names: 'population inhabitants einwohner bevölkerung habitants población',
  },
  {
    asks: /\bhow many (?:people )?(?:work|employees)\b|\bwie ?viele (?:mitarbeiter|leute arbeiten)\b/iu,
    names: 'employees staff headcount mitarbeiter beschäftigte employés empleados',
  },
  {
    asks: /\bwhere\b.{0,60}\bborn\b|\bbirthplace\b|\bwo\b.{0,60}\bgeboren\b/iu,
    names: 'born birth birthplace geboren geburtsort naissance nacimiento',
  },
  {
    asks: /\bwhen\b.{0,60}\bborn\b|\bbirthday\b|\bwann\b.{0,60}\bgeboren\b/iu,
    names: 'born birth birthday geboren geburtsdatum geburtstag naissance nacimiento',
  },
  {
    asks: /\bwhen\b.{0,60}\b(?:die|died)\b|\bwann\b.{0,60}\bgestorben\b/iu,
    names: 'died death gestorben décès fallecimiento',
  },
  {
    asks: /\bfounders?\b|\bwho\b.{0,20}\b(?:founded|established|set up|started)\b|\bgründer\w*\b|\bwer\b.{0,60}\bgegründet\b|\bfondateurs?\b|\bfundador\w*\b/iu,
    names: 'founder founders gründer fondateur fondateurs fundador fundadores',
  },
  {
    asks: /\b(?:when|where|what year)\b.{0,60}\b(?:founded|established|set up|formed)\b|\bwann\b.{0,60}\bgegründet\b|\bquand\b.{0,60}\bfondée?\b/iu,
    names: 'founded established formation formed inception gegründet gründung gründungsjahr fondation fundación',
  },
  {
    asks: /\bwho\b.{0,20}\b(?:designed|built|drew)\b|\barchitects?\b|\bwer\b.{0,60}\b(?:entworfen|gebaut|entwarf|baute)\b/iu,
    names: 'architect designer design builder architekt entwurf architecte arquitecto diseñador',
  },
  {
    asks: /\bwho\b.{0,30}\b(?:wr[io]te|written|authors?|posted|published|created|composed)\b|\bby whom\b|\bauthors?\b|\bwer\b.{0,60}\b(?:geschrieben|verfasst|schrieb)\b|\bqui\b.{0,30}\bécrit\b|\bquién\b.{0,20}\b(?:escribió|creó)\b/iu,
    names: 'author authors creator writer by autor verfasser auteur creador',
  },
  { asks: /\bwho\b.{0,30}\b(?:prepared|compiled|drew up)\b/iu, names: 'prepared author compiled by' },
  {
    asks: /\bwho\b.{0,30}\b(?:sends?|sent|wr[io]te|mailed|asked|replied)\b|\bfrom whom\b|\bsender\b|\bvon wem\b|\bwer\b.{0,60}\b(?:geschickt|gesendet|geschrieben)\b|\bqui\b.{0,30}\b(?:envoyé|écrit)\b|\bquién\b.{0,20}\benvió\b/iu,
    names: 'from sender von absender de expéditeur remitente',
  },
  {
    asks: /\b(?:to whom|who\b.{0,30}\b(?:received|receive|got))\b|\brecipients?\b|\ban wen\b/iu,
    names: 'to cc recipient an kopie empfänger à para destinatario',
  },
  {
    asks: /\bwhen\b.{0,80}\b(?:published|posted|released|written|issued|sent|mailed|received|printed|ordered|bought)\b|\bwann\b.{0,80}\b(?:veröffentlicht|erschienen|geschrieben|gesendet|geschickt)\b/iu,
    names:
      'published publication posted released release issued date dated sent datum veröffentlicht erschienen gesendet publié publication fecha publicado',
  },
  {
    asks: /\bwhen\b.{0,80}\b(?:ends?|expires?|over|finish\w*|due|close[sd]?)\b|\bdeadline\b|\bbis wann\b|\bwann\b.{0,60}\b(?:endet|läuft)\b/iu,
    names: 'end ends expires expiry until due deadline closing ende frist fällig fin échéance vencimiento',
  },
  {
    asks: /\bwhen\b.{0,80}\b(?:starts?|begins?|opens?)\b|\bwann\b.{0,60}\b(?:beginnt|startet)\b/iu,
    names: 'start starts begin begins opening beginn anfang début inicio',
  },
  {
    asks: /\bwhere\b.{0,80}\b(?:held|take place|located|based|is|are|situated)\b|\bwo\b.{0,60}\b(?:ist|liegt|findet)\b|\boù\b|\bdónde\b/iu,
    names:
      'location place venue address city headquarters office room where ort adresse sitz raum standort lieu siège lugar dirección sede',
  },
  {
    asks: /\b(?:phone|telephone|mobile|call)\b|\btelefon\w*\b|\btéléphone\b|\bteléfono\b/iu,
    names: 'phone tel telephone mobile cell telefon handy mobil téléphone teléfono',
  },
  { asks: /\be-?mail(?: address)?\b|\bcorreo\b/iu, names: 'email e-mail mail correo' },
  { asks: /\bwebsite\b|\bweb ?page\b|\burl\b|\bwebseite\b/iu, names: 'website url homepage web webseite' },
  { asks: /\blicen[sc]ed?\b|\blizenz\w*\b|\blicence\b|\blicencia\b/iu, names: 'license licence lizenz licencia' },
  {
    asks: /\bwho\b.{0,30}\b(?:leads?|runs?|heads?|manages?|in charge)\b|\bceo\b|\bboss\b/iu,
    names: 'ceo chair chairman director head lead leader manager president',
  },
  {
    asks: /\bwho\b.{0,30}\b(?:teach(?:es)?|taught|lectures?|gives the (?:course|class|lesson))\b/iu,
    names: 'teacher tutor instructor lecturer trainer',
  },
  { asks: /\bwho\b.{0,30}\b(?:coach(?:es|ed)?|trains?|trained)\b/iu, names: 'coach trainer instructor' },
  {
    asks: /\bwho\b.{0,30}\b(?:organi[sz]e[sd]?|hosts?|hosted)\b/iu,
    names: 'organiser organisers organizer organizers host hosts',
  },
  {
    asks: /\bwho\b.{0,30}\b(?:supplies|supplied|delivers|sells|sold|makes?|made|produce[sd]?|manufacture[sd]?)\b/iu,
    names: 'supplier vendor seller dealer maker manufacturer producer',
  },
];

/** `\b` and `\w` know ASCII letters alone. Whether an edge begins or ends a word tells what stands next. */
const cues = written.map(({ asks, names }) => ({
  names: names.split(' '),
  asks: new RegExp(
    asks.source
      .replace(/\\b(?=[|.)\s]|$)/gu, String.raw`(?!\p{L})`)
      .replaceAll('\\b', String.raw`(?<!\p{L})`)
      .replaceAll('\\w', String.raw`\p{L}`),
    'u',
  ),
}));
/** Questions are short; what stands behind is told, not asked. */
const longestQuestion = 1_000;

/** The fields that would answer. `language`: what the question is read in. */
export function soughtFields(
  question: string,
  terms: readonly { readonly start: number; readonly end: number }[],
  language: string,
): SoughtFields {
  const asked = question.slice(0, longestQuestion);
  const lower = asked.toLowerCase();
  const found = cues.flatMap(({ asks, names }) => {
    // Few letters change their length, and only elsewhere.
    const match = lower.length === asked.length ? asks.exec(lower) : null;
    return match === null ? [] : [{ names, start: match.index, end: match.index + match[0].length, words: match[0] }];
  });
  const names = new Set(found.flatMap((cue) => cue.names));
  // Of the words that ask only the first and the last: between them stands what is asked about.
  const said = terms.map(({ start, end }) =>
    found.some(
      (cue) =>
        (start >= cue.start && end === cue.end) ||
        (start < cue.start + leadOf(cue.words) && end <= cue.end && start >= cue.start),
    ),
  );
  return { names, asked: termSet(asked, language), said };
}

/** Length of the words before what is asked about: "how many people", "who". */
const leadOf = (words: string): number =>
  /^\S+(?:\s+(?:high|tall|long|big|large|deep|wide|heavy|fast|old|much|many)\b)?/iu.exec(words)?.[0].length ?? 0;

const nameBefore = /^([^:;|\n]{1,60})[:|;]\s{0,8}\S/u;
/** "Sales tax (8.5%) $66.23": what stands at the end, and what before it. */
const amount = /(?:[$€£¥]\s?-?\d[\d.,]*|\s-?\d[\d.,]*\s?(?:€|EUR|USD|GBP|CHF))$/u;
const nameOfAmount = /^(\p{L}[\p{L} '’.-]{1,40}?)\s{0,8}(?:\([^()\n]{1,20}\))?\s{0,8}[-–]?$/u;
const everyName = /(?:^|[;|\n])[^\S\n]{0,8}([^\s:;|][^:;|\n]{0,59}):\s{1,8}\S/gu;

/** How the fields of a piece are called: what stands before a colon, or in the first of two cells. */
export function fieldNamesOf(written: string): readonly string[] {
  // Most sentences have neither a mark of a field nor an amount.
  if (!/[:|\d]/u.test(written)) return [];
  const piece = written.replace(/^\s*\|/u, '').trim();
  const names = [...piece.matchAll(everyName)].map(([, name = '']) => name);
  if (names.length > 0) return names.slice(0, mostNames);
  const first = piece.split(/\s\|\s/u).length === 2 ? nameBefore.exec(piece)?.[1]?.trim() : nameWithAmount(piece);
  return first === undefined ? [] : [first];
}

function nameWithAmount(piece: string): string | undefined {
  const at = amount.exec(piece)?.index;
  return at === undefined ? undefined : nameOfAmount.exec(piece.slice(0, at))?.[1];
}
const mostNames = 40;

/** Whether a field of that name answers such questions. */
export function isSought(name: string, { names }: SoughtFields): boolean {
  if (names.size === 0) return false;
  const words = name.toLowerCase().match(/[\p{L}-]+/gu) ?? [];
  return words.length <= longestName && words.some((word, at) => names.has(word) && !isOfOther(word, words[at + 1]));
}
/** "Total assets" is a sum of assets, not what was paid. */
const isOfOther = (word: string, next: string | undefined): boolean =>
  word === 'total' && next !== undefined && !ofTotal.has(next);
const ofTotal = new Set(
  'amount cost costs price due paid payable fee fees charge charges to for in incl including'.split(' '),
);
const longestName = 4;

/** Whether the question itself says the name. */
export function isNamed(name: string, { asked }: SoughtFields, language: string): boolean {
  const words = termsOf(name, language);
  return words.length > 0 && words.length <= longestName && words.every(({ term }) => asked.has(term));
}
