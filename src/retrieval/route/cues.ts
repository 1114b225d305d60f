// What in a question speaks for which kind of source: patterns with a weight and a reason in words. Invariant: the weights of one kind add up,
// the strongest reason is told; a pattern of weight `certain` decides alone. `codeThing` stands in code and nowhere else.
import type { SourceType } from '../../core/document.ts';

export interface Cue {
  readonly type: SourceType;
  readonly weight: number;
  /** Follows "the question". */
  readonly reason: string;
  readonly pattern: RegExp;
  /** Where it decides for a kind, there is little doubt: the others count less. */
  readonly isPlain?: true;
}

/** From here on a kind of source is asked alone as long as it has enough to say. */
export const certain = 3;
const i = (source: string): RegExp => new RegExp(source, 'iu');
const codeThing =
  '(?:class(?:es)?|functions?|methods?|interfaces?|structs?|enums?|constructors?|subclass(?:es)?|modules?|constants?|variables?|types?|decorators?|macros?|hooks?|unit tests?|handlers?|routines?|helpers?)';
const language = String.raw`(?:python|java|javascript|typescript|c\+\+|c#|golang|rust|ruby|php|kotlin|swift|scala|perl|bash|haskell|matlab|numpy|pandas|django|sql)`;
/** Written with humps, and no code: products and companies. */
const products = String.raw`(?!(?:GitHub|GitLab|JavaScript|TypeScript|CoffeeScript|PowerPoint|LinkedIn|YouTube|WordPress|PayPal|FaceBook|DevOps|WhatsApp|DeepMind|SharePoint|OneDrive|CloudFlare|Node\.js|Next\.js|Vue\.js|iPhone|iPad|iCloud|eBay)\b)`;
const identifier = String.raw`\b${products}(?:[a-z]+[a-z0-9]*(?:[A-Z][a-z0-9]+)+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+|[A-Za-z]\w*_\w+)\b|\b\w+\(\)|\b[\w-]+(?:\/[\w.-]+)+\.\w{1,4}\b|\b${products}[\w-]+\.(?:ts|js|py|java|go|rs|rb|cpp|cc|hpp|cs|kt|php|swift)\b`;

export const cues: readonly Cue[] = [
  // As the requirements name them.
  {
    type: 'code',
    weight: certain,
    reason: 'asks where something is defined',
    pattern: i(String.raw`\bwhere (?:is|are|was|were)\b.+\b(?:defined|declared|implemented|instantiated)\b`),
  },
  {
    type: 'code',
    weight: certain,
    reason: 'asks for an implementation',
    pattern: i(
      String.raw`\bfind\b.*\bimplementations?\b|\bimplementations? of\b.+\bin (?:our|this|the) (?:repo|repository|code|codebase|project)\b`,
    ),
  },
  {
    type: 'code',
    weight: certain,
    reason: 'asks to locate a class, function or method',
    pattern: i(String.raw`\blocate\b.*\b(?:class|function|method|interface|module|variable|constant)\b`),
  },
  {
    type: 'code',
    weight: certain,
    reason: 'asks to be shown code',
    pattern: i(String.raw`\bshow me\b.*\b(?:code|source|snippet|implementation)\b`),
  },
  {
    type: 'textbook',
    weight: certain,
    reason: 'asks for the explanation of a pattern',
    pattern: i(String.raw`\bexplain\b.*\bpatterns?\b`),
  },
  {
    type: 'textbook',
    weight: certain,
    reason: 'asks what a design is',
    pattern: i(String.raw`\bwhat (?:is|are)\b.*\bdesigns?\b`),
  },
  {
    type: 'textbook',
    weight: certain,
    reason: 'asks for a best practice',
    pattern: i(String.raw`\bbest practices?\b`),
  },
  {
    type: 'textbook',
    weight: certain,
    reason: 'asks how an architecture should be',
    pattern: i(String.raw`\bhow should (?:i|we|one|you)\b.*\barchitect\w*\b`),
  },
  {
    type: 'docs',
    weight: certain,
    reason: 'asks how to configure something',
    pattern: i(String.raw`\bhow (?:to|do (?:i|we|you)|can (?:i|we|you)) configure\b`),
  },
  { type: 'docs', weight: certain, reason: 'asks for an API', pattern: i(String.raw`\bapis? for\b`) },
  {
    type: 'docs',
    weight: certain,
    reason: 'asks for a usage example',
    pattern: i(String.raw`\busage examples?\b|\bexamples? of (?:using|usage)\b`),
  },

  // Code.
  { type: 'code', weight: 2, reason: 'names something as it is written in code', pattern: new RegExp(identifier, 'u') },
  {
    type: 'code',
    weight: 1.2,
    reason: 'asks about a function, class or module',
    pattern: i(String.raw`\b(?:which|what|the|a|each|every|all|this) (?:\w+ ){0,2}${codeThing}\b`),
  },
  {
    type: 'code',
    weight: 1,
    reason: 'speaks of code',
    pattern: i(
      String.raw`\b(?:source code|code ?base|code|snippets?|repo|repository|regex|regular expression|source file|call(?:s|ed by|ers?)|usages?|imports?|subclasses|implements|extends|overrides?|return type|signature|grep)\b`,
    ),
  },
  {
    type: 'code',
    weight: 1.3,
    reason: 'asks for a piece of code in a language',
    isPlain: true,
    pattern: i(String.raw`\b(?:in|using|with) ${language}\b|^${language} |\S ${language}[ \d.]{0,6}$`),
  },
  {
    type: 'code',
    weight: 1.6,
    reason: 'asks how something is implemented',
    pattern: i(
      String.raw`\b(?:is|are|was) (?:\w+ ){1,6}implemented\b|\bimplementations?\b|\bin (?:the|our) (?:source|code|code ?base|repo(?:sitory)?)\b`,
    ),
  },
  {
    type: 'code',
    weight: 1.6,
    reason: 'asks where the code does something',
    pattern: i(
      String.raw`\bwhere (?:do|does|is|are) (?:we|our|the|it|this)?.*\b(?:set|open|opened|validate[ds]?|checked|created|called|used|stored|parsed|handled|computed|initiali[sz]ed|registered|logged|thrown|caught|read|written)\b|\b(?:which|what) file\b|\bwhere are the \w+ tests\b`,
    ),
  },
  {
    type: 'code',
    weight: 1,
    reason: 'names a programming task',
    pattern: i(
      String.raw`\b(?:check (?:if|whether)|convert|parse|sort|split|iterate|concatenate|merge|reverse|flatten|serialize|deserialize|read|write|remove|append|count|compare|return|get|create|remove|replace|find)\b.*\b(?:lists?|strings?|dict(?:ionary|ionaries)?s?|arrays?|tuples?|json|csv|files?|int(?:eger)?s?|float|datetime|dataframe|matrix|bytes?|object|column|set|index|key|value|directory|path|image|regex|unicode|numpy|log)\b`,
    ),
  },

  // Concepts.
  {
    type: 'textbook',
    weight: 1.5,
    reason: 'asks for an explanation',
    pattern: i(
      String.raw`\b(?:explain|explanation|intuition|derive|derivation|prove|proof|theorem|theory|theories|concepts?|principles?|axioms?|foundations?|fundamentals|paradigm)\b`,
    ),
  },
  {
    type: 'textbook',
    weight: 1.5,
    reason: 'asks for a comparison of ideas',
    pattern: i(
      String.raw`\b(?:differences? between|trade-?offs?|advantages?|disadvantages?|pros and cons|drawbacks)\b|^compare\b(?!.*\b(?:price|prices|pricing|cost)\b)`,
    ),
  },
  {
    type: 'textbook',
    weight: 1.4,
    reason: 'asks for a definition',
    pattern: i(String.raw`\b(?:define|definition of|what is meant by|notion of|introduction to|meaning of the term)\b`),
  },
  {
    type: 'textbook',
    weight: 1.2,
    reason: 'asks what something is',
    pattern: i(
      String.raw`^(?:so )?what (?:is|are) (?:an? |the (?:concept|idea|role|purpose|intuition|law|theory|principle)s? |[\p{L}-]+(?: [\p{L}-]+){0,3}\??$)`,
    ),
  },
  {
    type: 'textbook',
    weight: 0.7,
    reason: 'asks what something is',
    pattern: i(
      String.raw`^what (?:is|are)\b(?!.*\b(?:default|limit|maximum|minimum|max|min|size|version|current|latest|price|rate|name|number|wrong)\b)`,
    ),
  },
  {
    type: 'textbook',
    weight: 1.2,
    reason: 'asks why something is so',
    pattern: i(
      String.raw`\bwhy (?:is|are|do|does) (?:the |we |one )?(?!my\b|i\b|your?\b|it\b|this\b)[\p{L}-]+\b(?!.*\b(?:my|error|fail\w*|crash\w*|broken)\b)`,
    ),
  },
  {
    type: 'textbook',
    weight: 1.2,
    reason: 'asks how something works',
    pattern: i(
      String.raw`\bhow (?:does|do) (?!i\b|we\b|you\b|our\b|my\b)(?:an? |the )?[\p{L}-]+(?: [\p{L}-]+)*\b(?!.*\b(?:react|cost)\b)`,
    ),
  },
  {
    type: 'textbook',
    weight: 1.2,
    reason: 'asks for a way to think',
    pattern: i(
      String.raw`\bhow should (?:i|we|one) (?:think|approach|structure|design|model|organi[sz]e)\b|\bwhen (?:should|is|are) (?:one|we|i|an? )\b.*\b(?:better|use|prefer\w*|choose)\b|\bwhat (?:role|function) (?:do|does)\b|\bstrateg(?:y|ies) for\b|\bdesign patterns?\b|\barchitectur\w+\b`,
    ),
  },
  {
    type: 'textbook',
    weight: 1,
    reason: 'speaks of a discipline',
    pattern: i(
      String.raw`\b(?:algorithms?|complexity|thermodynamics|calculus|algebra|statistics|economics?|philosophy|biology|physics|chemistry|evolution|cells?|enzymes?|proteins?|consensus|concurrency|polymorphism|inheritance|recursion|entropy|inference)\b`,
    ),
  },

  // Reference documentation.
  {
    type: 'docs',
    weight: 1.5,
    reason: 'asks about a setting',
    pattern: i(
      String.raw`\b(?:config(?:uration|ure)?|settings?|options?|flags?|parameters?|environment variables?|env vars?|config files?|toggles?|switch(?:ed)? (?:on|off)|turn(?:ed)? (?:on|off)|enable|disable)\b`,
    ),
  },
  {
    type: 'docs',
    weight: 1.5,
    reason: 'asks about an interface as it is documented',
    pattern: i(
      String.raw`\b(?:api|apis|endpoints?|sdk|schemas?|payloads?|request bod(?:y|ies)|headers?|status codes?|error codes?|webhook payload|syntax|reference|specification|documentation|manual|scopes?|permissions?|keyboard shortcuts?|required fields?|fields?)\b`,
    ),
  },
  {
    type: 'docs',
    weight: 1.5,
    reason: 'asks for a default, a limit or a supported value',
    pattern: i(
      String.raw`\b(?:defaults?(?: value| port)?|allowed values?|rate limits?|quotas?|supported|supports?|compatib\w+|maximum|minimum|max|min|limits?|valid|retention|time-?outs?)\b`,
    ),
  },
  {
    type: 'docs',
    weight: 1.5,
    reason: 'asks about a version of the product',
    pattern: i(
      String.raw`\b(?:release notes|change ?log|deprecat(?:ed|ion)|(?:which|what|since) version|version introduced|in version \d)\b`,
    ),
  },
  {
    type: 'docs',
    weight: 1.2,
    reason: 'asks what a part of the product does',
    pattern: i(
      String.raw`\bwhat does (?:the )?[\p{L}\p{N}_-]+(?: [\p{L}-]+)? (?:flag|setting|option|parameter|field|command|mode|error)?\b.*\b(?:do|mean|contain)\b|\bmeaning of error\b|--[a-z][\w-]+|\bhow to use\b|\busage\b|\bcommands?\b`,
    ),
  },

  // Ways to get something done.
  {
    type: 'guide',
    weight: 2.4,
    reason: 'asks for steps',
    pattern: i(
      String.raw`\b(?:step[- ]by[- ]step|tutorials?|walk ?through|walk me through|quick ?start|getting started|get started|first steps|guides?|how-?to|instructions?|runbooks?|playbooks?|checklists?|cookbooks?|procedures?|onboard(?:ing)?|steps (?:to|for)|what are the steps|learn how)\b`,
    ),
  },
  {
    type: 'guide',
    weight: 1.8,
    reason: 'asks how to set something up',
    pattern: i(
      String.raw`\b(?:set(?:ting)? ?up|install(?:ing|ation)?|deploy(?:ing|ment)?|migrat(?:e|ing|ion)|upgrad(?:e|ing)|integrat(?:e|ing)|provision|bootstrap|build and run|run the project|contribut(?:e|ing)|publish|back ?up|restor(?:e|ing)|rotat(?:e|ing)|connect|decommission)\b`,
    ),
  },
  {
    type: 'guide',
    weight: 1.1,
    reason: 'asks how something is done',
    pattern: i(String.raw`\bhow (?:to|do (?:i|we)|can (?:i|we)|would (?:i|we))\b(?!.*\b(?:fix|solve|stop|get rid)\b)`),
  },
  {
    type: 'guide',
    weight: 1.2,
    reason: 'asks about a process',
    pattern: i(
      String.raw`\b(?:process (?:for|of)|prepare for|what do i have to do|get access|requesting|request access|file an?|book an?|before an? release|new (?:employees?|engineers?|customers?|laptop))\b`,
    ),
  },

  // Trouble that others had.
  {
    type: 'qa',
    weight: 2.2,
    reason: 'tells of an error',
    pattern: i(
      String.raw`\b(?:segfault|segmentation fault|stack ?trace|traceback|exit code|core dump|undefined symbol|not found error|permission denied|connection refused|cannot (?:read|import|find|connect|open|resolve)|can(?:'|’)t|unable to|failed|fails?|failing|rejected|crash(?:es|ed|ing)?|hangs?|freez(?:es|ing)|stuck|broken|blank|flaky|too many open|verify failed|out of memory|disk full|already in use)\b`,
    ),
  },
  {
    type: 'qa',
    weight: 2.6,
    reason: 'quotes an error',
    pattern: /\b\w+(?:Error|Exception)\b|\bE[A-Z]{5,}\b|^error\b/u,
  },
  {
    type: 'qa',
    weight: 1.6,
    reason: 'asks why something does not work',
    pattern: i(
      String.raw`\b(?:(?:does|do|did|is|are|was)(?:n(?:'|’)t| not)|never|no effect|no rows|not (?:work\w*|firing|found|starting)|what am i doing wrong|what is wrong|what(?:'|’)s wrong|problems? with)\b`,
    ),
  },
  {
    type: 'qa',
    weight: 2,
    reason: 'asks how trouble is mended',
    pattern: i(
      String.raw`\b(?:fix|solve|workaround|work around|get rid of|troubleshoot\w*|debug this|any ideas?|anyone|anybody|has anyone|what can i do|undo|by mistake|i tried)\b`,
    ),
  },
  {
    type: 'qa',
    weight: 1.6,
    reason: 'asks why something of one’s own misbehaves',
    pattern: i(
      String.raw`(?<!\band )\bwhy (?:do|does|did|am|is|are|can) (?:i\b|my\b|it\b|this\b|the (?:tests?|build|server|app|page|memory|container|installer|query)\b|git\b|docker\b|npm\b)|\bmy (?:app|build|code|query|server|container|page|file|job|cron|program|script|test)\b`,
    ),
  },
  {
    type: 'qa',
    weight: 1.2,
    reason: 'asks whether something is safe or possible',
    pattern: i(
      String.raw`^(?:is it (?:safe|ok|okay|possible)|is there (?:a way|any way|a workaround)|can i)\b|\bwhat causes\b|\bwhich of the (?:two|three) answers\b|\berrors?\b`,
    ),
  },
  {
    type: 'qa',
    weight: 0.9,
    reason: 'tells of a symptom',
    pattern: i(
      String.raw`\b(?:slow|memory leak|leaks?|growing|after (?:the |an? )?(?:last )?(?:update|upgrade|upgrading)|at startup|on startup|warning|since yesterday)\b`,
    ),
  },

  // What changes from day to day, or is outside.
  {
    type: 'web',
    weight: 2.4,
    reason: 'asks for what is new',
    pattern: i(
      String.raw`\b(?:latest|newest|news|today|tonight|yesterday|tomorrow|this (?:week|month|year|season)|this year(?:'|’)s|last (?:week|night|24 hours)|next (?:week|month)|right now|recent(?:ly)?|upcoming|breaking|trending|currently|as of now|these days)\b`,
    ),
  },
  {
    type: 'web',
    weight: 1.8,
    reason: 'asks for the present state of the world',
    pattern: i(
      String.raw`\bcurrent (?!file|code|selection|directory|folder|user|page|branch|module|implementation)[\p{L}]+|\bwho (?:is|are|was) (?:the )?(?:[\p{L}]+ ){0,2}(?:ceo|president|minister|chancellor|mayor|king|queen|owner)\b|\bwho (?:won|acquired|bought|owns)\b|\bwhen (?:does|is|will) the (?:new|next)\b|\bhas the\b.*\byet\b|\b(?:now|down right now|out yet)\??$|\b20(?:2[4-9]|3\d)\b`,
    ),
  },
  {
    type: 'web',
    weight: 1.8,
    reason: 'asks about prices, markets or companies',
    pattern: i(
      String.raw`\b(?:prices?|pricing|stock|shares?|exchange rate|inflation|interest rate|market share|competitors?|competition|reviews?|cost of|how much (?:does|do|is)|top companies|market (?:react|size|leader)\w*|job openings|announce(?:d|ments?))\b`,
    ),
  },
  {
    type: 'web',
    weight: 2.4,
    reason: 'asks to look outside',
    pattern: i(
      String.raw`\b(?:search (?:the )?(?:web|internet|online)|on the (?:web|internet)|google for|online reactions|look (?:it )?up online|blog posts?|social media)\b`,
    ),
  },
  {
    type: 'web',
    weight: 1.4,
    reason: 'asks about the world outside',
    pattern: i(
      String.raw`\b(?:weather|opening hours|flights?|elections?|championship|holidays|population of|summit|parliament|eclipse|strike|people saying|conferences?|stable release|nobel prize|tax law)\b`,
    ),
  },

  // What was said, and what lies open.
  {
    type: 'conversation',
    weight: 2.6,
    reason: 'asks what was said before',
    pattern: i(
      String.raw`\b(?:(?:did|have|had) (?:i|we|you)|i|we|you) (?:\w+ )?(?:said|say|talked?|discuss(?:ed)?|mention(?:ed)?|told|tell|asked?|agreed?|decided?|promised?)\b|\b(?:our|my|previous|earlier|past|last) (?:conversations?|chats?|discussions?|messages?|sessions?)\b`,
    ),
  },
  {
    type: 'workspace',
    weight: 2.6,
    reason: 'asks about what is open',
    pattern: i(
      String.raw`\b(?:(?:this|my|the) (?:current|open) (?:file|buffer|document|selection|tab|editor)|current file|open files?|my (?:workspace|selection|draft|unsaved)|in (?:this|my) (?:file|workspace))\b`,
    ),
  },
];
