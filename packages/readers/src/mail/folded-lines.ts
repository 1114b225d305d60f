// The lines of vCard and iCalendar before they were folded (RFC 6350 §3.2, RFC 5545 §3.1; vCard 2.1 and vCalendar 1.0 with values in
// quoted-printable, RFC 2045 §6.7). Invariant: linear time.

const isQuotedPrintable = (line: string): boolean => /^(?=[^:]*:)[^:]*quoted-printable/iu.test(line);

/** A value in quoted-printable goes on behind a `=` at the end of its line, any other behind white space at the beginning of the next. */
export function* unfoldedLines(source: string): Generator<string> {
  let parts: string[] = [];
  let isQuoted = false;
  for (const line of source.split('\n')) {
    const last = parts.at(-1);
    if (last !== undefined && isQuoted && last.endsWith('=')) {
      parts[parts.length - 1] = last.slice(0, -1);
      parts.push(line);
    } else if (line === '') {
      // Between lines that were ended twice on their way (CR CR LF).
    } else if (last !== undefined && /^[ \t]/u.test(line)) parts.push(line.slice(1));
    else {
      if (last !== undefined) yield parts.join('');
      parts = [line];
      isQuoted = isQuotedPrintable(line);
    }
  }
  if (parts.length > 0) yield parts.join('');
}

/** What is written outside its escapes was decoded with the file. */
export function unquotedValue(value: string, charset: string): string {
  const decode = decoderOf(charset);
  return value.replace(/(?:=[\dA-F]{2})+/giu, (run) => decode(Buffer.from(run.replaceAll('=', ''), 'hex')));
}

function decoderOf(charset: string): (bytes: Uint8Array) => string {
  try {
    const decoder = new TextDecoder(charset.trim());
    return (bytes) => decoder.decode(bytes);
  } catch {
    return (bytes) => new TextDecoder().decode(bytes);
  }
}
