// What an analysis is made of: which sections a kind has, what each is asked by, and of which thing. Pure.

import type { AnalysisKind, AnalysisRequest } from '../../core/answers/analysis-request.ts';
import kinds from './sections.json' with { type: 'json' };
import type { Thing } from './standing.ts';

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
  /** `{}` stands where the subject belongs. */
  readonly asks: string;
  /** Words that its passages are found by. They are English: texts in other languages need a model, or headings that say what stands under them. */
  readonly words: string;
  readonly takesBeside?: boolean;
}
const frames: Readonly<Record<AnalysisKind, readonly Frame[]>> = kinds;

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
  const sections = frames[request.kind].map(({ takesBeside = false, ...frame }, _, all): Omit<SectionPlan, 'id'> => {
    const asks = frame.asks.replace('{}', () => subject);
    return {
      ...frame,
      thing: own,
      questions: [asks, `${subject} ${frame.words}`],
      others: all.filter(({ name }) => name !== frame.name).map(({ words }) => words),
      areas: [],
      takesBeside,
      asks,
    };
  });
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
