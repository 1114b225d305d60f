// Parameters that a model turned out not to take, learned from the refusal and remembered for it: models that reason want
// `max_completion_tokens` where others know `max_tokens` alone, and a deployment's name does not say which it is. Invariants: a request is
// sent again only where the refusal names a parameter of it, once for each; nothing else of the request changes.
import type { Fetch } from '../../net/egress.ts';
import { readLengthRefusal } from './length-refusal.ts';

/** The same limit under the names that it has. */
const otherNames: Readonly<Record<string, string>> = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
};
/** Without these an answer is as good. */
const optional: ReadonlySet<string> = new Set(['temperature', 'top_p', 'stream_options', 'store']);

/** Parameters that are sent anywhere here: the only names that an error shows. */
const known: readonly string[] = [
  ...Object.keys(otherNames),
  ...optional,
  'max_output_tokens',
  'response_format',
  'dimensions',
  'encoding_format',
  'tools',
];

const refusalCodes: ReadonlySet<string> = new Set(['unsupported_parameter', 'unknown_parameter', 'unsupported_value']);
/** As servers and gateways say it that send no code. */
const refusalWords =
  /unsupported (?:parameter|value)|not support|unrecognized|unknown (?:parameter|field)|extra (?:inputs|fields)|not permitted|unexpected (?:keyword|field)/iu;
const longestRefusal = 100_000;

/** The parameter that a refusal (the body of a reply) names, of those that were sent; undefined where it names none of them. */
export function refusedParameterIn(body: string, sent: (name: string) => boolean = () => true): string | undefined {
  if (body.length > longestRefusal || readLengthRefusal(body)) return undefined;
  const facts = factsOf(body);
  if (facts.param !== undefined && refusalCodes.has(facts.code ?? ''))
    return known.find((name) => name === facts.param && sent(name));
  if (!refusalCodes.has(facts.code ?? '') && !refusalWords.test(body)) return undefined;
  // Of several that it speaks of, the first: the second is what it advises.
  const named = known.flatMap((name) => {
    const at = sent(name) ? placeOf(name, body) : -1;
    return at < 0 ? [] : [{ name, at }];
  });
  return named.sort((a, b) => a.at - b.at)[0]?.name;
}

/** Where it stands as a word of its own; -1: nowhere. */
function placeOf(name: string, body: string): number {
  const isWord = (at: number): boolean => /^\w$/u.test(body.charAt(at));
  for (let at = body.indexOf(name); at >= 0; at = body.indexOf(name, at + 1))
    if (!isWord(at - 1) && !isWord(at + name.length)) return at;
  return -1;
}

function factsOf(body: string): { readonly code?: string; readonly param?: string } {
  try {
    const { error = {} } = JSON.parse(body) as { error?: Readonly<Record<string, unknown>> };
    const { code, param } = error;
    return { ...(typeof code === 'string' && { code }), ...(typeof param === 'string' && { param }) };
  } catch {
    return {};
  }
}

/** The same for one model, with what it was found to take. */
export function withLearnedParameters(send: Fetch): Fetch {
  /** What a parameter is called instead; undefined: it is left out. */
  const learned = new Map<string, string | undefined>();

  const rewritten = (body: string): string => {
    if (learned.size === 0) return body;
    const fields = Object.entries(JSON.parse(body) as Record<string, unknown>).flatMap(([name, value]) => {
      const instead = learned.has(name) ? learned.get(name) : name;
      return instead === undefined ? [] : [[instead, value] as const];
    });
    return JSON.stringify(Object.fromEntries(fields));
  };
  /** Whether the request can be sent in another way now. */
  const learn = (refused: string, tried: Set<string>): boolean => {
    if (tried.has(refused)) return false;
    tried.add(refused);
    const other = otherNames[refused];
    if (other === undefined) {
      if (optional.has(refused)) learned.set(refused, undefined);
      return optional.has(refused);
    }
    // What was renamed before, or was never sent under that name, is sent as it was given.
    learned.delete(other);
    if (tried.has(other)) {
      learned.delete(refused);
      return false;
    }
    learned.set(refused, other);
    return true;
  };

  return async (input, init) => {
    const given = init?.body;
    if (typeof given !== 'string') return send(input, init);
    const tried = new Set<string>();
    for (;;) {
      const body = rewritten(given);
      const response = await send(input, { ...init, body });
      if (response.status !== 400 && response.status !== 422) return response;
      const said = await response.text();
      const fields = JSON.parse(body) as object;
      const refused = refusedParameterIn(said, (name) => Object.hasOwn(fields, name));
      if (refused === undefined || !learn(refused, tried))
        return new Response(said, { status: response.status, headers: response.headers });
    }
  };
}
