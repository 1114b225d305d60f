// What of a message is its user's own voice: code, quotations, forwarded mail and pasted text are taken out, since others speak in them. Every
// line that is left is a passage of its own; nothing that stood in a quotation is ever read as the user's words.

const codeBlock = /```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)/gu;
const inlineCode = /`[^`\n]{1,400}`/gu;
const markup = /<(\w{1,20})\b[^>\n]{0,200}>[\s\S]{0,4000}?<\/\1>/gu;
/** From here on somebody else's text stands. */
const pasted =
  /\b(?:here(?:'s| is| are)|this is|following|below|translate|rewrite|rephrase|proofread|correct|summari[sz]e|improve|shorten|edit|check|analy[sz]e|reads?|says?|said|wrote|states?|quote|excerpt|transcript|text|email|mail|message|letter|article|notes?|sentence|paragraph|log|review|example|summary|story|poem|lyrics|essay|prompt|document|snippet|turn|convert|fix|grammar|bio|form|contract|survey|post|caption|asks?|list)\b[^.!?\n]{0,60}:\s*(?=\S)/iu;
/** Explicit wishes and notes also end in a colon. */
const noteColon =
  /^\s*(?:please\s+)?(?:(?:remember|note|fyi|reminder|keep in mind|remember this|note to self|for the record|(?:make a |take a )?note(?: that)?|important|p\.?s\.?|btw|for context|context|about me|the way (?:i|we)\b.{0,60}|(?:our|my) (?:process|workflow|routine|procedure|rule|convention|policy|setup|stack)\b.{0,40}|(?:my|our) [\w ]{2,40}))\s{0,4}(?:(?:is|are)\s{0,4})?:/iu;
const mailHeader =
  /^\s*(?:from|to|cc|bcc|subject|sent|date|forwarded message|original message|begin forwarded)\s*:|^-{2,}\s*(?:forwarded|original)/iu;
const codeLine =
  /^\s*(?:(?:const|let|var|def|class|import|export|function|public|private|return|print|printf|console\.|SELECT|INSERT|UPDATE|DELETE|CREATE|#include|package|using|from \w+ import|async|await|if\s*\(|for\s*\(|while\s*\(|\$ |> |\/\/|\/\*|<\/?\w)|[\w.]+\([^)]*\)\s*(?:;\s*)?(?:=>.*)?$|.*[;{}]\s*$|\s*at [\w.$]+\(|(?:npm|yarn|pnpm|pip|cargo|docker|git|kubectl|apt|brew|curl|sudo)\s+(?:ERR!|WARN|[a-z-]+\s+-|install\b|run\b|push\b|commit\b))/u;
const logLine =
  /^\s*(?:\[?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}|\[?(?:ERROR|WARN|INFO|DEBUG|TRACE)\b|Traceback|Exception\b|\w+(?:Error|Exception):)/u;
const speaker =
  /^\s*(?!(?:note|fyi|ps|p\.s|btw|remember|reminder|important|context|me|my|our)\b)\p{Lu}[\p{L}.' -]{1,30}:\s+\S/iu;
const quotation =
  /["“„«][^"“”„«»\n]{1,2000}["”“»]|(?<![\p{L}\d])['‘](?=[^'’\n]{12,2000}['’](?![\p{L}]))[^\n]{0,2000}?['’](?!\p{L})/gu;

/** A quotation of one or two words, or of a name (call me "Dr. R. Osei"), names something; another is somebody's speech. */
const withoutQuotations = (line: string): string =>
  line.replace(quotation, (quoted) => {
    const inner = quoted.slice(1, -1);
    const words = inner.trim().split(/\s+/u);
    return words.length <= 2 || (words.length === 3 && words.every((word) => /^\p{Lu}/u.test(word))) ? inner : ' … ';
  });

const greeting = /^\s*(?:dear|hi|hello|hey|good (?:morning|afternoon|evening))\b[^.!?:\n]{0,40},\s*$/iu;
const signOff =
  /^\s*(?:best|(?:kind|best|warm) regards|regards|sincerely|yours(?: (?:sincerely|truly|faithfully))?|cheers|many thanks|thanks|love)\b[^.!?\n]{0,30}[,!]?(?:\s+\S+){0,3}\s*$/iu;

/** A letter inside a message, from its greeting to its last line, is a text that is worked on. */
function withoutLetter(lines: readonly string[]): readonly string[] {
  const from = lines.findIndex((line) => greeting.test(line));
  const to = lines.findIndex((line, at) => at > from + 1 && signOff.test(line));
  return from === -1 || to === -1 ? lines : [...lines.slice(0, from), ...lines.slice(to + 1)];
}

/** Lines in the user's own voice, in order. */
export function ownVoice(message: string): readonly string[] {
  const said = message
    .replace(/\r\n?/gu, '\n')
    .replace(codeBlock, '\n')
    .replace(markup, ' … ')
    .replace(inlineCode, (code) => (/\s/u.test(code) ? ' … ' : code.slice(1, -1)));
  const lines: string[] = [];
  const all = withoutLetter(said.split('\n'));
  const spoken = all.filter((line) => speaker.test(line) && !noteColon.test(line)).length;
  for (const line of all) {
    if (mailHeader.test(line)) break;
    if (/^\s*[>|]/u.test(line) || codeLine.test(line) || logLine.test(line)) continue;
    if (spoken >= 2 && speaker.test(line)) continue;
    const colon = noteColon.test(line) ? null : pasted.exec(line);
    const before = colon ? line.slice(0, colon.index) : line;
    // A colon at the end of a line of that kind, and all lines after it are pasted too.
    const heads =
      !noteColon.test(line) &&
      /\b(?:this|these|following|below|text|email|mail|message|letter|article|notes?|says?|said|wrote|reads?|transcript|excerpt|quote|log|document|example|translate|rewrite|summari[sz]e|proofread)\b[^.!?\n]{0,60}:\s*$/iu.test(
        line,
      );
    const kept = withoutQuotations(colon ? before : line).trim();
    if (kept !== '' && kept !== '…') lines.push(kept);
    if (colon || heads) break;
  }
  return lines;
}
