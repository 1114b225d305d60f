// The same of one thing at several times: "Compare the net sales and the margin of Acme in fiscal 2022 and fiscal 2021". Pure.
import { elementsOf, question } from './phrases.ts';

const time =
  /^(?:the )?(?:(?:fiscal|financial|calendar) (?:year )?|FY ?|(?:first|second|third|fourth|last) (?:quarter|half) (?:of )?(?:fiscal )?|Q[1-4] (?:of )?|H[12] |(?:early|late|mid)[- ]|January |February |March |April |May |June |July |August |September |October |November |December )?(?:1[0-9]|20|21)\d\d$/iu;

export const isTime = (text: string): boolean => time.test(text.trim());

/** Each fact at each time, the times in turn; undefined where something else is compared. */
export function inTimes(
  list: string,
  times: readonly string[],
  most: number,
): { readonly things: readonly string[]; readonly queries: readonly string[] } | undefined {
  if (times.length < 2 || !times.every(isTime)) return undefined;
  const facts = factsIn(list);
  if (!facts || facts.length * times.length > most) return undefined;
  return {
    things: times,
    queries: times.flatMap((one) =>
      facts.map((fact) => question(`What ${/s$/u.test(headOf(fact)) ? 'were' : 'was'} ${fact} in ${one}`)),
    ),
  };
}

const headOf = (fact: string): string => fact.replace(/ (?:of|for|per|from)\b.*$/u, '').replace(/(?:ss|us|is)$/u, '');

/** "The sales and the margin of Acme", "Acme's sales and margin", "Acme's revenue". */
function factsIn(list: string): readonly string[] | undefined {
  const [, owned = '', owner = ''] =
    /^((?:the )?\p{Ll}[\p{L} ,-]{1,120}?) (?:of|for) (\p{Lu}[^,]{0,80})$/u.exec(list) ?? [];
  if (owned !== '' && !/ and /u.test(owner))
    return elementsOf(owned, 'and|as well as').map((fact) => `the ${fact.replace(/^the /u, '')} of ${owner}`);
  const [, name = '', own = ''] = /^((?:the )?\p{Lu}[^,]{0,80}?['’]s?) (\p{Ll}[\p{L} ,-]{1,120})$/u.exec(list) ?? [];
  if (name !== '') return elementsOf(own, 'and|as well as').map((fact) => `${name} ${fact}`);
  return / and |,/u.test(list) ? undefined : [list];
}
