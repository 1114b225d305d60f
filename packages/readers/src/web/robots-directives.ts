// What a page asks of programs that keep it: the values of the header X-Robots-Tag and of the robots meta tag, which say the same in the same
// words. A header may name the program that it speaks to: what follows a name is for that one alone, up to the next name.

export interface RobotsDirectives {
  /** It asks not to be kept: `noindex`, `none`, or an `unavailable_after` that has passed. */
  readonly isPrivate: boolean;
  /** Its links are not to be followed: `nofollow`, `none`. */
  readonly isClosed: boolean;
}

/** Directives whose value stands behind a colon, as names of programs do. */
const valued: ReadonlySet<string> = new Set([
  'unavailable_after',
  'max-snippet',
  'max-image-preview',
  'max-video-preview',
]);

/** `agent`: the name by which pages speak to the program. */
export function readRobotsDirectives(said: string, agent: string, nowMs = Date.now()): RobotsDirectives {
  let [isPrivate, isClosed, isForUs] = [false, false, true];
  const parts = said.split(',');
  for (const [place, part] of parts.entries()) {
    let directive = part.trim();
    for (let colon = directive.indexOf(':'); colon >= 0; colon = directive.indexOf(':')) {
      const name = directive.slice(0, colon).trim().toLowerCase();
      if (valued.has(name) || name === '' || name.includes(' ')) break;
      isForUs = name === '*' || name === 'robots' || name === agent;
      directive = directive.slice(colon + 1).trim();
    }
    const lower = directive.toLowerCase();
    if (!isForUs) continue;
    if (lower === 'noindex' || lower === 'none') isPrivate = true;
    if (lower === 'nofollow' || lower === 'none') isClosed = true;
    if (!lower.startsWith('unavailable_after')) continue;
    const date = directive.slice(directive.indexOf(':') + 1).trim();
    // RFC 850 dates hold a comma: "Friday, 25-Jun-10 15:00:00 UTC".
    const until = [date, `${date}, ${parts[place + 1] ?? ''}`].map((one) => Date.parse(one)).find((ms) => ms > 0);
    if (until !== undefined && until < nowMs) isPrivate = true;
  }
  return { isPrivate, isClosed };
}
