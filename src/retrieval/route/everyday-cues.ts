// What short, polite and long questions say for a kind of source, beside what cues.ts reads in well-formed ones: two ideas side by side, the name
// of a setting, somebody's trouble told as a story. The same rules hold.
import type { Cue } from './cues.ts';

const i = (source: string): RegExp => new RegExp(source, 'iu');
/** A name with humps, underscores or capitals, as settings are written. */
const settingName = '(?:[a-z]+(?:[A-Z][a-z0-9]+)+|[A-Za-z]+(?:_[A-Za-z0-9]+)+)';

export const everydayCues: readonly Cue[] = [
  // Code.
  {
    type: 'code',
    weight: 1.5,
    reason: 'asks for a place in the code',
    pattern: i(
      String.raw`\bpoint me (?:to|at)\b|^show (?:me )?where\b|\b(?:the|which|what|some) (?:lines?|logic|piece of code|code path)\b|\bsome code that\b|\b(?:who|what) calls\b|\bcallers? of\b|\bhow (?:is|are|was) \S+(?: \S+){0,5} (?:implemented|coded|written)\b|\bin (?:which|what) (?:file|module|class|package|method|function)\b|\b(?:which|what) (?:file|module|class|package|method)\b.*\b(?:contains?|handles?|renders?|holds?|responsible)\b`,
    ),
  },
  {
    type: 'code',
    weight: 1.4,
    reason: 'asks where the code does something',
    pattern: i(
      String.raw`\bwhere (?:is|are|do|does|did) (?:we|our|the|this|that|an?)\b.{1,80}?\b(?!(?:located|based|situated|founded|documented|headquartered|buried|supposed|needed|allowed)\b)(?:[\p{L}]{3,}ed|done|built|sent|thrown|written|read|validate|check|compute|call|create|update|render|hash|format|parse|log|handle|build|send|throw)\b`,
    ),
  },
  // Concepts.
  {
    type: 'textbook',
    weight: 1.7,
    reason: 'puts two ideas side by side',
    pattern: i(String.raw`\bversus\b(?!.*\b(?:price|prices|pricing|cost|score|match)\b)|\bdiffers?\b.*\bfrom\b`),
  },
  {
    type: 'textbook',
    weight: 1.5,
    reason: 'asks for an idea',
    pattern: i(
      String.raw`\bexplained\b|\beli5\b|\bin (?:simple|plain|layman(?:'|’)?s?) (?:words|terms|english)\b|\b(?:idea|thinking|reasoning|math|maths|logic) behind\b|\bto a (?:beginner|child|layman)\b|\bfor (?:beginners|dummies)\b|\bdescribe (?:the|how|what)\b`,
    ),
  },
  {
    type: 'textbook',
    weight: 1.1,
    reason: 'speaks of what is taught',
    pattern: i(
      String.raw`\b(?:lecturers?|professors?|lectures?|exams?|homework|textbooks?|students?|term|notion|laws? of|(?:theorem|law|effect|paradox|meaning)s?\??$)\b|^what is an? |\bwhat (?:does|do) (?:[\p{L}-]+ ){1,4}mean\b`,
    ),
  },
  // Reference documentation.
  {
    type: 'docs',
    weight: 1.7,
    reason: 'asks about a setting that it names',
    pattern: new RegExp(
      String.raw`\b(?:[Oo]ptions?|[Ss]ettings?|[Ff]ields?|[Ff]lags?|[Pp]roperty|[Kk]ey|[Hh]eaders?|[Vv]ariables?|called) [\x60"']?${settingName}\b|\b${settingName}[\x60"']? (?:option|setting|field|flag|property|parameter)\b|\b[Dd]efault (?:values? )?(?:of |for )?(?:the )?[\x60"']?${settingName}\b|\b(?:set|setting) [\x60"']?${settingName}[\x60"']? to\b`,
      'u',
    ),
  },
  {
    type: 'docs',
    weight: 1.5,
    reason: 'asks what a product takes, allows or requires',
    pattern: i(
      String.raw`\b(?:which|what|how many|how much|how long|does|do|is|are)\b.*\b(?:accepts?|accepted|allows?|allowed|expects?|expected|permitted|mandatory|optional|required|per (?:second|minute|hour|day))\b|\bwhat happens (?:if|when) (?:i|we|you|one) (?:set|leave|omit|pass)\b|\b(?:which|what) formats?\b`,
    ),
  },
  {
    type: 'docs',
    weight: 1.5,
    reason: 'names a path of an interface',
    pattern: i(
      String.raw`(?:^|\s)\/[\p{L}\p{N}_{}-]{1,40}(?:\/[\p{L}\p{N}_{}:-]{1,40}){1,8}(?:[\s?!,.]|$)|\b(?:response|return|exit|result) codes?\b`,
    ),
  },
  // Ways to get something done.
  {
    type: 'guide',
    weight: 1.8,
    reason: 'asks for the order of what is to be done',
    pattern: i(
      String.raw`\bsteps\b|\bhow$|\bin (?:which|what) order\b|\bwhat (?:do|should) (?:i|we) (?:need to )?(?:do|prepare)\b.*\b(?:so that|before|first|in order)\b|\bwhat (?:do|should) (?:i|we) need to do\b|\b(?:should|must|has to|needs to) be (?:prepared|done)\b|\bwalk(?:s|ed)? (?:me|us) through\b|\bfor the first time\b|\b(?:just|recently) joined\b`,
    ),
  },
  {
    type: 'guide',
    weight: 1.2,
    reason: 'asks how something is moved or renewed',
    pattern: i(
      String.raw`\b(?:roll(?:ing)? ?back|renew(?:ing)?|mov(?:e|ing) (?:[\p{L}]+ ){1,6}(?:from|to)|switch(?:ing)? (?:from|over)|export(?:ing)? (?:my|our|the|all)|import(?:ing)? (?:my|our)|release (?:a )?new version|add(?:ing)? (?:a )?new|hand over)\b`,
    ),
  },
  // Trouble that others had.
  {
    type: 'qa',
    weight: 2.4,
    reason: 'tells of trouble',
    pattern: i(
      String.raw`\b(?:keeps? (?:on )?[\p{L}]+ing|(?:i|we) (?:just |always |only )?(?:get|got|keep getting|am getting|see) (?:an? |the )?(?:[\p{L}]+ )?(?:error|message|warning|exception|\d{3})|getting (?:an? |the )?(?:\d{3}|errors?|message)|nothing (?:helps|helped|works|happens)|what (?:could|might) (?:be the (?:reason|cause|problem)|i be doing)|doing wrong|no (?:clue|idea) (?:why|what)|run into this|(?:seen|had|have) this (?:before|problem|issue)|every ?time|what now|flickers?|used to work|everything worked|worked (?:fine |well )?(?:yesterday|before|until)|stops? (?:at|working|responding|every)|find out what happened|nobody can|already (?:tried|restarted|cleared|reinstalled)|(?:did not|didn(?:'|’)t|haven(?:'|’)t|have not) changed? anything|runs? locally but|but not (?:on|in|with|for)|only shows|white screen|blue screen|black screen)\b`,
    ),
  },
  // What changes from day to day, or is outside.
  {
    type: 'web',
    weight: 2.4,
    reason: 'asks for what is new',
    pattern: i(
      String.raw`\bat the moment\b|\bwhat is (?:new|happening|going on) (?:in|with|at)\b|\bsearch (?:[\p{L}]+ )?online\b|\blook up (?:who|what|when|where|the|how)\b|\bwho won\b`,
    ),
  },
  {
    type: 'web',
    weight: 1.6,
    reason: 'asks about money of the world',
    pattern: i(String.raw`\b(?:worth in|dollars?|euros?|bitcoin|btc|usd|eur|gdp|unemployment rate|gas prices?)\b`),
  },
];
