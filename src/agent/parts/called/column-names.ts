// How the columns are called under which a criterion stands, where they have other words for it: "Floor space" for the size, "Fee" for the price. Terms of tables
// in general; none is about any one subject. Pure.

const others: readonly (readonly [criterion: RegExp, names: RegExp])[] = [
  [/^size$/iu, /^(?:(?:floor|surface|total|usable|office) )?(?:area|space|surface)$/iu],
  [
    /^(?:price|cost)s?$/iu,
    /^(?:(?:unit|list|monthly|yearly|annual|net|gross|purchase) )?(?:price|cost|fee|rate|rent|charge)s?\b/iu,
  ],
  [/^delivery time$/iu, /^(?:lead time|delivery|delivered (?:in|within))$/iu],
  [/^(?:warranty|guarantee)$/iu, /^(?:warranty|guarantee)(?: period)?$/iu],
  [/^(?:weight|mass)$/iu, /^(?:(?:net|total|own) )?(?:weight|mass)$/iu],
  [
    /^(?:flow(?: rate)?|throughput|capacity|output)$/iu,
    /^(?:(?:maximum|nominal) )?(?:flow(?: rate)?|throughput|capacity|output)$/iu,
  ],
  [/^(?:noise(?: level)?|loudness)$/iu, /^(?:noise|sound)(?: (?:level|pressure))?$/iu],
  [/^(?:dimensions|measurements)$/iu, /^(?:dimensions|measurements|size)$/iu],
  [/^(?:power(?: consumption)?|wattage)$/iu, /^(?:power(?: consumption| draw)?|wattage|rated power)$/iu],
  [/^(?:battery life|run ?time)$/iu, /^(?:battery(?: life)?|run ?time|operating time)$/iu],
  [/^(?:origin|country(?: of origin)?)$/iu, /^(?:(?:country of )?origin|made in|country)$/iu],
  [/^(?:maker|manufacturer|vendor|supplier)$/iu, /^(?:maker|manufacturer|made by|vendor|supplier|brand)$/iu],
  [/^(?:venue|place|location)$/iu, /^(?:venue|place|location|where)$/iu],
  [/^(?:admission|entrance|entry|ticket price)$/iu, /^(?:admission|entrance|entry|tickets?)(?: (?:fee|price))?$/iu],
  [/^(?:organi[sz]er|host)$/iu, /^(?:organi[sz]ers?|organi[sz]ed by|hosts?|hosted by)$/iu],
  [/^(?:employees|staff|headcount|workers)$/iu, /^(?:employees|staff|headcount|people|workforce)$/iu],
  [/^(?:owner|responsible|person in charge)$/iu, /^(?:owner|who|responsible|assignee|assigned to)$/iu],
];

/** Whether a column, or a row of a table that has the things over its columns, may be called so for the criterion. */
export const isCalledLike = (name: string, criterion: string): boolean =>
  others.some(
    ([asked, names]) => asked.test(criterion.trim()) && names.test(name.replace(/ \([^()]{1,20}\)$/u, '').trim()),
  );
