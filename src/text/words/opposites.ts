// Pairs of opposite words (increase/decrease, before/after, allow/forbid …), English and German, compared by inflection key.
import { inflectionKeys } from './inflect.ts';

const pairs = `increase decrease reduce;rise fall drop decline;raise lower reduce;raised lowered reduced decreased;elevated reduced;grow shrink;more less fewer;higher lower;high low;greater smaller lesser;larger smaller;large small;big small;up down;upward downward;upwards downwards;above below;over under;before after;earlier later;early late;first last;former latter;allow forbid prohibit ban prevent;permit forbid prohibit deny;accept reject refuse;approve reject disapprove;support oppose;agree disagree;true false;right wrong;correct incorrect;positive negative;positively negatively;win lose;victory defeat loss;gain lose loss;success failure;succeed fail;successful unsuccessful;begin end;start end stop finish;open close;opened closed;enter leave exit;arrive depart leave;buy sell;import export;imports exports;income expense;profit loss;enable disable;activate deactivate inhibit;activates inhibits;activation inhibition;stimulate inhibit suppress;stimulates inhibits suppresses;promote inhibit suppress prevent;induce inhibit suppress;upregulate downregulate;upregulated downregulated;improve worsen;better worse;best worst;strengthen weaken;strong weak;stronger weaker;expand contract shrink;expansion contraction;accelerate decelerate slow;faster slower;fast slow;quick slow;hot cold;warm cool cold;warmer cooler colder;warming cooling;heavy light;heavier lighter;long short;longer shorter;wide narrow;wider narrower;deep shallow;thick thin;tall short;taller shorter;old new young;older newer younger;rich poor;easy difficult hard;easier harder;simple complex;safe dangerous unsafe;healthy unhealthy sick;alive dead;live die;birth death;born died;create destroy;build destroy demolish;attack defend;love hate;like dislike;include exclude;included excluded;inclusive exclusive;add remove subtract;insert delete remove;connect disconnect;attach detach;appear disappear;visible invisible;known unknown;possible impossible;legal illegal;public private;male female;man woman;men women;boy girl;father mother;son daughter;brother sister;husband wife;king queen;uncle aunt;north south;northern southern;east west;eastern western;left right;top bottom;upper lower;inside outside;internal external;inner outer;interior exterior;in out;inbound outbound;input output;maximum minimum;max min;majority minority;most least;many few;always never;often rarely seldom;everyone nobody;everything nothing;all none;with without;for against;on off;from to;ascend descend;ascending descending;forward backward;push pull;give take receive;lend borrow;teach learn;send receive;ask answer;question answer;cause prevent;causes prevents;benefit harm;beneficial harmful;advantage disadvantage;helpful harmful;guilty innocent;convict acquit;convicted acquitted;employ dismiss fire;hire fire;join leave;unite divide separate;ally enemy;friend enemy;peace war;present absent;presence absence;same different;similar different;equal unequal;even odd;major minor;senior junior;primary secondary;acute chronic;benign malignant;dominant recessive;active inactive passive;acid alkaline base;solid liquid gas;wet dry;full empty;light dark;bright dark;day night;morning evening;summer winter;spring autumn;past future;ancient modern;temporary permanent;optional required mandatory;required optional forbidden;synchronous asynchronous;sync async;encode decode;encrypt decrypt;compress decompress;lock unlock;mount unmount;load unload;install uninstall;read write;client server;parent child;ancestor descendant;predecessor successor;precede follow succeed;precedes follows succeeds;superior inferior;maternal paternal;urban rural;domestic foreign;national international;local remote global;natural artificial;victim perpetrator;winner loser;buyer seller;employer employee;landlord tenant;teacher student pupil;doctor patient;mild severe;sooner later;increasing decreasing;rising falling;declining growing rising;growth decline shrinkage;surge plunge;soar plummet;deny confirm admit;confirm refute deny;prove disprove;independent dependent;sufficient insufficient;adequate inadequate;stable unstable;soluble insoluble;reversible irreversible;symmetric asymmetric;linear nonlinear;aerobic anaerobic;supply demand;surplus deficit;credit debit;asset liability;ahead behind;near far;nearer farther;closest farthest;nearest farthest;largest smallest;highest lowest;longest shortest;oldest youngest newest;fastest slowest;earliest latest;biggest smallest;strongest weakest;heaviest lightest;richest poorest;hottest coldest;extend shorten;lengthen shorten;widen narrow;deepen ease;tighten loosen ease;inflate deflate;inflation deflation;freeze melt thaw;boil freeze;evaporate condense;absorb emit release;attract repel;exceed undercut;overestimate underestimate;overweight underweight;outperform underperform;advance retreat;progress regress;steigen fallen sinken;stieg fiel sank;gestiegen gefallen gesunken;erhöhen senken verringern;erhöht gesenkt verringert;zunehmen abnehmen;mehr weniger;höher niedriger;größer kleiner;vor nach;über unter;oben unten;gewinnen verlieren;gewann verlor;kaufen verkaufen;erlaubt verboten;erlauben verbieten;öffnen schließen;anfang ende;beginnen enden;wahr falsch;gut schlecht;stark schwach;schnell langsam;alt neu jung;warm kalt;mit ohne;norden süden;osten westen;nördlich südlich;östlich westlich`;
const opposites = new Map<string, Set<string>>();
const link = (a: string, b: string): void => {
  for (const x of inflectionKeys(a)) {
    const known = opposites.get(x) ?? new Set<string>();
    for (const y of inflectionKeys(b)) known.add(y);
    opposites.set(x, known);
  }
};
for (const group of pairs.split(';')) {
  const [head, ...others] = group.split(' ') as [string, ...string[]];
  for (const other of others) {
    link(head, other);
    link(other, head);
  }
}

const prefixes = /^(?:un|in|im|il|ir|dis|non|de|anti|mis)-?/u;

/** True if the two lower-case words are opposites, by the list or by a negating prefix (happy/unhappy). */
export function areOpposites(a: string, b: string): boolean {
  if (a === b) return false;
  const keys = inflectionKeys(b);
  for (const key of inflectionKeys(a)) {
    const known = opposites.get(key);
    if (known && keys.some((other) => known.has(other))) return true;
  }
  const [long, short] = a.length > b.length ? [a, b] : [b, a];
  // Prefixed forms keep the beginning of the word behind the prefix.
  const bare = long.startsWith(short.slice(0, 3)) ? long : long.replace(prefixes, '');
  if (bare !== long && bare.length >= 4 && bare.startsWith(short.slice(0, 3))) {
    const shortKeys = inflectionKeys(short);
    if (inflectionKeys(bare).some((key) => shortKeys.includes(key))) return true;
  }
  return isFullAndEmpty(a, b) || isFullAndEmpty(b, a);
}

/** "harmful" and "harmless". */
function isFullAndEmpty(full: string, empty: string): boolean {
  if (!empty.includes('less') || !full.includes('ful')) return false;
  const stem = /^(.{3,})less(?:ly)?$/u.exec(empty)?.[1];
  return stem !== undefined && (full === `${stem}ful` || full === `${stem}fully`);
}
