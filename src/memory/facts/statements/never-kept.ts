// What is no memory although a user says it of themselves: questions, suppositions, what others say, the task at hand, moods and small talk.
// Read on plain words (plain-words.ts); the first rule that matches decides.

interface Refusal {
  readonly reason: string;
  readonly pattern: RegExp;
}

const refusals: readonly Refusal[] = [
  {
    reason: 'a question',
    pattern:
      /^(?:what|who|whom|whose|where|why|which|how|is|are|was|were|does|did|do (?:i|we|you|they)|can|could|would|should|shall|may|am i|have (?:i|we|you)|has|had i|will|isn't|aren't)\b/u,
  },
  {
    reason: 'a supposition',
    pattern:
      /^(?:if|suppose|supposing|imagine|assume|assuming|let us (?:say|assume|imagine|pretend)|say (?:i|my|we|that)|pretend|hypothetically|in theory|what if|had i|were i|picture|role-?play|for the sake of|in case|unless)\b|\b(?:would have|could have|might have|hypothetical(?:ly)?|i wish|if i (?:were|was|had|did|could|won|lived|moved)|if we (?:were|had|moved|did)|if it (?:was|were)|if only|pretend|fictional|in (?:my|the|this|a) (?:story|novel|film|movie|game|book|dream|scenario|poem|play)|my character|the (?:character|narrator|hero))\b/u,
  },
  {
    reason: 'not certain',
    pattern:
      /\b(?:maybe|perhaps|might|not sure|unsure|some ?day|one day|thinking (?:of|about)|considering|wondering|tempted|i (?:think|guess|suppose|believe|assume|doubt|bet|feel like)|probably|possibly|we (?:should|could|would)|i (?:should|could|may)|i would (?!(?:really |much )?(?:rather|prefer|like|love|appreciate|be (?:happy|grateful|glad)|want)))\b/u,
  },
  {
    reason: 'what somebody else says',
    pattern:
      /\b(?:said|says|saying|told me|tells me|claims?|claimed|wrote|writes that|according to|quoted?|mentions?|states|stated|asked me|suggests|recommends|insists?|heard that|read that|reports? that)\b/u,
  },
  {
    reason: 'an example',
    pattern: /^(?:for example|for instance|e\.?g\.?|as an example|such as|example)\b/u,
  },
  {
    reason: 'a fault that is being looked at',
    pattern:
      /\b(?:errors?|exceptions?|bugs?|traceback|stack ?trace|crash(?:es|ed|ing)?|fail(?:s|ed|ing|ure)?|broken(?! (?:my|his|her))|not working|does not work|did not work|does not (?:start|load|open|compile|run)|timeouts?|timed out|frozen|exit code|\b(?:404|500|403)\b|undefined|null ?pointer|hangs|stuck|is (?:slow|down|blank|empty|wrong|missing))\b/u,
  },
  {
    reason: 'the task at hand',
    pattern:
      /^(?:i|we) (?:am |are |have been |was )?(?:just )?(?:try(?:ing)?(?! to (?:lose|learn|quit|save|get fit|get pregnant|become|cut|eat|stop|improve|gain|conceive)\b)|tried|looking (?:for|at|to|into)|look for|search(?:ing)? (?:for)?|need(?:ed)? (?:help|to|your|some|this|that|you to (?!always|never|keep|stop|use|be|answer|write|avoid|remember))|need (?:a|an|the) |want (?:to (?!become|learn|lose|run|retire|move|save|get (?:fit|better)|open|start (?:a|my)|read|climb|travel|visit|live|quit|stop|improve)|a |an |the |this|that|you to (?:act|be (?:my|a|an)|write|help|find|check|give me (?:a|the)|tell|make|create|explain (?:this|that|the|how)|look|compare|translate|summari[sz]e|pretend|play))|would like (?:to|a|an|the|you to (?:act|help|write|find|check|look|explain (?:this|the)|translate|summari[sz]e)|some|this|that)|would love (?:to|a|an|some)|asked|ask(?:ing)?|wonder(?:ing)?|hope|hoping|see(?:ing)?|saw|get(?:ting)? (?:a|an|the|this|that|it|some)|mean|meant|understand|do not (?:understand|know (?:what|how|why|if|where|whether|when)|see|get (?:it|this|that|the)|remember|recall|think|mean|agree|care)|can not (?:find|see|open|get|log|access|remember|understand|figure|believe|install|connect|wait|help)|know (?:that|what|how|why|it|this|you|where)|agree|disagree|noticed|notice|found|find (?:it|this|that)|clicked|followed|uploaded|attached|pasted|sent|received|opened|downloaded|installed|ran (?:the|a|it|this|into|some|all|out)|run into|reading|talking about|talked about|was talking|looking|looked|checked|checking|confused|stuck|ready|done|back|here|sure|sorry|afraid(?! of (?!it\b|this\b|that\b))|glad|happy|curious|aware|tired|hungry|thirsty|bored|sick|ill|cold|busy|late|sad|angry|excited|nervous|worried|fine|good|ok|okay|well|great|right|wrong|lost|grateful|thankful|impressed|surprised|interested in (?:your|knowing|hearing|learning more|this|that)|writing (?:to you|to (?:ask|complain|inform)|because)|calling|asking|about to|going to (?:ask|try|need|check|test|use this|send|do)|seeing|having (?:a|an|some|trouble|problems|issues|difficult)|(?:not )?able to|unable to|trying(?! to (?:lose|learn|quit|save|get fit|get pregnant|become|cut|eat|stop|improve|gain|conceive)\b)|must|have to|had to|got to|need(?! (?:glasses|hearing aids|a wheelchair|insulin|reading glasses)\b))\b/u,
  },
  {
    reason: 'the task at hand',
    pattern:
      /^(?:i|we) (?:have|have got|had|got) (?!(?:moved|switched|changed|migrated|relocated|returned) )(?:(?:a|an|some|the|this|another|one|two|three|several|many|no|any|few|more|quite) )?(?:\w+ )?(?:questions?|problems?|issues?|doubts?|trouble|idea|ideas|feeling|look|files?|lists?|tables?|dataframes?|strings?|functions?|class|script|quer(?:y|ies)|documents?|pdfs?|csv|columns?|datasets?|tasks?|assignments?|requests?|texts?|sentences?|images?|photos?|links?|suggestions?|comments?|remarks?|concerns?|attached|been(?! (?:an? |in |at |with |on (?:a|my|the) |working|living|learning|studying|using|playing|teaching|married|single|sober|vegan|vegetarian|coding|programming|training|doing|running|writing|self|retired|diagnosed))|seen|noticed|read|heard|it|this|that|to|apples|minutes?|clue|message|mail|email|reply|response|answer|point|moment|second|hard time|homework)\b/u,
  },
  {
    reason: 'about the conversation',
    pattern:
      /^(?:i|we) (?:really |also )?(?:like|love|enjoy|hate|dislike|appreciate|prefer|do not like) (?:your|you|it|that|this|these|those|them|him|her|how (?:you|it)|what you|the (?:answer|idea|way (?:you|it)|sound|first|second|third|last|other|one))\b|^my (?:questions?|problems?|issues?|guess|understanding|bad|mistakes?|apologies|concerns?|requests?|code|query|function|script|program|file|text|essay|message|last|previous|point|thoughts?|opinion|answer|screen|internet|connection|test|build|page|question|homework|assignment|input|output|data|table|sentence|name (?:spelled|right))\b(?! (?:editor|style|base|review))/u,
  },
  {
    reason: 'something that only this moment shows',
    pattern:
      /\b(?:this|these|that|those) (?!(?:days|times|year|month|week|weekend|morning|spring|summer|autumn|fall|winter|semester|quarter|season|is|are|was|will|means|helps|we|i|my|our|you|they|he|she|it|the|a|an)\b)[a-z]+\b(?! (?:i|we) )|^(?:i|we) (?:am|are|was|were) (?:at (?:the|a|an|my|home\b|work\b)|in the (?:car|train|bus|queue|lobby|kitchen|shower|office (?:now|today))|on (?:the|a) (?:\w+ )?(?:train|bus|plane|way|phone|road|toilet)|on (?:my|our) way|on (?:page|line|step|chapter|slide|exercise|question|paragraph|section|level|part|version|row) \w{1,8}$|on (?:page|line|step|chapter|slide|exercise|question) \d|(?:typing|dictating|texting|posting) )|^(?:i|we) (?:have )?(?:moved|changed|switched|left|dropped|picked|chose|replaced|renamed|stopped|started|opened|closed|built|made|took|kept|ran|used|followed|produced) (?:to |from |with |at )?(?:the|this|that|it|them|all)\b(?! (?:netherlands|us|usa|uk|states|united|philippines|city|country|countryside|coast|suburbs|gym|guitar|piano|violin|cello|flute|drums))|^(?:my|our) [a-z' -]{2,40} (?:is|are|was|were) (?:(?:so|very|really|just|totally|all|a bit|too|still|not|now|already|completely) )*(?:delayed|late|important|urgent|ready|done|broken|fine|weird|off|gone|empty|full|dead|blank|missing|wrong|slow|unclear|confused|killing|hurting|stuck|lost|closed|open|over|here|there|acting|being|getting|going|not|tired|sick|cold|hot|hungry)\b/u,
  },
  {
    reason: 'nothing by itself',
    pattern:
      /^(?:(?:i|we)(?: (?:am|are|was|were|do|did|have|had|can|will|would|could|should))?(?: not| never)?(?: (?:either|too|though|really|now|anyway|also|yet|mind|care))*(?: (?:mind|care)\b.*)?|never (?:was|were|did|have|had|will|do)|(?:i|we) (?:am|are) (?:leaving|coming|going|waiting|listening|done))$/u,
  },
  {
    reason: 'a choice of the moment',
    pattern:
      /\b(?:options?|versions?|drafts?|variants?|choices?|answers?|numbers?) (?:[a-d]|\d{1,2}|one|two|three)\b|^(?:i|we) (?:\w+ )?(?:prefer|like|love|hate|dislike|want|choose|pick)\b.{0,80}\b(?:here$|(?:first|second|third|fourth|last|latter|former|other|new|old) (?:one|option|logo|draft|version|variant|design|sentence|paragraph|line|picture|image|title|idea|example|answer|choice)\b|(?:this|that) (?:one|option|logo|draft|version|variant|design)\b)/u,
  },
  {
    reason: 'a mood',
    pattern:
      /^(?:i|we) (?:am|are|feel|was|were|felt) (?:(?:so|very|really|just|totally|all|a bit|a little|kind of|quite|pretty|too|still|not|such) )*(?:an? (?:idiot|fool|mess|wreck|moron|genius|dummy)|proud|freaking|certain|like|serious|kidding|joking|stressed|exhausted|annoyed|frustrated|hooked|done with|over it|pleased|thrilled|upset|scared|ancient|overwhelmed|blown|amazed|shocked|relieved|jealous|lonely|desperate|in love with (?:it|this|that)|loving (?:it|this|that)|dying|starving|freezing|screwed|doomed|hopeful|disappointed|embarrassed|clueless|dead)\b|^(?:i|we) (?:just |simply |so |absolutely |really )*(?:love|enjoy|adore|hate|dislike|like) (?:how |that (?:we|you|it|this) |when the |it when the |waiting|paying|spending|sitting|being (?:ignored|told|woken|late|stuck|on hold|yelled|charged))/u,
  },
  {
    reason: 'a manner of speaking',
    pattern:
      /\b(?:jk|just kidding|kidding aside|ha!?)$|\b(?:you (?:use|used|gave|wrote|made|said|did|chose|picked)|your (?:tone|last \w+))$|^never [a-z]+ed\b|^never (?:went|came|saw|got|knew|thought|heard|had)\b|^(?:i|we) (?!prefer|hate|love|want)(?:do not )?[a-z]+ (?:it|this|that|them|those|these)(?: (?:yesterday|already|again|twice|now|anyway|before|too|all|last \w+))?$|\b(?:is|are) (?:misspelled|spelled wrong|spelt wrong|written wrong)|^(?:call me (?:crazy|old[- ]fashioned|naive|cynical|a cynic|biased|stupid|lazy|weird|when|if|later)|(?:i|we) (?:live|would die|would kill|am here) for\b|(?:i|we) would rather not\b|(?:i|we) do not (?:get|see) (?:why|how|what|it)|once again\b|(?:my|our) (?:heart|mind|head|jaw|favorite (?:part|bit|thing|line) (?:of|about|in) (?:your|the|this))|(?:i|we) (?:am|are) (?:at|on|over|out of|under|in) (?:my|our|the|an?) (?:wits|limit|moon|mind|way out|hurry|rush|bind|pickle|loss|end)|(?:i|we) have not [a-z]+ (?:all day|yet|anything|since)|(?:i|we) (?:never|always) read the|(?:i|we) (?:quit|give up|surrender|resign)$)/u,
  },
  {
    reason: 'how it goes again and again with a task',
    pattern:
      /^(?:i|we) (?:always|never|often|usually|sometimes|keep) (?:forget|forgetting|remember|confuse|confusing|mix|mixing|misspell|wonder|knew|know|understood|understand|expected|thought|said|heard|saw|meant|asked|did|got|get (?:it|this|that|confused|lost|wrong))\b/u,
  },
  {
    reason: 'a fleeting state',
    pattern:
      /\b(?:right now|at this moment|today(?! i (?:started|joined|moved|became|got))|tonight|in (?:five|ten|two|\d+) minutes)\b(?!.*\b(?:birthday|started|joined|moved|born|married|promoted)\b)/u,
  },
];

/** Why a clause in plain words is not kept; undefined where nothing speaks against it. */
export function refusalOf(plain: string): string | undefined {
  return refusals.find(({ pattern }) => pattern.test(plain))?.reason;
}
