// The mail that a mail repeats: lines behind `>`, the line that says who wrote them, all below "Original message". Its words are nobody's answer.
// Nothing is taken out of the text.

const attribution =
  /^(?:On|Am|Le|El|Il|Em|Op) .{6,200}(?:wrote|schrieb(?: .{1,100})?|a écrit|escribió|ha scritto|escreveu|schreef(?: .{1,100})?)\s?:\s*$/u;
const original = /^[-_ ]*(?:Original Message|Ursprüngliche Nachricht|Message d'origine|Mensaje original)[-_ ]*$/iu;
/** Further lines of a message are its own. */
const mostLines = 20_000;

/** Whether the words at a place of a message are repeated from another. */
export function quotedOf(text: string): (at: number) => boolean {
  if (!/^>|:\s*$|^[-_ ]{0,40}(?:Orig|Urspr|Message d|Mensaje)/imu.test(text)) return () => false;
  const ranges: (readonly [number, number])[] = [];
  let start = 0;
  for (const line of text.split('\n', mostLines)) {
    const end = start + line.length + 1;
    const plain = line.trimEnd();
    if (original.test(plain) && plain !== '') {
      ranges.push([start, text.length]);
      break;
    }
    if (plain.startsWith('>') || attribution.test(plain)) ranges.push([start, end]);
    start = end;
  }
  return (at) => ranges.some(([from, to]) => at >= from && at < to);
}
