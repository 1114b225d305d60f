// A clause as rules read it: lower case, short forms written out, frequent slips of the keyboard mended. Deterministic; what it yields is
// only read by rules, never kept.

const short: readonly (readonly [RegExp, string])[] = [
  [/[’‘ʼ´`]/gu, "'"],
  [/\b(i)'?m\b/gu, '$1 am'],
  [/\bi'?ve\b/gu, 'i have'],
  [/\bi'll\b/gu, 'i will'],
  [/\bi'd (?=rather|prefer|like|love|appreciate|want|be)/gu, 'i would '],
  [/\bi'd\b/gu, 'i had'],
  [/\bid (?=rather|prefer|like to|like you|love it|appreciate)/gu, 'i would '],
  [/\bit'd\b/gu, 'it would'],
  [
    /^(?:me and )?(?:my )(?:wife|husband|partner|girlfriend|boyfriend|family|team|friend|brother|sister|son|daughter|colleagues?)(?: and i)(?= )/gu,
    'we',
  ],
  [/\b(we|they|you)'re\b/gu, '$1 are'],
  [/\b(we|they|you)'ve\b/gu, '$1 have'],
  [/\b(we|they|you)'ll\b/gu, '$1 will'],
  [/\bcan'?t\b|\bcannot\b/gu, 'can not'],
  [/\bwon'?t\b/gu, 'will not'],
  [/\b(do|does|did|is|are|was|were|has|have|had|should|could|would|must)n'?t\b/gu, '$1 not'],
  [/\b(it|that|what|who|where|here|there|he|she|name)'s\b/gu, '$1 is'],
  [/\bthats\b/gu, 'that is'],
  [
    /^((?:my|our) (?:[a-z]+ ){0,2}[a-z]+)'s (?=(?:around|about|on|in|at|an?|the|not|now|still|due|called|named|from|allergic|\d)\b)/gu,
    '$1 is ',
  ],
  [/\blet's\b/gu, 'let us'],
  [/\b(?:pls|plz|plse|pleae|plase)\b/gu, 'please'],
  [/\bu\b/gu, 'you'],
  [/\bur\b/gu, 'your'],
  [/\br\b(?= allergic| vegan)/gu, 'are'],
  [/\bwanna\b/gu, 'want to'],
  [/\bgonna\b/gu, 'going to'],
  [/\bgotta\b/gu, 'have to'],
  [/\bfav(?:e|s)?\b/gu, 'favorite'],
  [/\bfavourite/gu, 'favorite'],
  [/\bcolour/gu, 'color'],
  [/\bbday\b/gu, 'birthday'],
  [/\btime ?zone\b/gu, 'timezone'],
  [/\bnever ever\b/gu, 'never'],
  [/\bi (?:do )?luv\b/gu, 'i love'],
  [/\bany ?more\b/gu, 'anymore'],
  [/\bw\/o\b/gu, 'without'],
  [/\s+/gu, ' '],
];

/** Words that rules turn on; a word of as many letters that is one slip away from one is taken for it. */
const turningWords =
  'prefer remember always never favorite usually allergic vegetarian birthday manager please answers answer working should currently because normally generally language birthday instead longer anymore switched moved started married engineer developer'.split(
    ' ',
  );
const byInitial = Map.groupBy(turningWords, (word) => word[0] ?? '');
/** Words of the language that are one slip away from one of those. */
const ownWords: ReadonlySet<string> = new Set(
  'prefers preferred preferring proffer refer lever fever sever answered answerer manage managed manages manger pleased pleases please pleasant lounger lodger stated parted started starts starter stared starved moves mover moved loved started stared engineers developers developed develops languages birthdays vegetarians remembers remembered switches switcher switch favorites could would shoulder longed working worming working walking moving married marred marries generals general normal normally alleys ways away'.split(
    ' ',
  ),
);

/** Whether one letter was left out, added, changed, or two neighbours were swapped. */
function isOneSlip(word: string, meant: string): boolean {
  if (Math.abs(word.length - meant.length) > 1 || word === meant) return false;
  let at = 0;
  while (at < word.length && word[at] === meant[at]) at += 1;
  const [rest, meantRest] = [word.slice(at), meant.slice(at)];
  return (
    rest.slice(1) === meantRest.slice(1) ||
    rest.slice(1) === meantRest ||
    rest === meantRest.slice(1) ||
    (rest.slice(2) === meantRest.slice(2) && rest[0] === meantRest[1] && rest[1] === meantRest[0])
  );
}

function mended(word: string): string {
  if (word.length < 5 || ownWords.has(word)) return word;
  const meant = byInitial.get(word[0] ?? '')?.find((one) => one.length >= 5 && isOneSlip(word, one));
  return meant ?? word;
}

export function toPlainWords(text: string): string {
  let plain = text.toLowerCase();
  for (const [pattern, written] of short) plain = plain.replace(pattern, written);
  return plain.replace(/[a-z]{5,20}/gu, mended).trim();
}
