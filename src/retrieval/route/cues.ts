// What in a question decides alone for a kind of source, as the requirements name it (R2). All else is weighed by what was learned
// (likely-kinds.ts). `decides` is matched in any case.
import type { SourceType } from '../../core/document.ts';

export interface Cue {
  readonly type: SourceType;
  /** Follows "the question". */
  readonly reason: string;
  readonly decides: RegExp;
}

const cue = (type: SourceType, reason: string, decides: string): Cue => ({
  type,
  reason,
  decides: new RegExp(decides, 'iu'),
});
const [who, inCode] = ['(?:i|we|one|you)', '(?:repo|repository|code|codebase|project)'];

export const cues: readonly Cue[] = [
  cue(
    'code',
    'asks where something is defined',
    String.raw`\bwhere (?:is|are|was|were)\b.+\b(?:defined|declared|implemented|instantiated)\b`,
  ),
  cue(
    'code',
    'asks for an implementation',
    String.raw`\bfind\b.*\bimplementations?\b|\bimplementations? of\b.+\bin (?:our|this|the) ${inCode}\b`,
  ),
  cue(
    'code',
    'asks to locate a class, function or method',
    String.raw`\blocate\b.*\b(?:class|function|method|interface|module|variable|constant)\b`,
  ),
  cue('code', 'asks to be shown code', String.raw`\bshow me\b.*\b(?:code|source|snippet|implementation)\b`),
  cue('textbook', 'asks for the explanation of a pattern', String.raw`\bexplain\b.*\bpatterns?\b`),
  cue('textbook', 'asks what a design is', String.raw`\bwhat (?:is|are)\b.*\bdesigns?\b`),
  cue('textbook', 'asks for a best practice', String.raw`\bbest practices?\b`),
  cue('textbook', 'asks how an architecture should be', String.raw`\bhow should ${who}\b.*\barchitect\w*\b`),
  cue('docs', 'asks how to configure something', String.raw`\bhow (?:to|do (?:i|we|you)|can (?:i|we|you)) configure\b`),
  cue('docs', 'asks for an API', String.raw`\bapis? for\b`),
  cue('docs', 'asks for a usage example', String.raw`\busage examples?\b|\bexamples? of (?:using|usage)\b`),
];
