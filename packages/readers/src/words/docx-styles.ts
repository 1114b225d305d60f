// What styles of a DOCX mean for its text (ECMA-376 part 1 §17.7): their level in the outline, their numbering and what they strike out, with what
// they inherit. Built-in names are English in every language of Word.
import { attributeOf, childOf, childrenOf, parseXmlTree, type XmlElement } from '../containers/xml-text.ts';

export interface NumberingPlace {
  readonly id: string;
  /** From 0. */
  readonly level: number;
}

export interface ParagraphStyle {
  /** Heading level from 1; undefined for text. */
  readonly level: number | undefined;
  readonly numbering: NumberingPlace | undefined;
  /** Undefined where the style says nothing of it. */
  readonly isStruck?: boolean | undefined;
}

const maxSteps = 20;
const text: ParagraphStyle = { level: undefined, numbering: undefined };

/** Styles by id; an unknown one is text. */
export function readParagraphStyles(
  source: string | undefined,
  name: string,
): (id: string | undefined) => ParagraphStyle {
  if (source === undefined) return (id) => ({ ...text, level: levelOfName(id ?? '') });
  const elements = new Map<string, XmlElement>();
  for (const style of childrenOf(parseXmlTree(source, name), 'style'))
    if (/^(?:paragraph|character)$/u.test(attributeOf(style, 'type') ?? ''))
      elements.set(attributeOf(style, 'styleId') ?? '', style);
  const known = new Map<string, ParagraphStyle>();
  const resolve = (id: string): ParagraphStyle => {
    const before = known.get(id);
    if (before !== undefined) return before;
    let level: number | undefined;
    let isText = false;
    let numberingId: string | undefined;
    let numberingLevel: number | undefined;
    let isStruck: boolean | undefined;
    let at = elements.get(id);
    for (let steps = 0; at !== undefined && steps < maxSteps; steps++) {
      const properties = childOf(at, 'pPr');
      if (level === undefined && !isText) {
        const outline = outlineOf(properties);
        isText = outline === 'text';
        level = isText
          ? undefined
          : ((outline as number | undefined) ?? levelOfName(attributeOf(childOf(at, 'name'), 'val') ?? ''));
      }
      const own = numberingOf(properties);
      numberingId ??= own.id;
      numberingLevel ??= own.level;
      isStruck ??= isStruckBy(childOf(at, 'rPr'));
      at = elements.get(attributeOf(childOf(at, 'basedOn'), 'val') ?? '');
    }
    if (level === undefined && !isText && !elements.has(id)) level = levelOfName(id);
    const style: ParagraphStyle = {
      level,
      numbering: numberingId === undefined ? undefined : { id: numberingId, level: numberingLevel ?? (level ?? 1) - 1 },
      isStruck,
    };
    known.set(id, style);
    return style;
  };
  return (id) => (id === undefined ? text : resolve(id));
}

export const isOn = (property: XmlElement | undefined): boolean =>
  property !== undefined && !/^(?:0|false|off)$/u.test(attributeOf(property, 'val') ?? '');

/** What properties of a run say of striking it out, once or twice; undefined where they say nothing. */
export function isStruckBy(properties: XmlElement | undefined): boolean | undefined {
  const said = [childOf(properties, 'strike'), childOf(properties, 'dstrike')].filter((one) => one !== undefined);
  return said.length === 0 ? undefined : said.some((one) => isOn(one));
}

function levelOfName(name: string): number | undefined {
  const level = /^heading ?([1-9])$/iu.exec(name)?.[1];
  return level !== undefined ? Number(level) : name.toLowerCase() === 'title' ? 1 : undefined;
}

/** The outline level of paragraph properties, from 1; 'text' where they say that it is none. */
export function outlineOf(properties: XmlElement | undefined): number | 'text' | undefined {
  const value = attributeOf(childOf(properties, 'outlineLvl'), 'val');
  if (value === undefined) return undefined;
  const level = Number(value);
  return level >= 0 && level <= 8 ? level + 1 : 'text';
}

/** What paragraph properties say of numbering; each part may be said apart. */
export function numberingOf(properties: XmlElement | undefined): Partial<NumberingPlace> {
  const numbering = childOf(properties, 'numPr');
  const id = attributeOf(childOf(numbering, 'numId'), 'val');
  const level = Number(attributeOf(childOf(numbering, 'ilvl'), 'val') ?? Number.NaN);
  return { ...(id === undefined ? {} : { id }), ...(level >= 0 && level <= 8 ? { level } : {}) };
}
