// What an analysis is made of: which sections a kind has, what each is asked by, and of which thing. Pure.

import type { AnalysisKind, AnalysisRequest } from '../../core/answers/analysis-request.ts';
import type { Thing } from './subject.ts';

export interface SectionPlan {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly thing: Thing;
  /** Searched each by itself. */
  readonly questions: readonly string[];
  /** Words that its passages are ordered by; empty: whatever is said of the thing. */
  readonly words: string;
  /** Those of the other sections of its kind. */
  readonly others: readonly string[];
  /** What is looked at. */
  readonly areas: readonly string[];
  /** A passage that names the thing beside another counts, too. */
  readonly takesBeside: boolean;
  /** The question, as a model is asked. */
  readonly asks: string;
}

interface Frame {
  readonly name: string;
  readonly title: string;
  readonly asks: (subject: string) => string;
  /** Words that its passages are found by. */
  readonly words: string;
  readonly takesBeside?: true;
}

/** The queries of the sections. They are English: texts in other languages need a model, or headings that say what stands under them. */
const frames: Readonly<Record<AnalysisKind, readonly Frame[]>> = {
  competitors: [
    {
      name: 'competition',
      title: 'Competition',
      asks: (subject) => `Who competes with ${subject}, and where does each stand?`,
      words: 'competition competitors rivals compete market share alternatives versus unlike compared leader',
      takesBeside: true,
    },
  ],
  swot: [
    {
      name: 'strengths',
      title: 'Strengths',
      asks: (subject) => `What are the strengths and advantages of ${subject}?`,
      words:
        'strengths advantages leading leader largest highest best fastest awards loyal praised trusted reliable profitable patents margin reputation record experienced',
    },
    {
      name: 'weaknesses',
      title: 'Weaknesses',
      asks: (subject) => `What are the weaknesses and disadvantages of ${subject}?`,
      words:
        'weaknesses disadvantages drawbacks lacks slow debt losses lost declined complaints depends limited outdated ageing expensive defects delays struggles',
    },
    {
      name: 'opportunities',
      title: 'Opportunities',
      asks: (subject) => `What opportunities does ${subject} have?`,
      words:
        'opportunities potential could expand expansion growing emerging demand untapped new markets plans partnership subsidy incentives launch',
    },
    {
      name: 'threats',
      title: 'Threats',
      asks: (subject) => `What threats and risks does ${subject} face?`,
      words:
        'threats risks competition entrants substitutes regulation tariffs lawsuit ban cheaper rivals shortage inflation price war',
      takesBeside: true,
    },
  ],
  market: [
    {
      name: 'size',
      title: 'Size and growth',
      asks: (subject) => `How large is the market of ${subject}, and how does it grow?`,
      words: 'size billion million worth revenue growth grew volume forecast sales',
    },
    {
      name: 'customers',
      title: 'Customers and demand',
      asks: (subject) => `Who are the customers of ${subject}, and what do they want?`,
      words: 'customers buyers consumers demand segment prefer users',
    },
    {
      name: 'competition',
      title: 'Competition',
      asks: (subject) => `Who competes in ${subject}, and with which market share?`,
      words: 'competition competitors rivals compete market share leader alternatives',
      takesBeside: true,
    },
    {
      name: 'prices',
      title: 'Prices',
      asks: (subject) => `What are the prices and costs of ${subject}?`,
      words: 'prices costs fees margin discount expensive cheap',
    },
    {
      name: 'trends',
      title: 'Trends',
      asks: (subject) => `What are the trends of ${subject}?`,
      words: 'trends shift increasingly adoption emerging technology',
    },
    {
      name: 'threats',
      title: 'Risks and regulation',
      asks: (subject) => `What risks and regulation does ${subject} face?`,
      words: 'risks regulation tariffs ban law shortage inflation lawsuit',
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
  const things = [subject, ...items].map(
    (name, _, all): Thing => ({ name, others: all.filter((other) => other !== name) }),
  );
  const [own] = things as [Thing, ...Thing[]];
  const sections = frames[request.kind].map(
    ({ name, title, asks, words, takesBeside = false }, _, all): Omit<SectionPlan, 'id'> => ({
      name,
      title,
      thing: own,
      questions: [asks(subject), `${subject} ${words}`],
      words,
      others: all.filter((other) => other.name !== name).map((other) => other.words),
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
      words: '',
      others: [],
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
