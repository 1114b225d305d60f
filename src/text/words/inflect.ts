// The keys under which inflected and differently spelt forms of one English word meet: regular endings, irregular verbs and
// nouns, British and American spelling. Inflection only: "employer" and "employee", "high" and "higher", "happy" and
// "unhappy" never meet. Other languages fall back to a light ending stripper.
import { foldDiacritics } from './normalise.ts';

const irregularText = `arise arose arisen;be am is are was were been being;bear bore borne;beat beaten;become became;begin began begun;bend bent;bind bound;bite bit bitten;bleed bled;blow blew blown;break broke broken;breed bred;bring brought;build built;burn burnt;buy bought;catch caught;choose chose chosen;cling clung;come came;creep crept;deal dealt;dig dug;dive dove;do does did done;draw drew drawn;dream dreamt;drink drank drunk;drive drove driven;eat ate eaten;fall fell fallen;feed fed;feel felt;fight fought;find found;flee fled;fly flew flown;forbid forbade forbidden;forecast;forget forgot forgotten;forgive forgave forgiven;freeze froze frozen;get got gotten;give gave given;go goes went gone;grind ground;grow grew grown;hang hung;have has had having;hear heard;hide hid hidden;hold held;keep kept;kneel knelt;know knew known;lay laid;lead led;lean leant;learn learnt;leave left;lend lent;lie lay lain;light lit;lose lost;make made;mean meant;meet met;overcome overcame;overtake overtook overtaken;pay paid;prove proven;ride rode ridden;ring rang rung;rise rose risen;run ran;say said;see saw seen;seek sought;sell sold;send sent;sew sewn;shake shook shaken;shine shone;shoot shot;show shown;shrink shrank shrunk;sing sang sung;sink sank sunk;sit sat;sleep slept;slide slid;speak spoke spoken;speed sped;spend spent;spin spun;split;spread;spring sprang sprung;stand stood;steal stole stolen;stick stuck;strike struck stricken;strive strove striven;swear swore sworn;sweep swept;swell swollen;swim swam swum;swing swung;take took taken;teach taught;tear tore torn;tell told;think thought;throw threw thrown;undergo underwent undergone;understand understood;undertake undertook undertaken;wake woke woken;wear wore worn;weave wove woven;win won;wind wound;withdraw withdrew withdrawn;withstand withstood;write wrote written;man men;woman women;child children;person people persons;mouse mice;goose geese;tooth teeth;foot feet;ox oxen;datum data;medium media;criterion criteria;phenomenon phenomena;bacterium bacteria;analysis analyses;basis bases;crisis crises;hypothesis hypotheses;thesis theses;diagnosis diagnoses;axis axes;index indices indexes;matrix matrices;vertex vertices;appendix appendices;nucleus nuclei;stimulus stimuli;fungus fungi;cactus cacti;radius radii;alumnus alumni;formula formulae;larva larvae;wife wives;knife knives;life lives;leaf leaves;half halves;wolf wolves;shelf shelves;thief thieves;calf calves;loaf loaves;self selves;die dies died dying;lie lies lied lying;tie ties tied tying;use uses used using;age ages aged aging;agree agrees agreed agreeing;disagree disagrees disagreed disagreeing;free frees freed freeing;guarantee guarantees guaranteed guaranteeing;add adds added adding;owe owes owed owing;ice ices iced icing;do doing;ski skis skied skiing;dye dyes dyed dyeing`;
const irregular = new Map<string, string[]>();
for (const group of irregularText.split(';')) {
  const forms = group.split(' ');
  for (const form of forms) {
    const known = irregular.get(form) ?? [];
    known.push(forms[0] as string);
    irregular.set(form, known);
  }
}

const britishText = `colour color;behaviour behavior;labour labor;neighbour neighbor;favour favor;harbour harbor;honour honor;humour humor;rumour rumor;tumour tumor;vapour vapor;vigour vigor;flavour flavor;armour armor;odour odor;saviour savior;endeavour endeavor;parlour parlor;rigour rigor;splendour splendor;glamour glamor;centre center;metre meter;litre liter;theatre theater;fibre fiber;calibre caliber;sombre somber;lustre luster;spectre specter;manoeuvre maneuver;sabre saber;meagre meager;catalogue catalog;dialogue dialog;analogue analog;programme program;defence defense;offence offense;licence license;pretence pretense;practise practice;grey gray;tyre tire;plough plow;aluminium aluminum;cheque check;draught draft;jewellery jewelry;kerb curb;mould mold;moustache mustache;pyjamas pajamas;sceptic skeptic;sceptical skeptical;sulphur sulfur;sulphate sulfate;artefact artifact;ageing aging;judgement judgment;acknowledgement acknowledgment;fulfil fulfill;instalment installment;enrol enroll;skilful skillful;wilful willful;speciality specialty;storey story;towards toward;afterwards afterward;whilst while;amongst among;learnt learned;spelt spelled;dreamt dreamed;anaemia anemia;haemoglobin hemoglobin;haemorrhage hemorrhage;leukaemia leukemia;oesophagus esophagus;oestrogen estrogen;foetus fetus;foetal fetal;paediatric pediatric;orthopaedic orthopedic;gynaecology gynecology;encyclopaedia encyclopedia;mediaeval medieval;archaeology archeology;anaesthetic anesthetic;caesium cesium;diarrhoea diarrhea;manoeuvring maneuvering;cosy cozy;doughnut donut;aeroplane airplane;mum mom;maths math;tonne ton-metric;aesthetic esthetic;yoghurt yogurt;omelette omelet;cancelled canceled;cancelling canceling;focussed focused;favourite favorite;neighbourhood neighborhood;behavioural behavioral;colourful colorful;labourer laborer;honourable honorable;favourable favorable;traveller traveler;counsellor counselor;jeweller jeweler;marvellous marvelous;woollen woolen`;
const american = new Map<string, string>();
for (const pair of britishText.split(';')) {
  const [british, plain] = pair.split(' ') as [string, string];
  american.set(british, plain);
}

const unchanged = new Set(
  'news series species physics mathematics politics economics gas bus lens always perhaps thus this his its was has does less unless process access success address business princess mass class glass grass pass press loss cross boss dress stress illness illness across christmas texas kansas paris london king ring thing wing string spring evening morning during nothing something anything everything ceiling being red bed need seed feed speed breed deed weed hundred sacred naked wicked indeed united shed sled led wed ted ring sing bring cling fling sting swing wring beijing boeing wales james'.split(
    ' ',
  ),
);
const vowel = /[aeiouy]/u;

function stripEnding(word: string): string {
  if (word.length < 4 || unchanged.has(word)) return word;
  let stem = word;
  if (stem.endsWith('ies') && stem.length > 4) stem = `${stem.slice(0, -3)}y`;
  else if (/(?:[sxz]|[cs]h)es$/u.test(stem) && stem.length > 4) stem = stem.slice(0, -2);
  else if (stem.endsWith('oes') && stem.length > 4) stem = stem.slice(0, -2);
  else if (stem.endsWith('s') && !/(?:ss|us|is|'s)$/u.test(stem)) stem = stem.slice(0, -1);
  else if (stem.endsWith('ied') && stem.length > 4) stem = `${stem.slice(0, -3)}y`;
  else if (stem.endsWith('ed') && !stem.endsWith('eed') && vowel.test(stem.slice(0, -2)) && stem.length > 4)
    stem = undouble(stem.slice(0, -2));
  else if (stem.endsWith('ing') && vowel.test(stem.slice(0, -3)) && stem.length > 5) stem = undouble(stem.slice(0, -3));
  return stem;
}

function undouble(stem: string): string {
  return /([bdfgklmnprtz])\1$/u.test(stem) && stem.length > 3 ? stem.slice(0, -1) : stem;
}

/** One spelling for -ise/-ize, -yse/-yze, -our/-or, double consonants and a final e, so that the keys of a word's forms agree. */
function settle(stem: string): string {
  let key = american.get(stem) ?? stem;
  if (key.length > 5) key = key.replace(/is(e|ation|er|ing)?$/u, 'iz$1').replace(/ys(e|ing)?$/u, 'yz$1');
  if (key.length > 5) key = key.replace(/our$/u, 'or').replace(/isation/u, 'ization');
  if (key.length > 3) key = key.replace(/([aeiouy])([lrtpn])\2$/u, '$1$2');
  if (key.length > 3) key = key.replace(/e$/u, '');
  return key.replace(/(?<=[^aeiou])y$/u, 'i');
}

/** `word` in lower case without its possessive. Empty when nothing is left. */
function plainOf(word: string): string {
  return word.replace(/['’]s?$/u, '');
}

const memory = new Map<string, readonly string[]>();

/**
 * The keys of an English word: two words are forms of one word if they share a key. `word` is in lower case. Bounded memory
 * of recent words; the result is a function of the word alone.
 */
export function inflectionKeys(word: string): readonly string[] {
  const known = memory.get(word);
  if (known) return known;
  const plain = plainOf(foldDiacritics(word));
  const keys = new Set<string>([settle(stripEnding(american.get(plain) ?? plain))]);
  for (const base of irregular.get(plain) ?? []) keys.add(settle(stripEnding(base)));
  // "stories" is of story and storey, "lives" of live and life: the rest of ambiguity is harmless.
  const british = american.get(stripEnding(plain));
  if (british !== undefined) keys.add(settle(british));
  const result = [...keys].filter((key) => key !== '');
  if (memory.size > 20_000) memory.clear();
  memory.set(word, result);
  return result;
}

/** Ending strippers for other languages: enough to meet inflected forms, never across stems. `word` is in lower case. */
export function lightStem(word: string, language: string): string {
  const plain = foldDiacritics(word.replaceAll('ß', 'ss'));
  if (language === 'de') {
    if (plain.length > 6)
      return plain.replace(/^ge(?=.{4})/u, 'ge').replace(/(?:ern|em|en|er|es|est|et|e|n|s|t)$/u, '');
    return plain.length > 4 ? plain.replace(/(?:en|em|er|es|e|n|s)$/u, '') : plain;
  }
  if (language === 'ar')
    return plain.replace(/^(?:وال|بال|كال|فال|لل|ال|و)(?=.{3})/u, '').replace(/(?:ها|ان|ات|ون|ين|ية|ه|ة|ي)$/u, '');
  return plain.length > 4 ? plain.replace(/(?:es|s|e|a|o|i|n)$/u, '') : plain;
}
