// Tells sentences that only say where to read: "See X for more details", "Learn more about X", and entries of lists of sources as encyclopedias print
// them. They hold the words of a question and answer nothing. Pure.

/** "See", "please refer to", "for more information, check": at the beginning. */
const refers =
  /^(?:[\s*_>•–-]|ℹ️|note:){0,8}(?:(?:but|and|also|first|then|now)\s)?(?:please\s)?(?:see(?:\salso)?|refer\sto|consult|check\sout|take\sa\slook\sat|have\sa\slook\sat|read\smore|learn\smore|find\sout\smore|(?:more|further|additional|detailed)\s(?:(?:details?|information)\s)?(?:about|on)\b|for\s(?:(?:more|further|additional|detailed|complete|full|the\sfull)\s)?(?:details?|information|explanations?|examples?|instructions?|a\sfull\s\p{L}{3,20}),?\s(?:on|about|of|regarding|see|refer|please|consult|check|read|visit))\b/iu;
/** A verb of its own behind a colon or a semicolon says more than where to read. */
const saysMore = /[:;]\s\p{L}/u;
const longest = 30;

/** "27. ^ "FAQ on CEO Resignation".", "Eich, B. (2014). "Title". Mozilla Blog. Retrieved 3 April 2014." */
const sources =
  /^(?:\d{1,3}\.\s)?\^\s|\b(?:Retrieved|Accessed|Archived)\s(?:on\s|from\s)?(?:the\s)?(?:original\b|\d{1,2}\s\p{Lu}|\p{Lu}\p{Ll}{2,9}\s\d{1,2},|\d{4}-)|^["“][^"”]{8,200}(?:\.["”]|["”]\.)\s{1,2}\p{L}[\p{L}\s.&'’-]{1,60}\.(?:\s(?:\(.{1,40}\)|\d{1,2}\s\p{Lu}\p{Ll}{2,9}\s\d{4}\.?|\p{Lu}\p{Ll}{2,9}\s\d{1,2},\s\d{4}\.?))?$/u;

/** Does the sentence only send its reader elsewhere? */
export function isPointer(sentence: string): boolean {
  const said = sentence.trim();
  const sent = refers.exec(said)?.[0].length;
  return sent !== undefined && !saysMore.test(said.slice(sent)) && said.split(/\s+/u).length <= longest;
}

/** Is it an entry of a list of sources? */
export const isSourceEntry = (line: string): boolean => sources.test(line.trim());

/** Is the piece only the name of something (a link, an address, an image) that says nothing by itself? */
export function isBareLink(piece: string): boolean {
  const rest = piece
    .replace(/!?\[[^[\]\n]*\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"]*")?\)/g, '')
    .replace(/<?\bhttps?:\/\/[^\s>]+>?/g, '');
  return rest !== piece && !/[\p{L}\p{N}]/u.test(rest);
}
