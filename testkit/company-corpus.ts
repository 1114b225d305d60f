// Made documents about companies whose sentences are known one by one: of which company each is and what it says. Companies share sectors and
// words of their names; reports speak of rivals, overviews of everybody. The second half of the forms was not looked at while the rules of
// analyses were written.
export type SaidOf = 'strengths' | 'weaknesses' | 'opportunities' | 'threats' | 'other';

export interface LabelledSentence {
  /** As it stands in a document. */
  readonly text: string;
  readonly company: string;
  readonly says: SaidOf;
}

export interface CompanyCorpus {
  readonly companies: readonly string[];
  readonly documents: readonly { readonly uri: string; readonly text: string }[];
  readonly sentences: readonly LabelledSentence[];
}

/** `@` is how the company is called at the beginning of the sentence, `#` a number of its own. */
type Forms = Readonly<Record<Exclude<SaidOf, 'other'>, readonly string[]>>;

const seen: Forms = {
  strengths: [
    '@ has the highest margin of the sector with # %.',
    '@ won # awards for the quality of its products.',
    '@ is the market leader with a share of # %.',
    '@ keeps # % of its customers for ten years, which shows how loyal they are.',
    '@ holds # patents that nobody has challenged.',
    '@ has no debt and # million euros in reserves.',
  ],
  weaknesses: [
    '@ depends on # suppliers in a single country.',
    '@ lost # million euros in its last financial year.',
    '@ lacks # engineers for its new plant.',
    '@ had # complaints about late deliveries.',
    '@ runs software that is # years old and outdated.',
    '@ is not profitable in # of its branches.',
  ],
  opportunities: [
    '@ could expand into # further countries.',
    '@ plans a partnership with # hospitals.',
    '@ may take up a subsidy of # million euros that is untapped.',
    '@ sees growing demand in # emerging cities.',
  ],
  threats: [
    '@ faces a lawsuit over # million euros.',
    '@ is exposed to tariffs of # %.',
    '@ may lose # contracts to cheaper substitutes.',
    '@ must follow # new regulations of the ministry.',
  ],
};

const unseen: Forms = {
  strengths: [
    '@ is praised by # dealers for its reliable service.',
    '@ has the fastest delivery of all, within # hours.',
    '@ is trusted by # banks.',
    '@ grew by # % and reached a record in sales.',
    '@ trains # experienced technicians of its own.',
    'According to # analysts, @ is the most reliable supplier of all.',
  ],
  weaknesses: [
    '@ has # ageing plants that are costly to run.',
    '@ saw its revenue decline by # %.',
    '@ carries debts of # million euros.',
    '@ is slow: an order takes # days.',
    '@ recalled # defective products.',
    'Since 19#, @ has struggled with late deliveries.',
  ],
  opportunities: [
    '@ has the potential to serve # new markets.',
    '@ intends to launch # products for an emerging segment.',
    '@ would benefit from incentives for # regions.',
  ],
  threats: [
    '@ is threatened by # new entrants.',
    '@ suffers under inflation of # % and price wars.',
    '@ runs the risk that # licences are banned.',
  ],
};

const plain = [
  '@ was founded in 19#.',
  '@ employs # people.',
  '@ has its seat in building # of the harbour.',
  '@ publishes its accounts every # weeks.',
];

const sectors = ['warehouse robots', 'frozen food', 'city bikes', 'water pumps', 'school books', 'wind turbines'];
/** Names of a sector: two begin alike, and each first word comes back in another sector. */
const firsts = ['Acme', 'Beta', 'Corvid', 'Delmar', 'Everlane', 'Fjord', 'Granite', 'Halden'];
const seconds = ['Robotics', 'Foods', 'Cycles', 'Pumps', 'Press', 'Turbines'];

export function createCompanyCorpus(isSeen: boolean): CompanyCorpus {
  const forms = isSeen ? seen : unseen;
  const documents: { uri: string; text: string }[] = [];
  const sentences: LabelledSentence[] = [];
  let number = 11;
  /** Another number each time, so that no two sentences are alike. */
  const next = (): string => {
    number += number % 100 === 99 ? 12 : 1;
    return String(number);
  };
  const say = (
    form: string,
    company: string,
    { says, called = company }: { says: SaidOf; called?: string },
  ): string => {
    const name = form.startsWith('@') ? called : called.replace(/^(?:It|The)(?= |$)/u, (word) => word.toLowerCase());
    const text = form.replace('@', name).replace('#', next());
    sentences.push({ text, company, says });
    return text;
  };
  const formOf = (says: Exclude<SaidOf, 'other'>, at: number): string => forms[says][at % forms[says].length] ?? '';
  const kinds = ['strengths', 'weaknesses', 'opportunities', 'threats'] as const;
  const companies: string[] = [];
  for (const [s, sector] of sectors.entries()) {
    const names = [0, 1, 2, 3].map((n) => `${firsts[(s + n * 2) % firsts.length]} ${seconds[s]}`);
    companies.push(...names);
    for (const [c, own] of names.entries()) {
      const rival = names[(c + 1) % names.length] ?? '';
      const third = names[(c + 2) % names.length] ?? '';
      // One section stays empty: of what no document says nothing can be found.
      const told = kinds.filter((_, k) => k !== (s + c) % 5);
      const one = (k: (typeof kinds)[number], at: number, called: string): string =>
        told.includes(k)
          ? say(formOf(k, at), own, { says: k, called })
          : say(plain[at % plain.length] ?? '', own, { says: 'other', called });
      documents.push({
        uri: `${own.toLowerCase().replace(' ', '-')}-report.md`,
        text: [
          `# ${own}: annual report`,
          `## Business\n\n${own} is a maker of ${sector}. ${one('strengths', c, 'It')} ${one('weaknesses', c, 'The company')}`,
          `${rival}, its main rival, is another maker of ${sector}. ${say(formOf('strengths', c + 1), rival, { says: 'strengths', called: 'It' })} ${say(formOf('weaknesses', c + 2), rival, { says: 'weaknesses' })}`,
          `Analysts often name ${rival}, which has the lowest prices. In Spain ${third} leads with strong sales.`,
          `## Outlook\n\n${one('opportunities', c, 'It')} ${one('threats', c, own)}`,
          `## ${third}\n\n${say(formOf('strengths', c + 3), third, { says: 'strengths' })} ${say(formOf('opportunities', c + 2), third, { says: 'opportunities', called: 'It' })}`,
        ].join('\n\n'),
      });
      documents.push({
        uri: `${own.toLowerCase().replace(' ', '-')}-versus.md`,
        text: [
          `# ${own} versus ${rival}`,
          `Unlike ${rival}, ${one('strengths', c + 4, own)} Unlike ${own}, ${say(formOf('weaknesses', c + 3), rival, { says: 'weaknesses' })}`,
          `Customers compare ${own} with ${rival}. ${say(formOf('threats', c + 1), rival, { says: 'threats' })} ${say(formOf('strengths', c + 2), rival, { says: 'strengths', called: 'It' })} ${one('weaknesses', c + 1, own)}`,
        ].join('\n\n'),
      });
    }
    documents.push({
      uri: `${sector.replace(' ', '-')}-overview.md`,
      text: [
        `# The makers of ${sector}`,
        ...names.map((name, c) =>
          (s + c) % 5 === 1
            ? `${name} is a maker of ${sector}. ${say(plain[c] ?? '', name, { says: 'other', called: 'It' })}`
            : `${name} is a maker of ${sector}. ${say(formOf('weaknesses', c + 4), name, { says: 'weaknesses', called: 'It' })} The firm is known in ${sector}.`,
        ),
      ].join('\n\n'),
    });
    documents.push({
      uri: `${sector.replace(' ', '-')}-directory.md`,
      text: [
        `# Directory of ${sector}`,
        ...names.map(
          (name, c) =>
            `## ${name}\n\n${say(plain[(c + 1) % plain.length] ?? '', name, { says: 'other', called: 'The company' })}`,
        ),
      ].join('\n\n'),
    });
  }
  return { companies, documents, sentences };
}
