// Questions that users ask about themselves (“what do I prefer?”, “where do we deploy?”), and which of what is remembered answers one. Pure:
// what is remembered is handed in. Invariant: of several memories about the same the one that was said last answers.
import type { RecalledMemory } from '../../core/memory.ts';
import { stopWords } from '../../text/language/stop-words.ts';
import { kindsIn } from './statements/kinds.ts';
import { toPlainWords } from './statements/plain-words.ts';
import { memoryTerms, wordTerms } from './terms.ts';
import { topicOf } from './topics.ts';

export interface SelfQuestion {
  /** Words by which memories that may answer are recalled. */
  readonly query: string;
  /** Asks for everything that is remembered. */
  readonly wantsAll: boolean;
}

const polite =
  /^(?:(?:please|so|and|hey|hi|ok|okay|well|now|then|also|but|quick question|by the way|btw)[,:]? |(?:do|can|could|would) you (?:still |please )?(?:know|remember|recall|tell me|remind me)(?: again)?(?: of| about)?,? |(?:please )?(?:remind|tell) me(?: again)?(?: of| about)?,? |i forgot,? |again,? )+/u;
const everything =
  /^(?:what|everything|anything|all)(?: else)?(?: that)? (?:do you|you) (?:know|remember|have(?: stored| saved)?)(?: about (?:me|us|myself))\b|^what (?:have i|did i) (?:told|tell) you(?: so far)?(?: about (?:me|myself|us))?\s*\??$|^(?:tell me )?(?:about (?:me|myself)|who am i)\s*\??$|^(?:list |show )(?:me )?(?:everything|what|all)(?: that)? you (?:know|remember) about me/u;
const opens =
  /^(?:what|which|who|whose|whom|where|when|how (?:old|many|often|long|much|tall|big|do (?:i|we) (?:like|prefer|take|want|call|deploy|ship|release|handle|commute|get to work|get around))|(?:in|on|at|for|to|with|since|until|from) (?:what|which|whom|when)|do (?:i|we)|am i|are we|did (?:i|we)|have (?:i|we)|was i|were we|is my|are my|is our|are our|does my|does our|my|our)\b/u;
const own = /\b(?:i|my|we|our|me|mine|us|myself)\b/u;
/** Asks what is right to do, which no memory tells. */
const advice =
  /^(?:what|which|where|when|who|how \w+)\b.{0,40}\b(?:should|could|can|must|may|might|would|shall|have to|need to|ought to) (?:i|we)\b|^(?:do|did) (?:i|we) (?:need|have) (?:to|a|an)\b|\b(?:do|must) (?:i|we) (?:need to|have to)\b/u;

/** Words by which people ask about themselves in other languages, and those with which they ask for advice. */
const elsewhere = new Map(
  Object.entries({
    de: 'ich wir mein meine meinen meinem meiner unser unsere unseren unserem | kann können könnte muss müssen soll sollen sollte darf',
    fr: 'je j mon ma mes nous notre nos | puis peux peut dois doit devrais devons faut',
    es: 'yo mi mis nuestro nuestra | puedo debo debería tengo',
    it: 'io mio mia miei mie nostro nostra | posso devo dovrei',
    pt: 'eu meu minha meus minhas nosso nossa | posso devo deveria',
    nl: 'ik mijn wij ons onze | kan moet mag',
  }).map(([language, words]) => [language, words.split(' | ').map((some) => new Set(some.split(' ')))] as const),
);

function askedElsewhere(question: string): SelfQuestion | undefined {
  const words = question.toLowerCase().match(/\p{L}+/gu) ?? [];
  const english = stopWords('en');
  for (const [language, [own, advice]] of elsewhere) {
    if (!words.some((word) => own?.has(word)) || words.some((word) => advice?.has(word))) continue;
    const empty = stopWords(language);
    const telling = words.filter((word) => !empty.has(word) && !own?.has(word));
    // “How long is 5 mi?” is no Spanish.
    const isOfIt = words.length - telling.length > words.filter((word) => english.has(word)).length;
    if (isOfIt && telling.length > 0) return { query: telling.join(' '), wantsAll: false };
  }
  return undefined;
}

/** Undefined for questions about anything else. */
export function questionAboutSelf(question: string): SelfQuestion | undefined {
  const plain = toPlainWords(question).replace(/\s+/gu, ' ').trim().replace(polite, '');
  if (everything.test(plain)) return { query: question, wantsAll: true };
  if (plain.length > 300) return undefined;
  if (/\?\s*$/u.test(question) && !own.test(plain)) return askedElsewhere(question);
  if (!own.test(plain) || !opens.test(plain) || advice.test(plain)) return undefined;
  // “My editor?” asks, “my editor is Vim” tells.
  if (/^(?:my|our)\b/u.test(plain) && !/\?\s*$/u.test(question.trim())) return undefined;
  return { query: plain, wantsAll: false };
}

/** What a question asks about, in the words of a statement that would answer it. */
function topicAskedFor(plain: string): string | undefined {
  const asked = plain.replace(/(?<![?.!\s])[?.!\s]+$/u, '');
  if (
    /^where (?:do|did|am|are) (?:i|we) (?:\w+ )?(?:live|living|based|located|reside|at home)|\bmy (?:home|hometown|city)$/u.test(
      asked,
    )
  )
    return 'live';
  if (
    /^(?:where|for whom|who|which company) (?:do|am|are|is) (?:i|we) (?:\w+ )?(?:work|working|employed)|\bmy (?:employer|company)$/u.test(
      asked,
    )
  )
    return 'work at';
  if (
    /^what (?:do i do(?: for (?:a living|work))?|am i (?:by profession|doing for a living))$|\bmy (?:job|role|profession|title|job title|occupation)$/u.test(
      asked,
    )
  )
    return 'job';
  if (/\bmy (?:full )?name$|^what am i called$/u.test(asked)) return 'name';
  if (/^how old am i$|\bmy age$/u.test(asked)) return 'age';
  if (/^when (?:was i born|is my birthday)$|\bmy birthday$/u.test(asked)) return 'my birthday';
  if (/\bmy diet$|^am i (?:a )?(?:vegetarian|vegan|pescatarian)|^do i eat meat/u.test(asked)) return 'diet';
  if (/^am i (?:married|single|divorced|engaged)/u.test(asked)) return 'married';
  const owned = /\b(?:my|our) ([a-z0-9' -]{2,60}?)(?: (?:is|are|was|called|again|now|on|at))?$/u.exec(asked)?.[1];
  return owned === undefined ? undefined : topicOf(`my ${owned} is 1`)?.name;
}

/** Those that answer a question, best first; none where none does. */
export function chooseAnswers(
  { query, wantsAll }: SelfQuestion,
  recalled: readonly RecalledMemory[],
  most: number,
): readonly RecalledMemory[] {
  if (wantsAll) return recalled.slice(0, most);
  const terms = new Set(memoryTerms(query));
  const asked = topicAskedFor(query);
  const newestFirst = [...recalled].sort((a, b) =>
    a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0,
  );
  if (asked !== undefined) {
    const about = newestFirst.filter(({ text }) => topicOf(text)?.name === asked).slice(0, 1);
    if (about.length > 0) return about;
  }
  const left = recalled.filter(({ text }) => !isOfSomethingElse(text, terms));
  const best = left[0]?.similarity ?? 0;
  const near = left.filter(({ similarity }) => similarity >= best - nearEnough);
  const chosen: RecalledMemory[] = [];
  for (const one of near.sort((a, b) =>
    a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : b.similarity - a.similarity,
  ))
    if (!chosen.some((before) => isOfOneKind(before.text, one.text))) chosen.push(one);
  return chosen.slice(0, most);
}

const nearEnough = 0.15;

/** “My dog's name is Rex” does not answer what my name is: it speaks of something that nobody asked about. */
function isOfSomethingElse(text: string, asked: ReadonlySet<string>): boolean {
  const subject =
    /^(?:my|our) ([a-z0-9' -]{2,60}?) (?:is|are|was|will be|has|have|starts?|ends?|runs?|lives?|works?)\b/u.exec(
      toPlainWords(text),
    )?.[1];
  return subject !== undefined && !wordTerms(subject).some((term) => asked.has(term)) && wordTerms(subject).length > 0;
}

/** Two memories between which only the later one can be meant. */
function isOfOneKind(one: string, other: string): boolean {
  const [a, b] = [topicOf(one), topicOf(other)];
  if (a && b && a.name === b.name && !a.byDenial) return true;
  const kinds = new Set(kindsIn(toPlainWords(one)).map(({ kind }) => kind));
  return kindsIn(toPlainWords(other)).some(({ kind }) => kinds.has(kind));
}
