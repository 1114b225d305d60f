// Which sentences of what was found are about a thing: those that name it first, and those that go on about it in a text that is about it.
// Invariant: a sentence whose subject is somebody else's name is never the thing's, wherever it stands. Rules over the words; pure.
import { termsOf } from '../../answer/question/terms.ts';
import type { Evidence } from '../../core/search.ts';
import { segmentPieces, type TextPiece } from '../../text/sentences.ts';
import { findNames, type NameMention } from '../../text/words/names.ts';
import { createNaming, isHeadOf, type Mention, type Naming, namingWords, tokensOf } from './naming.ts';

/** `named`: by its name. `meant`: it goes on about it. `beside`: it is named, and the sentence is of another. */
export type Standing = 'named' | 'meant' | 'beside';

export interface Saying extends TextPiece {
  readonly standing: Standing;
  /** Where a quote of it begins: with the sentence before it where only that says who "it" is. */
  readonly from: number;
  /** What stands over it. */
  readonly heads: readonly string[];
}

export interface Thing {
  readonly name: string;
  /** Others that are set beside it. */
  readonly others: readonly string[];
  /** A subject that has no name of its own, such as a market, is told by its words. */
  readonly isTopic: boolean;
}

/** Sentences of one piece of evidence that are about the thing, in their order. */
export type ReadAbout = (evidence: Evidence) => readonly Saying[];

/** `found`: all that was found, whose titles tell what things are called. */
export function createReadAbout(thing: Thing, found: readonly Evidence[]): ReadAbout {
  if (thing.isTopic) return readTopic(thing);
  const titles = [...new Set(found.map(({ title }) => title))];
  const naming = createNaming(thing.name, titles);
  const others = thing.others.map((name) => createNaming(name, titles));
  return (evidence) => readNamed(evidence, naming, others);
}

const pronounStart =
  /^(?:it|its|they|their|theirs|we|our|he|she|his|her|the (?:company|firm|group|business|maker|manufacturer|brand|startup|start-up|organi[sz]ation|corporation|vendor|supplier|provider|chain|retailer|bank|airline|operator|producer|enterprise))(?=[\s'’,])/iu;
/** "The main threat is Beta, whose …" tells of whom the text is about. */
const sideStart =
  /^(?:(?:the|an?|one|another|its|their)\s)?(?:\p{Ll}{2,20}\s){0,2}(?:strengths?|weakness(?:es)?|advantages?|disadvantages?|drawbacks?|opportunit(?:y|ies)|threats?|risks?)\s(?:is|are|was|were|remains?|comes?|lies?|includes?)\s/iu;
/** Words before a name that make the sentence another's. */
const setAgainst = new Set(
  'unlike than versus vs against over from behind like with to by beats beat outsells outsell undercuts threatens'.split(
    ' ',
  ),
);
/** A clause before the main one that only sets something against it. */
const setBefore =
  /^(?:unlike|like|compared (?:with|to)|in contrast to|while|whereas|although|besides|after|despite|against)\s[^,]{1,200},\s/iu;
/** A name behind one of these is a place or a part of something, not who acts. */
const prepositions = new Set(
  'in at of from to by with for on near into across between around outside inside'.split(' '),
);
const rivalWords = /(?:^|[^\p{L}])(?:rivals?|competitors?|competing|challengers?)(?=$|[^\p{L}])/iu;
const verbs =
  'is|are|was|were|has|have|had|can|could|will|would|may|might|does|did|sells|sold|makes|made|builds|built|offers|offered|leads|led|holds|held|won|wins|lost|loses|grew|grows|fell|took|takes|paid|pays|charges|charged|cut|cuts|serves|served|plans|planned|employs|employed|owns|owned|runs|ran|relies|depends|lacks|claims|entered|opened|launched|follows|dominates|competes|beats|outsells|undercuts|costs|remains|became|provides|produces';
/** What follows a name that is the subject of its sentence; behind a word that may be none, only verbs that are known. */
const verbBehind = {
  known: new RegExp(`^\\s+(?:also\\s+|now\\s+|already\\s+)?(?:${verbs})(?=[\\s,])`, 'u'),
  any: /^\s+(?:also\s+|now\s+|already\s+)?(?!as\b|its\b|this\b|towards\b|across\b|besides\b|whereas\b|plus\b|versus\b|less\b|sales\b|customers\b|products\b|prices\b)(?:is|are|has|had|did|can|cut|\p{Ll}{2,}(?:s|ed|d))(?=[\s,])/u,
};

type Topic = 'own' | 'other' | 'unknown';

function readNamed(evidence: Evidence, naming: Naming, others: readonly Naming[]): readonly Saying[] {
  const { text, title, headingPath } = evidence;
  const pieces = segmentPieces(text);
  // A chunk that holds headings may hold several sections; what its path names is one of them.
  const hasHeading = pieces.some(({ kind }) => kind === 'heading');
  let heads: readonly string[] = hasHeading ? headingPath.slice(0, 1) : headingPath;
  const groundNow = (): Topic =>
    groundOf([title, ...heads.filter((heading) => heading !== title)], text, { naming, others });
  let ground = groundNow();
  const sayings: Saying[] = [];
  let topic: Topic = ground;
  let before: { readonly piece: TextPiece; readonly isNamed: boolean } | undefined;
  for (const piece of pieces) {
    const said = text.slice(piece.start, piece.end);
    if (piece.kind === 'heading') {
      heads = [...headingPath.slice(0, 1), said];
      ground = groundNow();
    }
    if (piece.kind === 'heading' || piece.kind === 'code') {
      topic = ground;
      before = undefined;
      continue;
    }
    const isApart =
      before === undefined || piece.kind !== 'sentence' || /\n\s*\n/u.test(text.slice(before.piece.end, piece.start));
    if (isApart) topic = ground;
    const mentions = topic === 'own' ? naming.called(said) : naming.named(said);
    const read = readSentence(said, { mentions, others, topic, isRow: piece.kind === 'row' });
    topic = read.topic;
    if (read.standing) {
      const led =
        read.standing === 'meant' && before?.isNamed && !isApart && pronounStart.test(said) ? before : undefined;
      sayings.push({ ...piece, standing: read.standing, from: led?.piece.start ?? piece.start, heads });
    }
    before = { piece, isNamed: read.standing === 'named' };
  }
  return sayings;
}

/** What the title and the headings say that the text is about; the deepest that says anything counts. */
function groundOf(
  heads: readonly string[],
  text: string,
  { naming, others }: { readonly naming: Naming; readonly others: readonly Naming[] },
): Topic {
  let ground: Topic = 'unknown';
  for (const [depth, head] of heads.entries()) {
    if (isHeadOf(head, naming)) ground = 'own';
    else if (others.some((other) => other.named(head).length > 0)) ground = 'other';
    else if (depth > 0 && ground === 'own' && isNameOfAnother(head, text)) ground = 'unknown';
  }
  return ground;
}

/** A heading that is nothing but a name: of several words that stand in the text, or of one that sentences begin with. */
function isNameOfAnother(head: string, text: string): boolean {
  const words = namingWords(head);
  if (words.length === 0 || words.length > 4 || tokensOf(head).length > words.length) return false;
  const name = words.join(' ');
  return segmentPieces(text).some(({ kind, start, end }) => {
    if (kind === 'heading') return false;
    const said = text.slice(start, end);
    return words.length > 1 ? said.includes(name) : subjectNameOf(said)?.startsWith(name);
  });
}

/** The name with which a sentence begins, where that is what it is about. */
function subjectNameOf(said: string): string | undefined {
  const [first] = findNames(said);
  if (!first || !/^(?:the\s+)?$/iu.test(said.slice(0, first.start).replace(/^[^\p{L}\p{N}]+/u, ''))) return undefined;
  const behind = said.slice(first.end);
  if (!first.initial || /^(?:['’]s?\s|,\s(?:its|an?|the|our|another)\s)/u.test(behind) || verbBehind.known.test(behind))
    return first.text;
  return undefined;
}

// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
function readSentence(
  said: string,
  {
    mentions,
    others,
    topic,
    isRow,
  }: {
    readonly mentions: readonly Mention[];
    readonly others: readonly Naming[];
    readonly topic: Topic;
    readonly isRow: boolean;
  },
): { readonly standing?: Standing; readonly topic: Topic } {
  if (isRow) {
    const [first] = mentions;
    const isFirst = first !== undefined && /^[\s|*_"'“]*$/u.test(said.slice(0, first.start));
    return { ...(isFirst && { standing: 'named' as const }), topic };
  }
  // "Unlike Beta, Acme has …": the sentence is of whom its main clause is.
  const lead = setBefore.exec(said)?.[0].length ?? 0;
  const main = said.slice(lead);
  const mention = mentions.find(({ start }) => start >= lead);
  const isNamed = mentions.length > 0;
  const ofOthers = others.flatMap((other) => other.called(said).map(({ start }) => start));
  const otherAt = Math.min(...ofOthers.filter((start) => start >= lead), Number.POSITIVE_INFINITY);
  const subject = subjectNameOf(main);
  if (mention) {
    // "The rivals of Acme have lower prices."
    if (rivalWords.test(said.slice(lead, mention.start)) && !pronounStart.test(main))
      return { standing: 'beside', topic };
    const at = subject === undefined ? -1 : main.indexOf(subject) + lead;
    // "Acme's main strength" names Acme.
    const endOfName = mention.end - (/['’]s?$/u.exec(said.slice(mention.start, mention.end))?.[0].length ?? 0);
    const isOfItsRivals =
      endOfName < mention.end &&
      /^\s(?:[\p{L}-]{1,20}\s){0,2}(?:rivals?|competitors?|challengers?)\b/u.test(said.slice(mention.end));
    if (isOfItsRivals) return { standing: 'beside', topic };
    if (at >= 0 && at <= mention.start && at + (subject ?? '').length >= endOfName)
      return { standing: 'named', topic: 'own' };
    const hasOther = ofOthers.length > 0 || othersIn(said, mentions).length > 0;
    const isAgainst = setAgainst.has(wordBefore(said, mention.start));
    if (subject !== undefined || otherAt < mention.start || (hasOther && isAgainst))
      return { standing: 'beside', topic: subject === undefined && topic === 'own' ? 'own' : 'other' };
    return { standing: 'named', topic: 'own' };
  }
  if (pronounStart.test(main)) return { ...(topic === 'own' && { standing: 'meant' as const }), topic };
  // In a text about the thing its rivals are told of, too.
  const isOfRival = isNamed || (topic === 'own' && rivalWords.test(main));
  if (subject !== undefined) return { ...(isOfRival && { standing: 'beside' as const }), topic: 'other' };
  if (isOfRival) return { standing: 'beside', topic };
  if (topic !== 'own' || ofOthers.length > 0) return { topic };
  const acts = !sideStart.test(main) && findNames(main).some((name) => isActing(main, name));
  return { ...(!acts && { standing: 'meant' as const }), topic };
}

/** The word before a place, articles left out. */
const wordBefore = (said: string, at: number): string =>
  tokensOf(said.slice(0, at)).findLast(({ word }) => word !== 'the')?.word ?? '';

/** Whether a name that stands within a sentence is who does what it tells. */
function isActing(said: string, { start, end, initial, words }: NameMention): boolean {
  const behind = said.slice(end);
  if (initial) return false;
  if (/^,\s(?:which|who|whose)\s/u.test(behind)) return true;
  // "The plant in Leeds lacks space", but "In Spain Beta leads".
  const isPlace =
    prepositions.has(wordBefore(said, start)) && !(words.length > 1 && /^\p{L}+\s+$/u.test(said.slice(0, start)));
  return !isPlace && (verbBehind.known.test(behind) || verbBehind.any.test(behind));
}

/** Names in a sentence that are none of the thing's. */
const othersIn = (said: string, mentions: readonly Mention[]) =>
  findNames(said).filter(
    ({ initial, start, end }) => !initial && !mentions.some((mention) => mention.start < end && start < mention.end),
  );

const generalTerms = new Set('market industri sector busi'.split(' '));

/** About a topic is what holds its words, or some of them under a head that holds the others. */
function readTopic({ name }: Thing): ReadAbout {
  const all = termsOf(name).map(({ term }) => term);
  const special = all.filter((term) => !generalTerms.has(term));
  const wanted = new Set(special.length > 0 ? special : all);
  const holds = (text: string): ReadonlySet<string> =>
    new Set(termsOf(text).flatMap(({ term }) => (wanted.has(term) ? [term] : [])));
  return (evidence) => {
    const { text, title, headingPath } = evidence;
    const over = holds([title, ...headingPath].join('. '));
    const sayings: Saying[] = [];
    for (const piece of segmentPieces(text)) {
      if (piece.kind === 'heading' || piece.kind === 'code') continue;
      const own = holds(text.slice(piece.start, piece.end));
      const place = { ...piece, from: piece.start, heads: headingPath };
      if (own.size === wanted.size) sayings.push({ ...place, standing: 'named' });
      else if (over.union(own).size === wanted.size) sayings.push({ ...place, standing: 'meant' });
    }
    return sayings;
  };
}
