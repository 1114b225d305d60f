// What a robots.txt allows, as RFC 9309 reads it: the group of the most specific product token, the longest rule that fits, and of equally
// long ones the one that allows. Invariant: matching takes at most the product of both lengths (no regular expressions: strangers write rules).
export interface Robots {
  /** `path` with its query, as it stands in the address. */
  allows(path: string): boolean;
  /** Seconds between two requests that the site asks for; no standard, but kept by most. */
  readonly delaySeconds?: number;
  readonly sitemaps: readonly string[];
}

interface Rule {
  readonly pattern: string;
  readonly isAllowed: boolean;
}

interface Group {
  readonly agents: string[];
  readonly rules: Rule[];
  delaySeconds?: number;
}

/** As much as RFC 9309 asks crawlers to read. */
const mostCharacters = 500 * 1024;
const mostRules = 5000;

/** The same spelling of a path, however its octets are escaped. */
function toComparable(path: string): string {
  return path
    .replace(/%([0-9a-f]{2})/giu, (written, octet: string) => {
      const character = String.fromCharCode(Number.parseInt(octet, 16));
      return /[\w.~-]/u.test(character) ? character : written.toUpperCase();
    })
    .replace(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character.toWellFormed()));
}

/** `*` for any run of characters, `$` at the end for the end of the path. */
function fits(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$');
  const parts = (isWhole ? pattern.slice(0, -1) : pattern).split('*');
  let at = 0;
  for (const [place, part] of parts.entries()) {
    const isLast = place === parts.length - 1;
    if (place === 0) {
      if (!path.startsWith(part)) return false;
      at = part.length;
      if (isLast && isWhole) return path.length === at;
    } else if (isLast && isWhole) return path.length - part.length >= at && path.endsWith(part);
    else {
      const found = path.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
  }
  return true;
}

export const everythingAllowed: Robots = { allows: () => true, sitemaps: [] };
/** RFC 9309 2.3.1.4: what cannot be reached forbids everything. */
export const nothingAllowed: Robots = { allows: (path) => path === '/robots.txt', sitemaps: [] };

/** `product`: the token that the program goes by, such as `footnote`. */
export function parseRobots(text: string, product: string): Robots {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  let isNaming = false;
  let rules = 0;
  for (const line of text.slice(0, mostCharacters).split(/\r\n?|\n/u)) {
    const [, field = '', written = ''] = /^\s*([A-Za-z-]+)\s*:\s*([^#]*)/u.exec(line) ?? [];
    const [name, value] = [field.toLowerCase(), written.trim()];
    if (name === 'user-agent') {
      if (!isNaming) groups.push({ agents: [], rules: [] });
      groups.at(-1)?.agents.push(value.toLowerCase());
      isNaming = true;
      continue;
    }
    if (name === 'sitemap') {
      if (value !== '' && sitemaps.length < 100) sitemaps.push(value);
      continue;
    }
    const group = groups.at(-1);
    if (!group || (name !== 'allow' && name !== 'disallow' && name !== 'crawl-delay')) continue;
    isNaming = false;
    if (name === 'crawl-delay') {
      const seconds = Number(value);
      if (value !== '' && Number.isFinite(seconds) && seconds >= 0) group.delaySeconds ??= seconds;
    } else if (value !== '' && rules < mostRules) {
      rules += 1;
      group.rules.push({ pattern: toComparable(value), isAllowed: name === 'allow' });
    }
  }
  const own = groups.filter(({ agents }) => agents.some((agent) => agent.split('/', 1)[0] === product.toLowerCase()));
  const ours = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes('*'));
  const delay = ours.find(({ delaySeconds }) => delaySeconds !== undefined)?.delaySeconds;
  const all = ours
    .flatMap((group) => group.rules)
    .sort((a, b) => b.pattern.length - a.pattern.length || Number(b.isAllowed) - Number(a.isAllowed));
  return {
    allows(path) {
      if (path === '/robots.txt') return true;
      const comparable = toComparable(path);
      return all.find(({ pattern }) => fits(pattern, comparable))?.isAllowed ?? true;
    },
    ...(delay !== undefined && { delaySeconds: delay }),
    sitemaps,
  };
}
