// Which clauses of a user are worth remembering, and as what: a table of what people say of themselves, of how they work, of what happened to
// them and of what they wish. Read on plain words (plain-words.ts).
import type { MemoryType } from '../../../core/memory.ts';
import { kindsIn } from './kinds.ts';

/** Words that make a wish a standing one. */
const standing =
  /\b(?:always|never|from now on|from here on|from this point|going forward|henceforth|in (?:the )?future|by default|every time|each time|whenever|any ?time|at all times|until further notice|for all|in all (?:your|of)|all (?:my|your|the|future) (?:answers|replies|responses)|all answers|unless i (?:say|ask|tell)|when(?:ever)? (?:i|you)|only ever|in general|as a rule|long[- ]term|permanently|ever$)\b/u;
/** Words that make one of what is not a task for this moment. */
const forUser = /\b(?:with|for|to) me\b/u;
const styleWords =
  /\b(?:short(?:er)?|brief|concise|succinct|terse|detail(?:ed|s)?|long(?:er)?|bullets?|bullet points?|lists?|tables?|markdown|plain (?:text|english|language)|simple (?:english|words|language|terms)|jargon|buzzwords|emojis?|emoticons|formal|informal|casual|polite|tone|metric|imperial|celsius|fahrenheit|kilomet\w*|miles|24[- ]hour|12[- ]hour|am\/pm|iso|date format|dd[./-]mm\S*|mm[./-]dd\S*|yyyy\S*|currency|euros?|dollars|francs|british|american|spelling|first name|last name|pronouns|they\/them|she\/her|he\/him|examples|citations?|sources?|references|page numbers?|comments|type hints|tabs|spaces|indentation|small talk|apolog\w*|disclaimers?|preambles?|introductions?|intros?|tl;?dr|step[- ]by[- ]step|paragraphs?|headings?|headers|bold|italics|caps|exclamation\w*|greetings?|pleasantries|flattery|sugar ?coat\w*|sarcasm|humou?r|jokes|analogies|metaphors|filler|summary (?:first|at)|words|sentences|one-liners?|technical|lay|abbreviations|acronyms|passive voice|footnotes|links|hedging|warnings|answers|repl(?:y|ies)|responses|explanations|code samples|code examples|units|dates?|times?)\b/u;
const languages =
  /\bin (?:english|german|french|spanish|italian|portuguese|dutch|swedish|polish|russian|chinese|mandarin|japanese|korean|arabic|turkish|hindi|greek|czech|danish|finnish|norwegian|ukrainian|hungarian|plain english|simple english)\b/u;
/** What makes an instruction one for this moment alone. */
const oneOff =
  /\b(?:one|two|three|four|five|six|seven|eight|nine|ten|\d{1,3}) (?:\w{1,20} ){0,2}\w{1,20} (?:about|on) (?!m[ey]\b)|\b(?:this|that|these|those|the (?:following|above|below|attached|first|second|third|last|next|previous|text|file|document|email|attachment|question|letter|sentence|line|table|code|article|report)|following|above|below|attached|attachment|it (?:again|now)|a (?:\w+ )?(?:function|script|program|essay|email|mail|poem|haiku|letter|story|song|query|regex|class|test|summary|table|list of|joke|report|speech|recipe|plan|paragraph|tweet|blog|cv)|an (?:\w+ )?(?:email|essay|example of|article|overview|outline|answer)|list of)\b/u;

/** Orders something that is done once. */
const makes =
  /^(?:(?:please|can you|could you|kindly) )*(?:write|draft|create|make|find|search|book|order|buy|check|translate|summari[sz]e|explain|describe|prepare|generate|plan|calculate|count|compare|list|read|look|open|fix|send|design|build|draw|sing|tell|show|give) (?:me )?(?!everything\b|all\b|only\b|in\b)/u;

const imperative =
  /^(?:(?:please|kindly|just|only|also) )*(?:do not (?:ever )?|never |always |stop |avoid |no more |refrain from )?(?:use|using|answer|answering|reply|replying|respond|responding|keep|keeping|write|writing|speak|talk|talking|format|give|giving|show|showing|include|including|exclude|skip|skipping|limit|cite|citing|explain|explaining|make|making|add|adding|start|starting|end|ending|begin|be|being|treat|assume|assuming|default to|stick to|suggest|suggesting|recommend|recommending|offer|call|calling|address|addressing|refer to|ask|asking|tell|telling|mention|sign|put|leave out|summari[sz]e|quote|quoting|convert|round|translate|prefer|apologi[sz]ing|apologi[sz]e|repeat|repeating|send|sending|remind|check|double[- ]check|review|try to|focus on|get to the point|drop|lose|ditch|go with|go easy on|spell|label|number|order|sort|name|mark|highlight|draw|say|saying|provide|providing|return|output|go|bring|consider|respect)\b/u;

// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
function wishOf(plain: string): MemoryType | undefined {
  if (/^(?:never ?mind|do not (?:worry|bother|mind)|no worries|no problem)\b/u.test(plain)) return undefined;
  if (
    /^(?:please )?(?:you can |feel free to |just |everyone |people |friends |my friends |they all )?(?:calls?|address|refer to) me (?:as |by )?(?!back|later|when|if|tomorrow|at)\S/u.test(
      plain,
    )
  )
    return 'preference';
  const conditional =
    /^(?:when(?:ever)?|if|every time|each time|any ?time|before|after) (?:i|you) [^,]{3,120}, (.{4,200})$/u.exec(plain);
  if (conditional && imperative.test(conditional[1] ?? '')) return 'preference';
  const asked =
    /^(?:i|we) (?:would (?:really )?(?:appreciate|like|love|prefer|be (?:happy|grateful|glad))|want|need|expect)(?: it)? (?:if )?(?:you (?:to |could |would |always |never )?(?:please )?)?(.{3,200})$/u.exec(
      plain,
    ) ??
    /^it (?:would|will) be (?:\w+ )?(?:great|nice|good|helpful|lovely|better|cool|best) if (?:you |all |the )?(.{3,200})$/u.exec(
      plain,
    ) ??
    /^(?:can|could|would|will) you (?:please )?(.{3,200})$/u.exec(plain) ??
    /^you (?:should|must|need to|have to|can) (.{3,200})$/u.exec(plain);
  const wish = asked ? (asked[1] ?? '') : plain;
  const isStanding = standing.test(plain) || (forUser.test(plain) && !oneOff.test(plain) && !makes.test(plain));
  const isStyle = styleWords.test(wish) || languages.test(wish);
  if (asked) {
    if (
      /^(?:please )?(?:stop|avoid|quit|never|always) /u.test(wish) &&
      !/\b(?:this|that|it|the (?:process|server|script|timer))\b/u.test(wish)
    )
      return 'preference';
    if (oneOff.test(wish) && !isStanding) return undefined;
    return (isStanding && !/^(?:know|understand|see|find)\b/u.test(wish)) || isStyle ? 'preference' : undefined;
  }
  if (
    /^(?:please )?no (?:more )?\S+/u.test(plain) &&
    plain.split(' ').length <= 8 &&
    (styleWords.test(plain) || isStanding)
  )
    return 'preference';
  if (
    /\bshould (?:always |never |only |not )?(?:be|have|come|use|include|contain|start|end|stay|follow)\b/u.test(
      plain,
    ) &&
    isStyle &&
    !oneOff.test(plain) &&
    !/^(?:i|we|it|you|they|he|she)\b/u.test(plain)
  )
    return 'preference';
  if (/^(?:\S+ ){1,4}(?:only|please)$/u.test(plain) && isStyle && !oneOff.test(plain) && !imperative.test(plain))
    return 'preference';
  if (
    !/^(?:always|never|from now on|from here on|going forward|in (?:the )?future|by default|henceforth|please|do not|stop|avoid|only|kindly)\b/u.test(
      plain,
    ) &&
    !imperative.test(plain)
  )
    return undefined;
  if (/^(?:i|we|my|our|you|he|she|they|it)\b/u.test(plain)) return undefined;
  if (isStanding && !/\b(?:the following|attached)\b/u.test(plain)) return 'preference';
  if (oneOff.test(plain)) return undefined;
  if (/^(?:please )?(?:make|rewrite|shorten|fix|change|turn) (?:it|this|that|them)\b/u.test(plain)) return undefined;
  // “Use Go for the examples” is a wish; “answer question 3” is a task.
  if (isStyle) return 'preference';
  if (/^(?:please )?(?:do not|stop|avoid)\b/u.test(plain) && /\b(?:me|my|your|you)\b/u.test(plain)) return 'preference';
  if (
    /^(?:please )?(?:use|add|write|include|put) my (?:\w+ )?(?:name|title|pronouns|initials|nickname|surname)\b/u.test(
      plain,
    )
  )
    return 'preference';
  return /^(?:please )?(?:use|stick to|prefer|write|code)\b/u.test(plain) && kindsIn(plain).length > 0
    ? 'preference'
    : undefined;
}

interface Kind {
  readonly type: MemoryType;
  readonly pattern: RegExp;
}

const I =
  '^(?:i|we)(?: (?:really|also|still|now|currently|just|personally|actually|mostly|mainly|both|all|generally|normally|definitely|absolutely|only|already|recently|finally|simply|truly|strongly|much|even|basically|primarily|usually|often|sometimes|typically|regularly|rarely)|(?: do(?= (?:hate|like|love|prefer|enjoy|dislike|have|use|own|eat|drink)\\b)))*';
const kind = (type: MemoryType, pattern: string): Kind => ({ type, pattern: new RegExp(pattern, 'u') });

/** In order: the first that matches says what a clause is. */
const kinds: readonly Kind[] = [
  // ---- liked and wished
  kind(
    'preference',
    String.raw`${I} (?:prefer|would (?:much |far )?rather|would prefer|favor|like|love|enjoy|adore|hate|dislike|detest|despise|loathe|do not (?:really |particularly )?(?:like|enjoy|want|care for|drink|eat|use|trust|do)|can not (?:stand|bear|eat|drink|tolerate|have|live without|go without)|avoid|never (?:eat|drink|use|buy|wear|watch|fly)|(?:am|are) (?:not )?(?:a )?(?:really |very )?(?:big |huge |great )?(?:fan|fans|fond|partial|into|keen)\b|am (?:more|rather) (?:of )?an? |(?:am|are) (?:not )?an? (?:\w+ )?person$|am interested in|stopped|quit|gave up|have stopped|have given up|swear by|insist on|can not get enough) ?\S`,
  ),
  kind('preference', String.raw`${I} (?:like|love|prefer|hate|dislike|enjoy|appreciate) it (?:when|if) `),
  kind(
    'preference',
    String.raw`^(?:\S+ ){1,12}(?:works?|suits?|fits?) (?:me )?(?:best|better|great|fine|well|perfectly)(?: (?:for|with) (?:me|us))?|^(?:\S+ ){1,12}(?:works?|is|are) (?:best|better|great|ideal|perfect|fine|easier|easiest|hopeless|hard|tough|impossible|difficult|good|bad|terrible|awful|tricky|off limits|a must|a no-go|a dealbreaker|too \S+)(?: for \S+)? (?:for|with|to) (?:me|us)\b|^(?:\S+ ){1,8}suits? (?:me|us)\b|^nothing beats\b|\bdrives? me (?:crazy|nuts|mad|up the wall)\b|^(?:\S+ ){1,6}all the way\b|^(?:give me|i will take) .+ any day`,
  ),
  kind(
    'preference',
    String.raw`^(?:\S+ ){1,10}(?:is|are) (?:my|our) (?:\w+ )?(?:favorite|go-to|preferred|first choice|choice|preference)|^(?:my|our) (?:\w+ )?(?:favorite|go-to|preferred|preference|first choice|pet peeve|taste)\b.{0,60}\b(?:is|are|was|has|for)\b`,
  ),
  // ---- what happened
  kind(
    'episodic',
    String.raw`${I} (?:have )?(?:finished|completed|graduated|passed|bought|sold|adopted|visited|went to|traveled to|travelled to|flew to|attended|launched|shipped|released|won|lost (?:my|our)|celebrated|booked|signed|broke my|injured|hurt my|gave birth|had (?:a baby|surgery|twins|an operation|a stroke)|got (?:a |an |my |our )?(?:new )?(?:puppy|kitten|dog|cat|job|promotion|promoted|hired|fired|laid off|engaged|divorced|accepted|visa|phd|degree|license|licence|diploma|certificate|offer|citizenship|permit|driver\S*)|got my|published|won|ran (?:a|my|the) (?:\w+ )?(?:marathon|half|race|10k|5k)|climbed|submitted my|defended my|presented|started (?:a\b|my|at|working|as|learning|playing|therapy|school|university|college|yoga|[a-z]+ing\b)|quit my|resigned|left my|retired|enrolled|interviewed|was (?:promoted|hired|born|diagnosed|laid off|fired|elected|awarded)|met my|decided to|turned \d+|joined the gym|had my)\b`,
  ),
  kind(
    'episodic',
    String.raw`${I} (?:have|am|are|will be|am going|are going|have got)(?: on)?(?: (?:a|an|my|our|the))?(?: \w+)? ?(?:meeting|appointment|flight|interview|exam|trip|wedding|surgery|vacation|holiday|conference|deadline|leave|maternity leave|parental leave|sabbatical)\b.*\b(?:on|in|at|next|until|from|tomorrow|this|till)\b`,
  ),
  kind(
    'episodic',
    String.raw`${I} (?:am|are|will be) (?:going|moving|flying|traveling|travelling|getting married|starting|leaving|visiting|retiring|having)\b.{0,80}\b(?:next|in|on|to|this|tomorrow|until|from)\b`,
  ),
  // ---- how something is done
  kind(
    'procedural',
    String.raw`^(?:i|we) (?:always|usually|normally|typically|generally|often|never|tend to|make sure to|try to always|first) (?!been\b|wanted\b|wondered\b|thought\b|see\b|get (?:an?|the)\b|have (?:a|the) (?:problem|question))\S+`,
  ),
  kind(
    'procedural',
    String.raw`^(?:the way (?:i|we)|(?:my|our) (?:\w+ ){0,2}(?:process|workflow|routine|procedure|convention|policy|rule|approach|pipeline|ritual|practice|strategy|method)\b)`,
  ),
  kind(
    'procedural',
    String.raw`^(?:to|before|after|when|once|every|each|on|for|in|at|as soon as) [^,]{2,80},? (?:we|i)(?: (?:always|usually|first|then|normally|never|also|just|only|all|both|typically))* (?!(?:am|are|was|were|have|had|get|got|see|saw|would|could|should|can|need|want|will need|think|know|do not know)\b)[a-z]+\b`,
  ),
  kind(
    'procedural',
    String.raw`${I} (?:deploy|ship|release|test|review|merge|back up|approve|onboard|handle|document|track|invoice|plan|estimate|log|commit|reconcile|rotate|send|start|end|run) .{2,120}\b(?:by|before|after|every|each|on|with|via|through|twice|once|weekly|daily|monthly|first|without|using|when|in)\b`,
  ),
  kind(
    'procedural',
    String.raw`^(?:i|we) (?!have\b|had\b|am\b|are\b|was\b|were\b|need\b|could\b|should\b|would\b|will\b|can\b|see\b|get\b|got\b)[a-z]+ .{0,120}\b(?:(?:every|each) (?:other )?(?:day|week|month|quarter|year|morning|evening|night|sprint|spring|summer|autumn|winter|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|christmas|easter)|(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days|(?:once|twice) a (?:day|week|month|quarter|year))\b`,
  ),
  kind(
    'procedural',
    String.raw`^(?:whenever|each time|every time|before|after|once) we [^,]{3,80}, (?!i\b|you\b|it\b|what\b|how\b|there\b|the (?:page|screen|app)\b)(?:\w+ ){1,3}[a-z]+s\b`,
  ),
  // ---- what is so
  kind(
    'semantic',
    String.raw`^(?:my|our) (?:wife|husband|partner|spouse|girlfriend|boyfriend|gf|bf|fiance\w*|son|daughter|kid|kids|child|children|baby|toddler|twins|dog|cat)(?: [a-z]+)? (?:(?:is|are) (?:also |now |severely |very |mildly )?(?:allergic|vegetarian|vegan|diabetic|deaf|blind|autistic|dyslexic|pregnant|lactose|celiac|intolerant|on the (?:autism )?spectrum|\d+|due|named|called|starting school)|(?:has|have) (?:asthma|diabetes|adhd|autism|celiac|coeliac|epilepsy|allerg\w+|an? (?:\w+ )?(?:allergy|intolerance))|(?:will|do|does|can) not (?:eat|drink|tolerate|have|like)|hates?|loves?|goes to (?:an? |the )?(?:\w+ ){0,2}(?:school|kindergarten|nursery|university|college)|attends?|plays? (?:the )?\w+$|speaks?|starts? (?:school|kindergarten|nursery|university)|turn(?:s|ed)? \d+|was born|were born)\b`,
  ),
  kind(
    'semantic',
    String.raw`^i had (?:an? )?(?:[a-z-]+ ){1,4}(?:as an? (?:kid|child|teenager|baby|student)|(?:\w+ ){1,2}years ago|in (?:19|20)\d\d)|^i (?:am (?:very |terribly |quite )?(?:afraid|scared|terrified) of (?!it\b|this\b|that\b)|am trying to (?:lose|learn|quit|save|get fit|become|cut|stop|improve|gain)|weigh|measure|need (?:glasses|reading glasses|hearing aids|a wheelchair|insulin)) ?`,
  ),
  kind(
    'semantic',
    String.raw`^(?:everything|everyone|everybody) (?:\w+ )?(?:at|in|on) (?:my|our) (?:company|team|office|school|family|firm|shop|department|house)\b`,
  ),
  kind(
    'semantic',
    String.raw`^we (?!need|see|get|have|think|know|want|hope|say|mean|wait|try|apologi|appreciate|look|agree|disagree|like|love|hate|feel|find|ask|believe|wish|understand|can|could|should|would|will|must|may|might|are|were|do|did|was|went|got|saw|had|made|took|came|said|thought|knew|found|left|lost|put|let|go\b|won|sat|ate|met|ran|talk|discuss|notice|keep|also|just|still|all|both|really|then|never|always|there)[a-z]+(?<!ed|ing) (?!it\b|this\b|that\b|these\b|those\b|you\b|your\b|them\b|him\b|her\b|he\b|she\b|they\b|are\b|is\b|to\b)[a-z0-9]`,
  ),
  kind(
    'semantic',
    String.raw`^(?:you can |please |best to |it is best to )?(?:reach|contact|email|text|find) me (?:at|on|by|via|in the|before|after|only)\b`,
  ),
  kind(
    'semantic',
    String.raw`^i was (?:an? |the )(?:[a-z-]+ ){1,3}(?:for (?:[a-z0-9]+ )?(?:years|months|decades)|until|before|in (?:19|20)\d\d|from (?:19|20)\d\d)`,
  ),
  kind(
    'semantic',
    String.raw`^(?:my|our) (?:[a-z]+ ){0,2}(?:setup|stack|machine|equipment|gear|kit|hardware|toolchain|schedule|hours|address|hobbies|interests|allergies|skills|languages|background) ?: \S`,
  ),
  kind(
    'semantic',
    String.raw`^(?:i|we) can not (?!be\b|do\b|tell\b|say\b|imagine\b|stop\b|thank\b|promise\b|explain\b|decide\b|seem\b|make\b|reach\b|load\b|use (?:it|this|that|the)\b|think\b|afford to wait|continue\b|proceed\b|sign in|run (?:it|this|that|the)\b|change (?:it|this|that|the)\b|\w+ (?:it|this|that)\b)[a-z]+ \S`,
  ),
  kind(
    'semantic',
    String.raw`^(?:my|our) (?:new |current )?(?:(?:sister|brother|mother|father|mom|mum|dad|friend|best friend|colleague|coworker|co-worker|boss|manager|neighbor|neighbour|cousin|uncle|aunt|teacher|doctor|roommate|flatmate|grandmother|grandfather|client|customer|landlord|lawyer|son|daughter|wife|husband|partner|girlfriend|boyfriend|fiance\S*|kids?|children|parents|twins|nephew|niece|intern|assistant|ceo|cto|cfo|lead|mentor|supervisor|professor|therapist|dentist|accountant|dog|cat|pet|puppy|rabbit|horse|parrot)s?(?:'s?)? )(?:(?:full |first )?names? (?:is|are)|is called|are called|is named|are named|birthday (?:is|falls)|(?:is|are) (?:now )?(?!a |an |the |my |in |on |at |not |very |so |too |from |always |never |also |really |sick|ill|angry|late|busy|here|coming|visiting|asking|working|living|going|right|wrong|allergic)[a-z]+(?: [a-z]+){0,2}$)`,
  ),
];

/** People and animals that are spoken of with “my”: what is said of them is theirs, but for who they are. */
const others =
  /^(?:my|our) (?:\w+ )?(?:sister|brother|mother|father|mom|mum|dad|friend|friends|colleague|colleagues|coworker|co-worker|boss|neighbou?r|cousin|uncle|aunt|teacher|roommate|flatmate|grand\w+|client|customer|landlord|lawyer|son|daughter|wife|husband|partner|girlfriend|boyfriend|kids?|children|parents|nephew|niece|intern|assistant|mentor|professor|user|users|doctor|manager)(?:'s \w+)?\b/u;

const roleLike =
  /^(?:i|we) (?:am|are|am also|am currently|are also)(?: (?:now|still|also|currently|originally|actually|basically|just|only|mostly|both))* (?:an?|the|one of the|part of|head of|chief|director|vice|vp|lead|ceo|cto|cfo|cmo|founder|co-?founder|owner|co-?owner|member|members|married|single|divorced|engaged|widowed|retired|self-employed|unemployed|pregnant|bilingual|trilingual|vegetarian|vegan|pescatarian|allergic|lactose|gluten|diabetic|celiac|coeliac|dyslexic|autistic|colou?r[- ]?blind|blind|deaf|hard of hearing|left[- ]handed|right[- ]handed|nearsighted|asthmatic|insomniac|muslim|jewish|christian|hindu|buddhist|catholic|atheist|from|based|located|living|staying in|working|employed|studying|studying for|enrolled|responsible|in charge|learning|teaching|training|preparing for|saving|building|developing|running|maintaining|managing|leading|raising|using|on (?:a|the|my|our|parental|maternity|sabbatical|call|medication|version|node|python|windows|mac|linux|ubuntu|slack)|in (?:utc|gmt|the|my|marketing|sales|finance|hr|legal|engineering|school|college|[a-z]+ (?:time|timezone))|into|new to|good at|bad at|fluent|native|not (?:a|an|in|from|good)|more|no longer|not .*anymore|writing a|called|named|known as|born|taking|subscribed|trained|certified|licensed|\d+(?: years?\b|$| and\b|[ -]person|[ -]people)|(?:a )?team of|five|six|seven|[a-z]+ish$|[a-z]+(?:ese|ian|can)$|german|french|dutch|greek|swiss|thai|czech)\b/u;
const notRole =
  /^(?:i|we) (?:am|are) (?:a|an|the) (?:bit|little|lot|tad|few|moment|first|only one|one who|same|idiot|user who)\b|^(?:i|we) (?:am|are) (?:running (?:the|into|out|late|this|a)|using (?:this|the (?:following|code|command))|working on (?:this|it|that|the (?:following|second|first))|in (?:the middle|a hurry|trouble|need|doubt)|on (?:it|the (?:page|phone|second|first|wrong|right))|new here|from now|good$|good at this)/u;

const stableVerb =
  /^(?:i|we)(?: (?:also|still|now|currently|mostly|mainly|both|all|only|already|recently|originally|primarily|just|usually|often))* (?:live|lived|reside|work|worked|study|studied|teach|taught|own|drive|ride|play|speak|use|run|manage|lead|maintain|report to|belong to|go by|wear|collect|grow|breed|code|program|develop|cook|train|volunteer|practice|attend|commute|rent|host|keep|eat|drink|take|sleep|wake up|get up|pay|invest|subscribe|follow|support|grew up|come from|came from|moved|relocated|switched|migrated|changed to|went back|upgraded|replaced|adopted|suffer from|sell|make|produce|serve|offer|build|deploy|ship|release|store|write|wrote|meet|have|have got|need glasses|standardized|chose|picked|settled on|rely on|hire|hired|employ|operate|target|call|charge|require|joined|left|became|married|got married|was born|were born|do yoga|do not (?:have|use|work|own|speak|drive|deploy|live|allow|support|accept|ship|play|need|code|meet|take)|no longer|used to|founded|started (?:a|my|our)|co-?founded|bought|raise|handle|am|are|stay|do|go|plan to|aim to|intend to|want to (?:become|learn|lose|run|retire|move|save|get|open|start|read|climb|travel|visit|live|quit|stop|improve)|hope to|will (?:retire|move|graduate|start|be|turn)|graduated|majored|specialize|specialise|focus on|know (?:python|java|sql|some|a bit|how to)|can (?:speak|play|read|code|drive|sing|cook)|celebrate|observe|migrated from|moved from|switched from|dropped|ditched|stopped|have been|have worked|have lived|have used|have played|share|split|bill|invoice|price|publish|print|recruit|source|have (?:just |recently |finally |now )?(?:moved|switched|joined|started|become|relocated|settled)|went (?:vegan|vegetarian|pescatarian|keto|paleo|plant[- ]based|freelance|part[- ]time|remote)|get (?:around|seasick|carsick|airsick|motion sick|migraines|hay fever|headaches)|go everywhere|swim|dance|sing|paint|draw|climb|surf|ski|hike|run)\b/u;
const fleetingUse =
  /^(?:i|we) (?:use|used|run|make|made|take|took|do|did|go|went|keep|call|follow|have|had|write|wrote|need|get|changed|replaced|picked|built|build|sell|split|drop|dropped) (?:it|this|that|these|those|the (?:following|command|code|above|same|page|link|button|steps)|what|them|is|are)\b|^(?:i|we) (?:keep|have been) (?:getting|seeing|trying|looking|having|waiting|reading)|^(?:i|we) (?:go|went) (?:to the (?:page|site|link|settings)|ahead|with (?:that|this|it))|^(?:i|we) do (?:it|this|that|so|not know|not think|not want)\b|^(?:i|we) have (?:been|not|never|already|just|no) (?:been|seen|tried|read|received|idea)\b/u;
const owned =
  /^(?:my|our) [a-z0-9'/ -]{2,60}? (?:is|are|was|will be|were|has|have|had|runs?|uses?|lives?|starts?|ends?|expires?|works?|goes|go|comes?|falls?|moved|changed|takes?|contains?|consists?|meets?|leaves|departs|arrives|costs?|needs?|opens?|closes?|sits?|sells?|does|do|deals?|depends?|focuses|lies|belongs?|got|became|requires?|follows?|prefer|prefers|recently|currently|usually|now|mostly) \S/u;

/** The type of a memory that a clause in plain words is worth, if it is any; `text` is as it was written. */
export function kindOfStatement(plain: string, text: string): MemoryType | undefined {
  const wish = wishOf(plain);
  if (wish) return wish;
  for (const { type, pattern } of kinds) if (pattern.test(plain)) return type;
  if (
    /^(?:\S+ ){1,6}(?:is|are) (?:my|our) (?:home|hometown|job|name|birthday|hobby|city|country|employer|mother tongue|native language|deadline|(?:new |current )?(?:boss|manager|ceo|cto|cfo|coo|chair|director|supervisor|team lead|lead|landlord|doctor|dentist|therapist|lawyer|accountant|coach|mentor|wife|husband|partner))$/u.test(
      plain,
    )
  )
    return 'semantic';
  // “My daughter Mila starts school”: somebody close is named.
  if (
    /^(?:my|our) (?:\w+ )?(?:wife|husband|partner|spouse|girlfriend|boyfriend|son|daughter|kid|baby|dog|cat|brother|sister|mother|father|boss|manager) \p{Lu}\p{Ll}+ /iu.test(
      text,
    ) &&
    /^\S+ (?:\S+ )?\S+ \p{Lu}\p{Ll}/u.test(text)
  )
    return 'semantic';
  if (others.test(plain)) return undefined;
  if (notRole.test(plain) || fleetingUse.test(plain)) return undefined;
  if (roleLike.test(plain) || stableVerb.test(plain) || owned.test(plain)) return 'semantic';
  // “I'm Ana”: a name is told by its capitals.
  if (
    /^(?:I am|I['’]?m|i am|i['’]?m|Im|This is) \p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+){0,2}(?:\s*$|[,.!]| (?:from|and|here)\b)/u.test(
      text,
    )
  )
    return 'semantic';
  if (/^as an? [a-z -]{3,40}$/u.test(plain)) return 'semantic';
  if (
    /^(?:\p{Ll}+ ){1,3}here$/u.test(plain) &&
    /^(?:a |an )?(?:vegetarian|vegan|\w+(?:er|or|ist|ian|nurse|dev))\b/u.test(plain)
  )
    return 'semantic';
  return undefined;
}
