// A message in sentences and clauses that each say one thing, with what leads into them taken off. A clause that had a share in the subject of
// the one before gets it back (“I live in Bern and work at Acme”).
import { segmentSentences } from '../../../text/sentences.ts';

export interface Clause {
  readonly text: string;
  /** That it stands in. */
  readonly sentence: string;
  /** The user asked that it be remembered. */
  readonly isAsked: boolean;
  /** The sentence ends as a question does. */
  readonly isQuestion: boolean;
}

const longestSentence = 500;

const askedFor =
  /^(?:please\s+|pls\s+|and\s+|also\s+|so\s+)?(?:(?:can|could|would|will) you (?:please |pls )?)?(?:remember(?: (?:that|this|it)\b(?! (?:when|how|the time|me\b|what|where|why|who|to\b))|(?! (?:(?:that|this|it|when|how|the time|me|what|where|why|who|to)\b|(?:my|our)\b(?! [\w' -]{1,40} (?:is|are)\b))))|(?:do not|don['’]?t|never) forget(?: that)?(?! to\b)|(?:please )?note(?: down)?(?: that)?|keep in mind(?: that)?|bear in mind(?: that)?|(?:make|take) a note(?: that| of)?|save (?:this|that|to memory)|add (?:this )?to (?:your )?memory|memori[sz]e(?: that| this)?|commit (?:this |it )?to memory|store (?:this|that)|reminder|note to self|for future reference|for the record|(?:i(?:['’]d| would) like|i want|i need) you to (?:remember|know|note)(?: that)?|you should (?:know|remember)(?: that)?|know that)\s*[:,-]?\s+/iu;
const lead =
  /^(?:(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening)|dear)(?: (?:there|all|everyone|team|footnote))?|ok(?:ay)?|well|so|also|and|but|oh|ah|yes|yeah|no|nope|right|sure|btw|by the way|fyi|for your info(?:rmation)?|(?:a |some )?(?:quick )?(?:background|context|note)(?=\s*:)|um+|uh+|long story short|full disclosure|from experience|(?:new|my|our) (?:number|address|situation|status)(?=\s*:)|(?:a )?personal note|just between us|between us|do me a favou?r(?: and)?|ugh|hm+|hmm+|if you must know|not (?:gonna|going to) lie|ngl|(?:i am |i['’]m )?pretty sure(?: that)?|i (?:have to|must) (?:admit|say)(?: that)?|(?:first|last|one) (?:thing|of all)|(?:i guess|i suppose|i['’]d say|i would say) (?=(?:i['’]m|i am|i['’]ve been) (?:kind of |sort of |more of |not )?an? )|just (?:so you know|fyi|to (?:let you know|add|mention)|a (?:heads[- ]up|note|reminder))|for the record|for context|for reference|for what it['’]?s worth|to be (?:clear|honest)|tbh|honestly|personally|actually|in fact|in general|generally speaking|as (?:i (?:said|mentioned)|you (?:may )?know)|(?:i (?:already )?(?:told|mentioned to) you|i (?:already )?(?:said|mentioned)|did i (?:mention|tell you))(?: before)?(?: that)?|i should (?:mention|add|say)(?: that)?|let me (?:tell you|add|mention)(?: that)?|i (?:forgot|meant) to (?:mention|say|add)(?: that)?|thanks|thank you|thx|great|cool|nice|perfect|one more thing|another thing|p\.?s\.?|lol|haha|important|context|correction|update|edit|about me|since|because|as|given that|seeing (?:as|that)|now that|considering(?: that)?|if it helps|unfortunately|luckily|fortunately|sadly|sorry|anyway|then|plus|besides|additionally|furthermore|likewise|similarly|usually|normally|generally|however|though)\b[\s,:;!.–—-]*/iu;
/** The same behind what is to be remembered. */
const askedBehind =
  /[,;–—-]\s*(?:so )?(?:please |pls |plz )?(?:re[a-z]{3,8} (?:that|this|it)|keep (?:that|this) in mind|do not forget (?:that|this|it)|don['’]t forget (?:that|this|it)|note that|for future reference|for the record|make a note(?: of (?:that|it))?)(?: please)?[.!]*$/iu;
const keptLead =
  /^(?:as an?\b|no (?:more |longer )?\w+|since (?:19|20)\d\d|since (?:my|our|the) \w+(?: (?:in|last) \w+)?,? i\b|then\b$)/iu;

const subjects = `(?:i(?:['’](?:m|ve|d|ll))?|im|ive|we(?:['’](?:re|ve|d|ll))?|my|our)`;
const splits = new RegExp(
  String.raw`(\s*[;–—]\s+|,?\s+(?:and|but)\s+(?=(?:he|she|they|it)\s)|\s+-\s+|,?\s+(?:and|but|so|plus|while|although|though|yet|whereas)\s+(?:(?:also|honestly|personally|actually|now)\s+)?(?=${subjects}\s|please\b|(?:do not|don['’]?t|always|never|stop|call me)\b)|,\s+(?=${subjects}\s|please\b|so\s+(?:please|no|use|keep|avoid|leave|skip|pick|make|write|give|answer|explain|try)|(?:do not|don['’]?t|always|never)\s|(?:what|which|how|where|who|why|when|can|could|should|would|is|are|do|does|any|anything|got any)\s)|(?<!\b(?:said|says|wrote|writes|asks|asked|told me|goes|like|replied|answered|reads|states)):\s+(?=${subjects}\s))`,
  'iu',
);
/** A verb after “and” that shares the subject before it. */
const sharedVerb =
  /,?\s{1,8}and\s{1,8}(?:(?:also|now|currently|usually|always|never|mostly)\s{1,8})?(?=(?:work|live|use|prefer|love|like|hate|enjoy|speak|study|drive|have|play|own|run|teach|manage|lead|do not|don['’]?t|am|go by|write|code|deploy|host|eat|drink|grew up|come from|collect|ride|commute|moved|switched|started|quit|joined|bought|became)\b)/iu;

function strip(text: string): { readonly text: string; readonly isAsked: boolean } {
  let rest = text.trim();
  let isAsked = false;
  for (let round = 0; round < 8; round += 1) {
    const asked = askedFor.exec(rest);
    if (asked && asked[0].length < rest.length) {
      isAsked = true;
      rest = rest.slice(asked[0].length);
      continue;
    }
    const leading = keptLead.test(rest) ? null : lead.exec(rest);
    if (!leading || leading[0] === '' || leading[0].length >= rest.length) break;
    rest = rest.slice(leading[0].length);
  }
  const behind = askedBehind.exec(rest);
  if (behind && behind.index > 0) {
    isAsked = true;
    rest = rest.slice(0, behind.index);
  }
  return { text: rest.replace(/^[\s,;:–—-]+|(?<![\s,;:–—-])[\s,;:–—-]+$/gu, ''), isAsked };
}

const subjectOf = /^(i|we)(?:['’](?:m|ve|d|ll))?\s/iu;
/** “am” and “are” lost with a short form: “I'm a nurse and live in Bern”. */
function shared(clause: string): readonly string[] {
  const subject = subjectOf.exec(clause)?.[1];
  if (subject === undefined) return [clause];
  const [first = clause, ...others] = clause.split(sharedVerb);
  return [first, ...others.map((other) => `${subject} ${other}`)];
}

export function clausesOf(passage: string): readonly Clause[] {
  return segmentSentences(passage, { language: 'en' }).flatMap(({ start, end }) => {
    const sentence = passage.slice(start, end);
    if (sentence.length > longestSentence) return [];
    const isQuestion = /\?[\s)"'”’]*$/u.test(sentence);
    const opened = strip(sentence);
    const merged = joinDependent(opened.text.split(splits));
    return merged.flatMap((piece, at) =>
      shared(piece).map((one): Clause => {
        const { text, isAsked } = strip(one);
        return {
          text,
          sentence,
          isAsked: isAsked || opened.isAsked,
          isQuestion: isQuestion && at === merged.length - 1,
        };
      }),
    );
  });
}

/** A piece that only says when or what for, or is a word, belongs to its neighbour. `parts`: pieces with what stood between them. */
function joinDependent(parts: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const piece = parts[at] ?? '';
    const last = joined.at(-1);
    const isBound = last !== undefined && (dependent.test(last) || piece.trim().split(/\s+/u).length < 2);
    if (isBound) joined[joined.length - 1] = `${last}${parts[at - 1] ?? ' '}${piece}`;
    else joined.push(piece);
  }
  return joined.filter((piece) => piece.trim() !== '');
}

/** Says for what, or when, what follows is so. */
const dependent =
  /^\s*(?:from (?:now|here|today|this point)(?: on)?|going forward|in (?:the )?future|to|before|after|when(?:ever)?|once|every|each|on|for|in|at|as soon as|if|while|until|during)\b(?![^,]*,)/iu;
