// Small, safe lists of words that mean the same everywhere: abbreviations with their long forms and a few
// hundred everyday synonyms. Kept short on purpose: a wrong pair here lets a false claim pass.
import { inflectionKeys } from './inflect.ts';

/** Abbreviation (no periods, lower case) -> long form(s), one word each. */
const abbreviationText = `dr doctor;prof professor;st saint street;mr mister;mrs missus;dept department;govt government;gov governor government;univ university;uni university;inc incorporated;corp corporation;co company;ltd limited;vs versus;v versus;approx approximately;est established estimated;max maximum;min minimum;avg average;no number;nos numbers;nr number;vol volume;vols volumes;ch chapter;chap chapter;fig figure;figs figures;eq equation;eqn equation;sec section;p page;pp pages;ed edition editor;eds editors;tv television;info information;admin administrator administration;lab laboratory;labs laboratories;exam examination;photo photograph;photos photographs;phone telephone;ad advertisement;ads advertisements;math mathematics;maths mathematics;temp temperature;intl international;natl national;assoc association;assn association;bros brothers;ft fort;mt mount;jr junior;sr senior;gen general;sen senator;rep representative;pres president;sgt sergeant;capt captain;lt lieutenant;col colonel;maj major;adm admiral;rev reverend;hon honourable;ave avenue;blvd boulevard;rd road;hwy highway;sq square;pop population;wt weight;hr hour;hrs hours;yr year;yrs years;mo month;wk week;mins minutes;secs seconds;org organization;repo repository;config configuration;db database;app application;apps applications;auth authentication;env environment;docs documentation;doc document;param parameter;params parameters;arg argument;args arguments;spec specification;specs specifications;stats statistics;mgmt management;mgr manager;acct account;asst assistant;bldg building;dist district;hosp hospital;gym gymnasium;fridge refrigerator;plane airplane aeroplane;bike bicycle;auto automobile;vet veterinarian veteran;memo memorandum;flu influenza;pc computer;ref reference;refs references;sci science;tech technology;intro introduction;dir directory;dirs directories;lib library;libs libraries;func function;var variable;vars variables;int integer;str string;char character;chars characters;bool boolean;msg message;err error;mon monday;tue tuesday;tues tuesday;wed wednesday;thu thursday;thurs thursday;fri friday;sat saturday;sun sunday;jan january;feb february;mar march;apr april;jun june;jul july;aug august;sep september;sept september;oct october;nov november;dec december;bzw beziehungsweise;ca circa;nr nummer;str straße strasse;jh jahrhundert;hl heilige;mio million millionen;mrd milliarde milliarden`;

const synonymText = `big large;begin start commence;buy purchase;car automobile;film movie;show demonstrate;help assist aid;use utilise employ;enough sufficient;near close;quick fast rapid;quickly rapidly swiftly;error mistake;finish complete;job occupation;next following;pick choose select;reply answer respond;rich wealthy;sick ill;shut close;story tale;talk speak;wish desire;whole entire;allow permit let;ask inquire;require need;main principal chief;physician doctor;roughly approximately about around circa;nearly almost;sometimes occasionally;often frequently;usually generally typically normally;rarely seldom;several various;locate situate;construct build;injure wound;kid child;attorney lawyer;cinema theatre;gather collect;global worldwide;illness disease;liberty freedom;murder kill;resident inhabitant;sea ocean;ship vessel;stone rock;street road;submit send;town city;usa us;begin originate;twice double;decline decrease drop fall;increase rise grow;drop fall;try attempt;happen occur;also too additionally;although though;but however;every each all;forbid prohibit ban;fix repair;hard difficult;position post;remove delete;return yield;comprise consist contain;stop halt cease;supply provide;therefore thus hence consequently;until till;wage salary;zero null nought;per each;pct percent percentage;aid assistance;annual yearly;annually yearly;autumn fall;baby infant;cancer carcinoma;fatal deadly lethal;kidney renal;heart cardiac;lung pulmonary;tumor neoplasm;mortality death;elderly aged old;prior previous earlier;subsequently later afterwards`;

const groups = new Map<string, Set<string>>();
const add = (word: string, key: string): void => {
  for (const form of inflectionKeys(word)) {
    const known = groups.get(form) ?? new Set<string>();
    known.add(key);
    groups.set(form, known);
  }
};
for (const [index, group] of synonymText.split(';').entries())
  for (const word of group.split(' ')) add(word, `s${index}`);

const abbreviations = new Map<string, readonly string[]>();
for (const entry of abbreviationText.split(';')) {
  const [short, ...long] = entry.split(' ') as [string, ...string[]];
  abbreviations.set(short, [...(abbreviations.get(short) ?? []), ...long]);
}

/** The long forms of an abbreviation written in lower case without periods; empty for other words. */
export function longForms(word: string): readonly string[] {
  return abbreviations.get(word) ?? [];
}

/** The groups of the word that was asked for last: one word is held against all others of a sentence. */
let asked = '';
let groupsOfAsked: readonly ReadonlySet<string>[] = [];

/** True if the two lower-case words are listed synonyms. */
export function areSynonyms(a: string, b: string): boolean {
  if (a !== asked) {
    groupsOfAsked = inflectionKeys(a).flatMap((key) => groups.get(key) ?? []);
    asked = a;
  }
  for (const mine of groupsOfAsked)
    for (const key of inflectionKeys(b)) {
      const other = groups.get(key);
      if (other) for (const group of mine) if (other.has(group)) return true;
    }
  return false;
}
