// What a work is about, as questions ask for it ("What is X about?", "Summarise the X paper") and as works tell it of themselves: abstracts, prefaces and
// introductions announce in few forms what is to come (Swales 1990, "announcing present research"). Pure; the forms rank passages, they do not verify claims.
import { definitionFit } from './definitions.ts';

const kinds = String.raw`book|paper|article|report|document|essay|study|novel|thesis|post|guide|manual|file|pdf|handbook|whitepaper|white\spaper|tutorial|specification|memo|policy|contract|agreement|text|story|speech|proposal`;
const before = String.raw`(?:(?:the|this|that|my|our)\s)?(?:(?:${kinds})\s)?(?:(?:called|titled|entitled|named)\s)?`;
const work = String.raw`([^?]{2,120}?)`;
const after = String.raw`(?:\s(?:in\s(?:a\sfew|one|two|three|\d)\s\p{L}{3,12}|briefly|in\sshort|please|for\sme))?[\s?.!]{0,8}$`;
const lead = String.raw`^\s{0,4}(?:please\s)?(?:(?:can|could|would|will)\syou\s(?:please\s)?)?`;
const asks = [
  new RegExp(
    String.raw`^\s{0,4}what(?:\s(?:is|was|are)|['’]s)\s${before}${work}\s(?:all\s|mainly\s)?about${after}`,
    'iu',
  ),
  new RegExp(
    String.raw`^\s{0,4}what\s(?:do|does|did)\s${before}${work}\s(?:say|argue|discuss|cover|describe|propose|present|claim|deal\swith|explain|conclude|talk\sabout|contribute)${after}`,
    'iu',
  ),
  new RegExp(
    String.raw`^\s{0,4}what(?:\s(?:is|was|are|were)|['’]s)\sthe\s(?:(?:main|central|key|core|overall|general|basic)\s)?(?:ideas?|arguments?|points?|topics?|subjects?|themes?|purpose|thesis|message|claims?|contributions?|goals?|aims?|gist|summary)\s(?:of|in|behind)\s${before}${work}${after}`,
    'iu',
  ),
  new RegExp(
    String.raw`${lead}(?:summari[sz]e|sum\sup|outline|introduce)\s(?:for\sme\s)?${before}${work}${after}`,
    'iu',
  ),
  new RegExp(
    String.raw`${lead}(?:give|show|write)\s(?:me\s|us\s)?(?:an?\s|the\s)?(?:(?:short|brief|quick|concise)\s)?(?:summary|overview|synopsis|abstract|outline)\s(?:of|about|on)\s${before}${work}${after}`,
    'iu',
  ),
  new RegExp(
    String.raw`^\s{0,4}(?:an?\s|the\s)?(?:(?:short|brief|quick)\s)?(?:summary|overview|synopsis|outline)\s(?:of|about)\s${before}${work}${after}`,
    'iu',
  ),
];
const kindAfter = new RegExp(String.raw`\s(?:${kinds})s?$`, 'iu');

export interface AskedSubject {
  readonly work: string;
  readonly isPart?: true;
}

/** The work whose subject a question asks for, as the question names it; whether a work is called so its reader knows. */
export function subjectAsked(question: string): AskedSubject | undefined {
  const found = asks.map((form) => form.exec(question)?.[1]).find((name) => name !== undefined);
  const name = found?.replace(/^["“„'‘]|["”“'’]$/gu, '').trim();
  if (name === undefined) return undefined;
  const unquoted = name.replace(/(?<=[\p{L}\p{N}])\.[a-z]{2,5}$/u, '');
  const bare = unquoted.replace(kindAfter, '').replace(/["”“'’]$/u, '');
  if (bare === '' || /^(?:it|this|that|these|those|they)$/iu.test(bare)) return undefined;
  return bare === unquoted ? { work: bare } : { work: bare, isPart: true };
}

/** Prefaces and introductions of books are long: so far from the beginning a work may tell what it is about, in UTF-16 code units. */
export const subjectPages = 60_000;
/** An abstract and an introduction speak of "we" within. */
const abstractPages = 8_000;

const itself = String.raw`(?:this|the\spresent|our)\s(?:short\s|little\s|new\s)?(?:${kinds}|work|survey|page|project|repository|package|library)`;
const verbs = String.raw`argues?|describes?|defends?|study|survey|presents?|shows?|explores?|examines?|introduces?|proposes?|offers?|provides?|explains?|discusses?|covers?|investigates?|addresses?|aims?|tells?|studies|surveys?|reviews?|reports?|demonstrates?|outlines?|sets?\sout|asks?|defines?|specifies|governs?|summari[sz]es|evaluates?|develops?`;
const announcements = [
  new RegExp(
    String.raw`\b${itself}\s(?:is|was)\s(?:(?:mainly|also|then|therefore|not)\s)?(?:about|an?|the|meant|intended|written)\b|\b${itself}\s(?:also\s|then\s|first\s|mainly\s)?(?:${verbs})\b`,
    'iu',
  ),
  new RegExp(
    String.raw`\b(?:aims?|purpose|goals?|subject|focus|topic|argument|point|claim|thesis|scope|objective|story|heart)\s(?:of|in|behind)\s${itself}\s(?:is|was|are|has\sbeen)\b`,
    'iu',
  ),
  new RegExp(
    String.raw`\bin\s${itself},?\s(?:we|I|you\swill)\s(?:(?:will|shall|also|first)\s)?(?:${verbs}|find|learn|see)\b`,
    'iu',
  ),
  new RegExp(String.raw`\bthat\sI\s(?:defend|describe|argue|tell)\s(?:for\s)?in\s${itself}\b`, 'iu'),
  /\b[Mm]y\s(?:aim|argument|claim|purpose|goal|thesis|subject)\s(?:here\s)?is\b|\bI\sargue\sthat\b/u,
];
const ofAbstract =
  /\b(?:[Ww]e|[Hh]ere\swe)\s(?:then\s|also\s|here\s|further\s)?(?:propose|present|introduce|describe|study|investigate|develop|explore|examine|argue|survey|review|demonstrate)\b|\b[Ww]e\s(?:show|find|report)\sthat\b/u;
/** "Is about the troubles that …": its subject is the work. */
const longestTitle = 80;
/** Lines of contents, notices and of what a section holds tell nothing. */
const shortest = 40;
const ofLess =
  /\b(?:in\sthis\ssection|printed\son|licen[sc]ed\sunder|rights\sreserved|acid-free|PDF\sversion|ISBN|cite\sthis)\b/iu;

/** Does a line say what the work is about? `at`: where it begins in the document, in UTF-16 code units. */
export function tellsSubject(line: string, named: string, at: number): boolean {
  const folded = line.replace(/\s+/gu, ' ').trim();
  if (at >= subjectPages || folded.length < shortest || ofLess.test(folded)) return false;
  if (announcements.some((form) => form.test(folded))) return true;
  if (at < abstractPages && ofAbstract.test(folded)) return true;
  const title = folded.toLowerCase().indexOf(named.toLowerCase());
  if (named === '' || title < 0 || title > longestTitle) return false;
  const said = folded.slice(title + named.length);
  return (
    /^["”’*_]{0,3}\sis\s(?:(?:mainly|really)\s)?about\b/iu.test(said) || definitionFit(named, folded) >= definition
  );
}
const definition = 0.95;

/** How many sentences of a passage tell it; `at` as above. */
export const tellingOf = (passage: string, named: string, at: number): number =>
  passage.split(/(?<=[.!?])\s/u).filter((line) => tellsSubject(line, named, at)).length;
