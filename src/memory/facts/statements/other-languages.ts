// The plainest things that people say of themselves in other languages than English, by how they begin.
import type { MemoryType } from '../../../core/memory.ts';

const openings: readonly (readonly [MemoryType, RegExp])[] = [
  [
    'preference',
    /^(?:ich (?:mag|liebe|hasse|bevorzuge|trinke lieber|esse lieber|hätte gerne?|möchte immer)|mir gefällt|mein\w* lieblings|je préfère|j['’]aime|je déteste|j['’]adore|mon \S+ préféré|prefiero|me (?:gusta|encanta)|odio|mi \S+ favorit|preferisco|mi piace|eu prefiro|eu gosto|ik (?:hou van|heb liever|haat)|antworte (?:mir )?(?:immer|bitte|ab jetzt)|bitte (?:antworte|schreib|verwende|nutze|duze)|ab jetzt|réponds(?:-moi)? toujours|responde siempre|de ahora en adelante|à partir de maintenant)\s/iu,
  ],
  [
    'semantic',
    /^(?:ich (?:heiße|heisse|bin(?! (?:mir|nicht sicher|müde|gerade|froh|der meinung))|wohne|lebe|arbeite|komme aus|studiere|habe (?:eine?n?|zwei|drei|keine)(?! (?:frage|problem|idee|ahnung|fehler))|spreche|nutze|benutze|verwende|fahre)|mein name ist|mein\w* \S+ (?:ist|heißt|sind)|wir (?:wohnen|leben|nutzen|verwenden|benutzen|haben|sind|arbeiten)|unser\w* \S+ (?:ist|sind|läuft)|merk dir|je (?:m['’]appelle|suis(?! (?:désolé|perdu|sûr|fatigué|bloqué|en train))|travaille|vis à|habite|viens|parle|utilise)|j['’](?:habite|ai (?:un|une|deux|trois)(?! (?:question|problème|doute|erreur))|étudie|utilise)|mon nom est|nous utilisons|me llamo|mi nombre es|soy(?! consciente)|vivo en|trabajo (?:en|como|para)|tengo (?:un|una|dos|tres)(?! (?:pregunta|problema|duda|error))|hablo|usamos|mi chiamo|sono (?:un|una|di|italian|vegetarian)|vivo a|lavoro|ho (?:un|una|due)(?! (?:domanda|problema|dubbio|errore))|meu nome é|eu sou|moro em|trabalho|ik (?:heet|ben een|woon|werk)|mijn naam is|wij gebruiken)\s/iu,
  ],
  [
    'preference',
    /^(?:я (?:люблю|предпочитаю|ненавижу)|мне (?:больше )?нравится|(?:bardzo )?lubię|wolę|nie znoszę|jag (?:gillar|föredrar|hatar|älskar)|jeg (?:liker|kan lide|foretrekker|foretrækker|hater|hader|elsker)|minä (?:pidän|rakastan)|我(?:很|最|不)?喜欢|我讨厌|我更喜欢|私は?.{1,30}が(?:大?好き|嫌い))/iu,
  ],
  [
    'semantic',
    /^(?:меня зовут|моё имя|я (?:живу|работаю|учусь|из)(?!\p{L})|nazywam się|mam na imię|mieszkam w|pracuję (?:w|jako)|jestem (?:lekarz|nauczyciel|program|z )\p{L}*|jag (?:heter|bor|jobbar|arbetar|kommer från)|jeg (?:heter|hedder|bor|jobber|arbejder|kommer fra)|benim adım|adım|yaşıyorum|اسمي|أعيش في|أعمل|我(?:叫|的名字|住在|在.{1,20}工作|来自)|(?:私|僕|俺)の名前は|(?:私|僕|俺)?は?.{1,30}に住んで|(?:私|僕|俺)は.{1,30}で働|제 이름은|저는 .{1,30}(?:살아요|삽니다|일해요|일합니다))/iu,
  ],
];

export function inOtherLanguage(text: string): MemoryType | undefined {
  return openings.find(([, pattern]) => pattern.test(`${text} `))?.[0];
}
