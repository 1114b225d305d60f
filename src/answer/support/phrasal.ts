// Everyday phrases that say what one word says, so that "was torn down" meets "was demolished". Both sides are read so.

const pairs: readonly (readonly [RegExp, string])[] = (
  [
    ['(?:torn|tore|tearing|pulled) down', 'demolished'],
    ['(?:shut|shuts|closed) down', 'closed'],
    ['went down(?= (?:in|near|off|at|close|with))', 'sank'],
    ['stepp?(?:ed|ing|s) down', 'resigned'],
    ['(?:made|became|becoming|make) public', 'published'],
    ['(?:took|takes|taking|take|taken) place', 'happened'],
    ['(?:set|sets) up', 'established'],
    ['(?:carried|carries|carry) out', 'performed'],
    ['(?:grew|grow|grows|growing|brought|raised) up', 'raised'],
    ['(?:gave|gives|given) birth to', 'bore'],
    ['passed away', 'died'],
    ['(?:took|takes) over', 'acquired'],
    ['(?:turned|turns) down', 'rejected'],
    ['(?:called|calls) off', 'cancelled'],
    ['(?:put|puts) off', 'postponed'],
    ['(?:found|finds) out', 'discovered'],
    ['(?:came|comes|coming) from', 'is from'],
    ['dates? (?:from|back to)', 'built in'],
    ['(?:serves?|served|serving|functions?|used) as (?=an? )', 'is '],
    ['(?:is|are|was|were) located', 'lies'],
    ['is situated', 'lies'],
    ['owing to|due to|on account of|as a result of', 'because of'],
    ['in order to', 'to'],
    ['close to(?= (?:the|a|an|his|her|its|their|\\p{Lu}))', 'near'],
    ['movie theat(?:er|re)', 'cinema'],
    ['an hour and a half', '90 minutes'],
    ['half an hour', '30 minutes'],
    ['a quarter of an hour', '15 minutes'],
    ['two and a half hours', '150 minutes'],
    ['two and a quarter hours', '135 minutes'],
    ['(?:a|the) lack of', 'too few'],
    ['(?:the )?sole way', 'only way'],
    ['a (?:large |great )?number of', 'many'],
    ['(?:the )?(?:vast )?majority of', 'most of'],
    ['no longer', 'not'],
    ['(?:nobody|no one|no-one|none) was (?:hurt|injured)', 'no injuries'],
    ['(?:is|was|are|were) (?:able|allowed|permitted) to', 'can'],
    ['topp?(?:ed|s|ing) the charts?', 'reached number one'],
    ['at present|these days|nowadays|currently|presently', 'now'],
    ['(?<=, )among (?:them|these)(?= )', 'including'],
    ['known as(?= (?:an? |the )?\\p{L})', 'called'],
    ['all over(?= (?:the|\\p{L}))', 'throughout'],
    ['well-known', 'famous'],
    [
      'following(?= (?:the|an?|his|her|its|their) (?:\\p{L}+ ){0,3}(?:\\p{L}+(?:tion|ment|ance|al|ure)|death|war|end|fall|collapse)\\b)',
      'after',
    ],
  ] as const
).map(([form, to]) => [new RegExp(`\\b(?:${form})\\b`, 'giu'), to]);

/** `text` with such phrases replaced. */
export function plainPhrases(text: string): string {
  let out = text;
  for (const [form, to] of pairs) out = out.replace(form, to);
  return out;
}
