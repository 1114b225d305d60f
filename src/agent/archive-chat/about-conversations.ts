// Whether a question asks for what was said in past conversations, rather than for what documents say: then the archive is looked at, too.
const saying =
  '(?:say|said|talk(?:ed)?|speak|spoke|spoken|mention(?:ed)?|discuss(?:ed)?|ask(?:ed)?|tell|told|chat(?:ted)?|write|wrote|decide(?:d)?|agree(?:d)?|conclude(?:d)?|think|thought|plan(?:ned)?|promise(?:d)?)';
const person = '(?:i|we|you)';

const patterns: readonly RegExp[] = [
  new RegExp(
    `\\b(?:did|have|had) ${person} (?:ever |already |first |last |originally |once |really ){0,2}${saying}\\b`,
    'iu',
  ),
  new RegExp(`\\b(?:what|when|where|why|how often) (?:i|we) (?:first |last |once )?${saying}\\b`, 'iu'),
  /\b(?:my|our|past|earlier|previous|old) (?:past |earlier |old |own )?(?:conversations?|chats?|chat history|messages)\b/iu,
  /\b(?:habe|hatte|haben|hatten) (?:ich|wir)\b[^?]{0,120}\b(?:gesagt|gesprochen|geredet|erwähnt|besprochen|gefragt|entschieden|geschrieben)\b/iu,
];

export const asksForConversations = (question: string): boolean => {
  const read = question.slice(0, 2_000);
  return patterns.some((pattern) => pattern.test(read));
};
