// Claims made by leaving something out of a sentence: every part that a rough chunk parse can take away (a phrase, a clause, a
// modifier, the head of a name), each labelled by rule as harmful (what is left says more than the sentence) or harmless. The
// labels were read by hand (docs/verification.md); the generator shares no code with the verifier. English only.

export interface Cut {
  readonly kind: string;
  readonly quote: string;
  readonly claim: string;
  readonly isHarmful: boolean;
}

interface Removal {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  /** Undefined: no rule can tell, so the cut is left out. */
  readonly isHarmful: boolean | undefined;
}

const preposition =
  '(?:in|on|at|of|for|from|with|by|during|between|among|within|under|over|above|below|near|against|after|before|since|until|through|across|inside|outside|to)';
const finite =
  '(?:is|are|was|were|has|have|had|can|may|might|will|must|should|could|would|does|do|did|[a-z]{3,}(?:ed|es|[^s]s)|began|became|built|rose|fell|won|lost|wrote|took|gave|sold|held|made|found|ran|led|met|left|grew|sank|stood|cost|kept|knew|paid|sent|spent|came|went|put|cut|set)';
const pastEvent =
  /\b(?:(?!need|exceed|indeed|hundred|embed)\p{Ll}{2,}ed|began|became|built|rose|fell|won|lost|wrote|took|gave|sold|held|made|found|led|met|left|sank|paid|sent|spent|came|went|born|driven|written)\b/u;
const measured = /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|hundred|thousand|million)\b/u;
const graded =
  /\b(?:\p{L}{2,}est|most|least|first|second|third|last|only|best|worst|more|less|\p{L}{3,}er than|main|main)\b/u;
const general = /\b(?:all|every|each|any|no|never|always|both|none|not|nobody|without|rarely|few|neither)\b|n't\b/iu;
const presentTense = /\b(?:is|are|has|have|can|may|must|will|should|does|do)\b/u;

const dated =
  /\b(?:\d{1,2} )?(?:January|February|March|April|May|June|July|August|September|October|November|December)(?: \d{1,2},?)?(?: \d{4})?\b|\b(?:1\d|20)\d\ds?\b/gu;
const kindWords =
  /^(?:University|College|School|Institute|Bank|Organization|Party|Council|Mountains?|States|River|Company|Museum|Assembly|Prize|Army|Beach|Storm|Pass|Capital|Church|Lake|Street|Road|Award|League|Association|Committee|Commission|Press|Hospital|Airport|Station|Park|Bridge|Tower|Court|Act|Society|Union|Foundation|Channel|Sea|Ocean|Islands?|County|Center|Centre|Hall|Library|Theatre|Railway|Army|Navy|Force|Cup|Bowl|Stadium|Village|Castle|Palace|Empire|Republic|Kingdom|Dynasty|War|Wars|Period|Agency|Department|Ministry|Board|Group|Parliament|Valley|Coast|Bay|Harbour|Canal|Dam|Law|Theorem)$/u;

/** A circumstance may go where something happened once; not where something holds, is compared, denied or counted. */
function isCircumstanceBinding(rest: string): boolean | undefined {
  const plain = rest.replace(dated, '');
  if (presentTense.test(plain) || general.test(plain) || graded.test(plain) || doubtful.test(plain)) return true;
  if (measured.test(plain)) return undefined;
  return pastEvent.test(plain) && !/\b(?:by|to|from|with|for)\.$/u.test(plain) ? false : undefined;
}
const doubtful =
  /\b(?:may|might|could|would|should|planned|tried|likely|probably|said|claimed|according|used to|able)\b/iu;

function* removals(text: string): Generator<Removal> {
  const found = (form: RegExp): RegExpExecArray[] => [...text.matchAll(form)];
  for (const { index, 0: all } of found(
    /,? (?:except(?: for)?|apart from|other than|excluding|but not|with the exception of|aside from) [^,.;]+/gu,
  ))
    yield { kind: 'exception', start: index, end: index + all.length, isHarmful: true };
  for (const { index, 0: all } of found(
    /,? (?:if|unless|provided that|as long as|only in case of|in case of|upon|without|whenever|only when|only if|only after) [^,.;]+/gu,
  ))
    yield { kind: 'condition', start: index, end: index + all.length, isHarmful: true };
  for (const { index, 0: all } of found(/(?<=\p{L}|\d) \((?!or |and |n )[^()=+]+\)/gu))
    yield {
      kind: 'parenthesis',
      start: index,
      end: index + all.length,
      isHarmful: /\b(?:except|not|only|if|unless)\b/u.test(all) ? undefined : false,
    };
  for (const { index, 0: all } of found(/, (?:which|who|whose|where) [^,.;]+(?:,(?= )|(?=\.$))/gu))
    yield { kind: 'relative-clause-apart', start: index, end: index + all.length, isHarmful: false };
  for (const { index, 0: all } of found(
    /(?<=\p{Ll}) (?:that|who) (?=(?:\p{Ll}+ )?\p{Ll}+(?:ed|s|d) |are |is |was |were |had |have |has )[^,.;]+?(?= (?:is|are|was|were|may|can|must|has|had|improved|died|received|contained|began) |\.$)/gu,
  )) {
    const before = text.slice(0, index);
    if (
      /\b(?:said|say|says|claim|claims|claimed|found|showed|show|believe|argue|argued|estimate|probably|warned|report|reported|noted)$/u.test(
        before,
      )
    )
      continue;
    yield { kind: 'relative-clause-narrowing', start: index, end: index + all.length, isHarmful: true };
  }
  for (const { index, 0: all } of found(
    /(?<=\p{Lu}[\p{L}.]+), (?:an? |the )\p{Ll}+(?: (?:of|in|from|and|\p{L})[\p{L} ]*)?,(?= )/gu,
  ))
    if (
      !/ (?:is|are|was|were|had|\p{Ll}+ed) /u.test(all) &&
      index > 12 &&
      !/^, and/u.test(text.slice(index + all.length - 1))
    )
      yield { kind: 'apposition', start: index, end: index + all.length, isHarmful: false };
  for (const { index, 0: all } of found(
    new RegExp(`(?:, | )and (?=(?:he|she|it|they|the \\p{L}+|${finite}) )[^,;]+(?=\\.$)`, 'gu'),
  )) {
    const before = text.slice(0, index);
    if (new RegExp(`${finite}$`, 'u').test(before) || /\b(?:of|in|to|the|\p{L}+ly)$/u.test(before)) continue;
    if (
      new RegExp(`\\b${finite} `, 'u').test(`${before} `) &&
      !/\b(?:between|both|from|together|not|no|never|may|if)\b/u.test(before) &&
      new RegExp(`^(?:, | )and (?:he|she|it|they|the [\\p{L} ]+?|)\\s*${finite} `, 'u').test(all)
    )
      yield { kind: 'clause-joined', start: index, end: index + all.length, isHarmful: false };
  }
  for (const { index, 0: all } of found(
    /(?<=^| )(?:half|nearly|almost|about|roughly|at least|at most|up to|more than|less than|over|under|only|least|less|fewer than|around|approximately|barely) (?=(?:a |an |the )?(?:[\d$€£]|\p{Ll}))/gu,
  )) {
    const [word] = all.trim().split(' ');
    const next = text.slice(index + all.length);
    if (
      /^(?:under|over|about|around|up|less|half)$/u.test(word as string) &&
      !/^(?:a |the )?[\d$€£]|^(?:half|million|two|three|four|five|six|seven|eight|nine|ten|twelve|\p{L}+(?:ive|ant|ful|al) )/u.test(
        next,
      )
    )
      continue;
    if (/^(?:a|an|the)/u.test(next) && word !== 'only' && word !== 'half') continue;
    yield { kind: 'degree', start: index, end: index + all.length, isHarmful: true };
  }
  for (const { index, 0: all } of found(
    /(?<=(?:The|the|a|A|his|her|its|their) )(?:former|second|third|fourth|acting|deputy|vice|proposed|planned|alleged|future|assistant|so-called|semi-|quasi-|interim|unofficial|second-largest|half|fake|provisional|potential|would-be|failed|attempted) /gu,
  ))
    yield { kind: 'modifier-taking-back', start: index, end: index + all.length, isHarmful: true };
  for (const { index, 0: all } of found(
    /(?<=\b(?:The|the|A|a|An|an) )(\p{Ll}{3,}(?:al|ous|ive|ful|ic|ish|ern|ed|old|new|big|red|tall|small|large|young|rich|grey|white|black|green|late) )(?=\p{Ll}{3,} )/gu,
  )) {
    const noun = text.slice(index + all.length).split(' ')[0] as string;
    if (/(?:ed|ly|ing)$/u.test(noun) || /^(?:is|are|was|were|has|had|have|and|or|of|in|by|to|for|than)$/u.test(noun))
      continue;
    const article = text.slice(0, index).trim().split(' ').at(-1) ?? '';
    const binding = isCircumstanceBinding(text);
    if (/^an?$/iu.test(article) && binding !== false) continue;
    yield { kind: 'adjective', start: index, end: index + all.length, isHarmful: binding };
  }
  for (const match of found(/(?<=[\p{Ll}\d,] )(?:\p{Lu}[\p{Ll}]{2,})(?: \p{Lu}[\p{Ll}]{2,})+/gu)) {
    const words = match[0].split(' ');
    if (
      /^(?:January|February|March|April|May|June|July|August|September|October|November|December|In|The)$/u.test(
        words[0] as string,
      )
    )
      continue;
    const last = words.at(-1) as string;
    const start = match.index + match[0].length - last.length - 1;
    yield {
      kind: 'name-without-head',
      start,
      end: start + last.length + 1,
      isHarmful: kindWords.test(last) ? true : undefined,
    };
    const beforeName = text.slice(0, match.index);
    if (
      words.length === 2 &&
      /\b(?:by|President|Professor|General|Sir|actor|writer|singer) $/u.test(beforeName) &&
      !kindWords.test(last) &&
      !/^(?:Lake|Mount|Saint|Fort|Cape|Port|New|North|South|East|West|Great|World|United)$/u.test(words[0] as string)
    )
      yield {
        kind: 'first-name',
        start: match.index,
        end: match.index + (words[0] as string).length + 1,
        isHarmful: false,
      };
  }
  for (const { index, 0: all } of found(/(?<=\p{L})['’]s(?: \p{Ll}+)?? \p{Ll}+(?= )/gu)) {
    const next = text
      .slice(index + all.length)
      .trim()
      .split(' ')[0] as string;
    if (/(?:ly|ed)$/u.test(all)) continue;
    if (new RegExp(`^(?:${finite}|${preposition}|and)$`, 'u').test(next.replace(/[.,]$/u, '')))
      yield { kind: 'owner-for-owned', start: index, end: index + all.length, isHarmful: true };
  }
  // A phrase within the subject narrows what is spoken of.
  for (const match of found(
    new RegExp(
      `^((?:The|A|An|All|Some|Most|Many|Both|Every|Each|No|Two|Three|Four)?\\s?[\\p{L}-]+(?: [\\p{Ll}-]+)?) (${preposition} [^,.;]+?) (?=(?:is|are|was|were|has|have|had|may|can|must|will|should|did|does)\\b)`,
      'gu',
    ),
  )) {
    const phrase = match[2] as string;
    const start = (match[1] as string).length;
    if (
      new RegExp(`\\b(?:that|which|who|${finite})\\b`, 'u').test(
        phrase.replace(/^\w+ /u, '').replace(/\b\p{Ll}+s\b/gu, ''),
      )
    )
      continue;
    if (/^(?:In|On|At|By|From|During|After|Before|Since|When|He|She|It|They|There|This|These)\b/u.test(text)) continue;
    yield { kind: 'phrase-of-subject', start, end: start + phrase.length + 1, isHarmful: true };
  }
  for (const match of found(new RegExp(` (${preposition}) (?:[^,.;]+)(?=\\.$)`, 'gu'))) {
    const all = match[0];
    const last = all.lastIndexOf(` ${(all.match(new RegExp(` (${preposition}) `, 'gu'))?.at(-1) ?? '').trim()} `);
    const start = match.index + Math.max(0, last);
    const phrase = text.slice(start, text.length - 1).trim();
    const rest = `${text.slice(0, start)}.`;
    const [word] = phrase.split(' ');
    const before = rest.slice(0, -1).trim().split(' ').at(-1) as string;
    if (phrase.split(' ').length > 7 || /\b(?:that|which|who|and|or|than)\b/u.test(phrase)) continue;
    if (/^(?:of|to)$/u.test(word as string)) {
      if (!/^(?:is|are|was|were|to|and|or)$/u.test(before) && !/(?:ed|ing)$/u.test(before))
        yield {
          kind: 'phrase-of-noun',
          start,
          end: text.length - 1,
          isHarmful: isCircumstanceBinding(rest) === true ? true : undefined,
        };
      continue;
    }
    if (/^(?:is|are|was|were|be|been|not|than|from|between|and|to|of|such|more|less)$/u.test(before)) continue;
    if (new RegExp(`^${preposition}$`, 'u').test(before)) continue;
    // What binds the verb to its object cannot be left out at all.
    if (/(?:ed|s)$/u.test(before) && !/^(?:in|on|at|during|by|after|before|since|until)$/u.test(word as string))
      continue;
    if (/\bbetween\b|\bfrom\b/u.test(rest) && /^(?:to|and|until)$/u.test(word as string)) continue;
    const isTimeOrPlace = /^(?:in|on|at|during|by|after|before|near)$/u.test(word as string);
    yield {
      kind: isTimeOrPlace ? 'circumstance' : 'phrase-at-end',
      start,
      end: text.length - 1,
      isHarmful: isTimeOrPlace
        ? isCircumstanceBinding(rest)
        : presentTense.test(rest) || general.test(rest)
          ? true
          : undefined,
    };
  }
  for (const match of found(/^(?:In|On|At|During|After|Before|Since|By|Under|Within) [^,.;]{3,40}, (?=\p{L})/gu)) {
    const rest = text.slice(match[0].length);
    yield { kind: 'circumstance', start: 0, end: match[0].length, isHarmful: isCircumstanceBinding(rest) };
  }
  for (const match of found(
    /^(?:[\p{Lu}][\p{L} ]+ (?:said|claimed|argued|believes?|claims?|says|reported|warned|suggested|announced) that|According to [^,]+,) /gu,
  ))
    yield { kind: 'attribution', start: 0, end: match[0].length, isHarmful: true };
  for (const { index, 0: all } of found(
    /(?<= )(?:usually|often|sometimes|rarely|mainly|mostly|probably|partly|generally|typically|nearly|officially|reportedly|initially|temporarily|occasionally) /gu,
  ))
    yield { kind: 'adverb-of-degree', start: index, end: index + all.length, isHarmful: true };
  for (const match of found(/(?<=\p{Ll}|\d), (\p{L}[\p{Ll}-]+)(?=,? and \p{L}[\p{Ll}-]+[ .])/gu))
    yield {
      kind: 'list-item',
      start: match.index,
      end: match.index + match[0].length,
      isHarmful:
        /\b(?:between|total|together|only|all|both|three|four|five|respectively|consists?|was|were|is|are)\b|\d/u.test(
          text,
        ) || !pastEvent.test(text)
          ? undefined
          : false,
    };
  for (const { index, 0: all } of found(
    /(?<=\b(?:was|were) \p{Ll}+(?:ed|en|ilt|ade|ung)) by (?:the )?(?:\p{Lu}[\p{L}.]+ ?)+(?= (?:in|on|at|and) |\.$)/gu,
  ))
    yield {
      kind: 'agent',
      start: index,
      end: index + all.trimEnd().length,
      isHarmful: general.test(text) || doubtful.test(text) ? undefined : false,
    };
  for (const { index, 0: all } of found(
    /, (?:making|leading|causing|killing|leaving|using|becoming|including|allowing|giving|forcing) [^,;]+(?=\.$)/gu,
  ))
    yield { kind: 'participle-at-end', start: index, end: index + all.length, isHarmful: false };
}

/** Every cut of `sentence` that leaves a sentence. */
export function cutsOf(sentence: string): Cut[] {
  const text = sentence.replace(/\s+/gu, ' ').trim();
  if (text.length > 180 || !/^\p{Lu}.*\.$/u.test(text) || /["“”?!:;]|\[/u.test(text)) return [];
  const cuts: Cut[] = [];
  for (const { kind, start, end, isHarmful } of removals(text)) {
    if (isHarmful === undefined) continue;
    const rest = text.slice(0, start) + text.slice(end);
    const claim = ((rest[0] ?? '').toUpperCase() + rest.slice(1))
      .replace(/\s+/gu, ' ')
      .replace(/ (?=[.,])/gu, '')
      .trim();
    if (claim.split(' ').length < 3 || claim === text || cuts.some((cut) => cut.claim === claim)) continue;
    cuts.push({ kind, quote: text, claim, isHarmful });
  }
  return cuts;
}
