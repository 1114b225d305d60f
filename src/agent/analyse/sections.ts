// What an analysis is made of: which sections a kind has, what each is asked by, and of which thing. Pure.
import type { AnalysisKind, AnalysisRequest } from '../../core/answers/analysis-request.ts';
import type { Thing } from './about.ts';
import type { Cue } from './cues.ts';

export interface SectionPlan {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly thing: Thing;
  /** Searched each by itself. */
  readonly questions: readonly string[];
  /** What its sentences say; absent: whatever is said of the thing. */
  readonly cue?: Cue;
  /** Sections that the same sentence could stand in: each stands in the one that it says most for. */
  readonly among: readonly Cue[];
  /** What is looked at. */
  readonly areas: readonly string[];
  /** A sentence of another that names the thing counts, too. */
  readonly takesBeside: boolean;
  /** Words of the search, as a model is asked. */
  readonly asks: string;
}

interface Frame {
  readonly cue: Cue;
  readonly title: string;
  readonly asks: (subject: string) => string;
  /** Words that its sentences are found by. */
  readonly words: string;
  readonly takesBeside?: true;
}

const frames: Readonly<Record<AnalysisKind, readonly Frame[]>> = {
  competitors: [
    {
      cue: 'competition',
      title: 'Competition',
      asks: (subject) => `Who competes with ${subject}, and where does each stand?`,
      words: 'competitor rival competes market share alternative',
      takesBeside: true,
    },
  ],
  swot: [
    {
      cue: 'strengths',
      title: 'Strengths',
      asks: (subject) => `What are the strengths and advantages of ${subject}?`,
      words: 'leading largest best award loyal profitable reliable patent margin reputation',
    },
    {
      cue: 'weaknesses',
      title: 'Weaknesses',
      asks: (subject) => `What are the weaknesses and disadvantages of ${subject}?`,
      words: 'lacks slow debt losses declined complaints depends limited outdated expensive',
    },
    {
      cue: 'opportunities',
      title: 'Opportunities',
      asks: (subject) => `What opportunities does ${subject} have?`,
      words: 'could expand growing demand potential new market plans partnership subsidy',
    },
    {
      cue: 'threats',
      title: 'Threats',
      asks: (subject) => `What threats and risks does ${subject} face?`,
      words: 'competition regulation tariff lawsuit cheaper rivals shortage inflation risk',
      takesBeside: true,
    },
  ],
  market: [
    {
      cue: 'size',
      title: 'Size and growth',
      asks: (subject) => `How large is the market of ${subject}, and how does it grow?`,
      words: 'billion million worth revenue growth volume forecast sales',
    },
    {
      cue: 'customers',
      title: 'Customers and demand',
      asks: (subject) => `Who are the customers of ${subject}, and what do they want?`,
      words: 'customers buyers consumers demand segment prefer users',
    },
    {
      cue: 'competition',
      title: 'Competition',
      asks: (subject) => `Who competes in ${subject}, and with which market share?`,
      words: 'competitor rival competes market share leader alternative',
      takesBeside: true,
    },
    {
      cue: 'prices',
      title: 'Prices',
      asks: (subject) => `What are the prices and costs of ${subject}?`,
      words: 'price cost fee margin discount expensive cheap',
    },
    {
      cue: 'trends',
      title: 'Trends',
      asks: (subject) => `What are the trends of ${subject}?`,
      words: 'trend shift increasingly adoption emerging technology',
    },
    {
      cue: 'threats',
      title: 'Risks and regulation',
      asks: (subject) => `What risks and regulation does ${subject} face?`,
      words: 'regulation tariff ban law risk shortage inflation lawsuit',
    },
  ],
};

const oneLine = (text: string): string => text.trim().replace(/\s+/gu, ' ');

/** Names, each once, without the subject. */
function distinct(names: readonly string[] | undefined, without?: string): readonly string[] {
  const seen = new Set(without === undefined ? [] : [without.toLowerCase()]);
  return (names ?? []).map(oneLine).filter((name) => {
    const key = name.toLowerCase();
    if (name === '' || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** The sections of its kind, then the subject itself where it is looked at by focus areas or beside others, then each of those. */
export function planSections(
  request: Pick<AnalysisRequest, 'kind' | 'subject' | 'items' | 'focusAreas'>,
): readonly SectionPlan[] {
  const subject = oneLine(request.subject);
  const items = distinct(request.items, subject);
  const areas = distinct(request.focusAreas);
  const isTopic = request.kind === 'market' && !/\p{Lu}/u.test(subject);
  const things = [subject, ...items].map(
    (name, at, all): Thing => ({ name, others: all.filter((other) => other !== name), isTopic: isTopic && at === 0 }),
  );
  const [own] = things as [Thing, ...Thing[]];
  const among = frames[request.kind].map(({ cue }) => cue);
  const sections = frames[request.kind].map(
    ({ cue, title, asks, words, takesBeside = false }): Omit<SectionPlan, 'id'> => ({
      name: cue,
      title,
      thing: own,
      questions: [asks(subject), `${subject} ${words}`],
      cue,
      among,
      areas: [],
      takesBeside,
      asks: asks(subject),
    }),
  );
  const isProfiled = request.kind === 'competitors' || areas.length > 0;
  const profiles = things.slice(isProfiled ? 0 : 1).map(
    (thing): Omit<SectionPlan, 'id'> => ({
      name: 'profile',
      title: thing.name,
      thing,
      questions:
        areas.length > 0 ? areas.map((area) => `${thing.name} ${area}`) : [`What is ${thing.name}?`, thing.name],
      among: [],
      areas,
      takesBeside: false,
      asks:
        areas.length > 0
          ? `What is said of ${thing.name} on ${new Intl.ListFormat('en').format(areas)}?`
          : `What is ${thing.name}, and what does it offer?`,
    }),
  );
  // Of competitors first who is compared.
  const ordered =
    request.kind === 'competitors'
      ? [...profiles.slice(0, 1), ...sections, ...profiles.slice(1)]
      : [...sections, ...profiles];
  return ordered.map((section, at) => ({ ...section, id: `s${at + 1}` }));
}
