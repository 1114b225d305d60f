// Words and runs of words that the reading of omissions is about: which bind, which link, which take back; what a run of left-out
// words is.
import { irregularPasts } from '../../../text/words/inflect.ts';
import type { Token } from '../tokens.ts';

export interface Restriction {
  readonly kind: 'exception' | 'condition' | 'head' | 'modifier' | 'phrase' | 'clause';
  readonly text: string;
}

export interface Run {
  readonly quote: readonly Token[];
  readonly start: number;
  readonly end: number;
  readonly place: 'lead' | 'inside' | 'tail';
  readonly once: () => boolean;
  readonly isUsed: (at: number) => boolean;
}

export const auxiliaries =
  /^(?:is|are|am|has|have|can|may|might|must|will|shall|should|would|could|does|do|cannot|ist|sind|hat|haben|kann|können|muss|müssen|wird|werden|darf|dürfen)$/u;

export const past =
  /^(?:was|were|had|did|became|beat|cut|put|set|hit|shut|split|spread|quit|burst|war|waren|hatte|hatten|wurde|wurden)$/u;

const graded = /(?:(?<=.{2})est|^most|^least|^first|^last|^best|^worst|^only|^sole|^largest|^main|^top|^leading)$/u;

const notGraded =
  /^(?:west|east|northwest|northeast|southwest|southeast|forest|interest|request|test|guest|priest|protest|invest|harvest|contest|arrest|rest|nest|chest|quest|midwest|manifest|honest|modest|suggest|conquest|budapest|invest)$/u;

export const excepting =
  /^(?:except|excluding|excepting|barring|save|without|minus|unlike|apart|aside|otherwise|außer|ohne)$/u;

/** Behind what is excepted: "pharmacies excepted", "weather permitting". */
export const exceptingBehind =
  /^(?:excepted|excluded|exempted|exempt|aside|apart|notwithstanding|permitting|omitted|barred)$/u;

export const conditional =
  /^(?:if|unless|provided|providing|given|upon|assuming|once|whenever|lest|subject|depending|contingent|wenn|falls|sofern|until|bis)$/u;

export const prepositions =
  /^(?:in|on|at|of|for|from|with|by|during|between|among|within|under|over|above|below|beneath|near|against|after|before|since|through|across|inside|outside|to|into|onto|along|around|throughout|toward|towards|via|about|beyond|behind|beside|per|as|like|concerning|regarding|than|despite|alongside|amid|following|im|auf|aus|bei|beim|mit|nach|von|vom|vor|zu|zum|zur|für|durch|über|unter|zwischen|gegen|um|seit|während|wegen|trotz)$/u;

export const reasons = /^(?:because|since|as|although|though|while|whereas|whilst|weil|obwohl|während|da|so)$/u;

export const examples = /^(?:including|such|like|especially|particularly|notably|eg|namely)$/u;

export const linking =
  /^(?:however|moreover|furthermore|therefore|thus|hence|consequently|additionally|meanwhile|similarly|nevertheless|nonetheless|likewise|accordingly|finally|instead|indeed|subsequently|eventually|later|afterwards|then|also|today|currently|now|historically|interestingly|notably|ultimately|addition|example|instance|result|contrast|fact|course|furthermore|recently|originally|overall|specifically|importantly)$/u;

export const takenBack =
  /^(?:withdr[ae]wn?|revoked|cancell?ed|annulled|overturned|reversed|repealed|abandoned|retracted|recanted|rejected|denied|failed|disputed|refuted|corrected|replaced|lost|suspended|deferred|waived|postponed|quashed|commuted)$/u;

export const takingBack =
  /^(?:former|second|third|fourth|fifth|acting|deputy|vice|proposed|planned|alleged|future|assistant|so-called|semi|quasi|interim|unofficial|fake|provisional|potential|would-be|attempted|half|mock|pseudo|honorary|failed|candidate|incomplete|unfinished|possible|putative|supposed|non|anti|ex|quarter|double|triple|part|twice|junior|youth|reserve|amateur|associate|trainee|apprentice|nominee|designate|elect|emeritus|partial|replica|imitation|shadow|caretaker|opposition|rebel|onetime|retired|draft|trial|pilot|beta|preliminary|prototype|aspiring|fictional|imaginary|self-styled|self-proclaimed)$/u;

/** What a law or a court does holds where it has a say. */
export const rules =
  /^(?:bann?(?:ed|s)?|outlawed|prohibited|forbidden|forbade|legali[sz]ed|criminali[sz]ed|permitted|allowed|censored|taxed|licen[sc]ed|restricted|legal|illegal|abolished|imposed|levied|rationed|enforced)$/u;

export const text = (tokens: readonly Token[], from: number, to: number): string =>
  tokens
    .slice(from, to + 1)
    .map((token) => token.text)
    .join(' ')
    .slice(0, 80);

export const isMark = (token: Token | undefined, form = /^/u): boolean =>
  token?.type === 'mark' && form.test(token.text);

export const isGraded = (token: Token): boolean =>
  (graded.test(token.lower) && !notGraded.test(token.lower)) || token.quantity?.kind === 'ordinal';

export const isPastVerb = (token: Token): boolean =>
  token.type === 'word' &&
  (past.test(token.lower) ||
    irregularPasts.has(token.lower) ||
    (/(?<=.{2})ed$/u.test(token.lower) &&
      !/^(?:need|exceed|indeed|hundred|united|speed|breed|based|related|limited|advanced|used)$/u.test(token.lower)));

/** A verb in the past, or a form of one that helps. */
export const isVerbForm = (token: Token): boolean =>
  isPastVerb(token) || auxiliaries.test(token.lower) || past.test(token.lower);

/** Content words, and small words at the end that stand for them: "on each one", "acts on it". */
export function tells(quote: readonly Token[], at: number): boolean {
  const token = quote[at] as Token;
  if (token.content) return true;
  if (
    token.type !== 'word' ||
    !(token.quantifier || /^(?:it|them|him|her|us|one|then|there|itself|themselves|himself)$/u.test(token.lower))
  )
    return false;
  for (let other = at - 1; other >= 0 && other >= at - 2; other -= 1) {
    const before = quote[other] as Token;
    if (before.content || before.type === 'mark') return false;
    if (prepositions.test(before.lower)) {
      const next = quote[at + 1];
      return next === undefined || next.type === 'mark' || !next.content;
    }
  }
  return false;
}

export const hasContent = (quote: readonly Token[], from: number, to: number): boolean =>
  quote.slice(from, to + 1).some((_, index) => tells(quote, from + index));

export function rest({ quote, end }: Run, at: number, kind: Restriction['kind']): Restriction {
  return { kind, text: text(quote, at, end) };
}

export function clauseEnd({ quote, end }: Run, from: number): number {
  const close = quote.findIndex((other, index) => index > from && index <= end && isMark(other, /^[,;—–]$/u));
  return close < 0 ? end + 1 : close + 1;
}
