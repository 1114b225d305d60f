// Paragraphs of text/plain; format=flowed (RFC 3676) put together again, those of quotations too: lines that end with a space go on in the next one of the
// same depth. Invariant: linear time; what stands in the lines stays, but for the marks of quotation of those that are joined.

const signature = '-- ';

export function unflowed(text: string, deletesSpace: boolean): string {
  const out: string[] = [];
  let depthBefore = 0;
  let goesOn = false;
  for (const line of text.split(/\r?\n/u)) {
    const marks = /^>*/u.exec(line)?.[0] ?? '';
    const depth = marks.length;
    const behind = line.slice(depth);
    // A space in front protects what looks like a mark (§4.4).
    const content = behind.startsWith(' ') ? behind.slice(1) : behind;
    const isSignature = content === signature;
    if (goesOn && depth === depthBefore && !isSignature) {
      const last = out.pop() ?? '';
      out.push(deletesSpace ? last.slice(0, -1) : last, content);
    } else {
      if (out.length > 0) out.push('\n');
      out.push(depth === 0 ? content : `${marks} ${content}`.trimEnd());
      if (depth > 0 && content.endsWith(' ')) out.push(' ');
    }
    goesOn = content.endsWith(' ') && !isSignature;
    depthBefore = depth;
  }
  return out.join('');
}
