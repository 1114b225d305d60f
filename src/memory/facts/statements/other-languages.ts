// The plainest things that people say of themselves in other languages than English, by how they begin.
import type { MemoryType } from '../../../core/memory.ts';

const openings: readonly (readonly [MemoryType, RegExp])[] = [
  [
    'preference',
    /^(?:ich (?:mag|liebe|hasse|bevorzuge|trinke lieber|esse lieber|hätte gerne?|möchte immer)|mir gefällt|mein\w* lieblings|je préfère|j['’]aime|je déteste|j['’]adore|mon \S+ préféré|prefiero|me (?:gusta|encanta)|odio|mi \S+ favorit|preferisco|mi piace|eu prefiro|eu gosto|ik (?:hou van|heb liever|haat)|antworte (?:mir )?(?:immer|bitte|ab jetzt)|bitte (?:antworte|schreib|verwende|nutze|duze)|ab jetzt|réponds(?:-moi)? toujours|responde siempre|de ahora en adelante|à partir de maintenant)\s/iu,
  ],
  [
    'semantic',
    /^(?:ich (?:heiße|heisse|bin (?!mir|nicht sicher|müde|gerade|froh|der meinung)|wohne|lebe|arbeite|komme aus|studiere|habe (?:eine?n? |zwei |drei |keine )|spreche|nutze|benutze|verwende|fahre)|mein name ist|mein\w* \S+ (?:ist|heißt|sind)|wir (?:nutzen|verwenden|benutzen|haben|sind|arbeiten)|unser\w* \S+ (?:ist|sind|läuft)|merk dir|je (?:m['’]appelle|suis (?!désolé|perdu|sûr|fatigué)|travaille|vis à|habite|viens|parle|utilise)|j['’](?:habite|ai (?:un|une|deux|trois) (?!question|problème|doute)|étudie|utilise)|mon nom est|nous utilisons|me llamo|mi nombre es|soy (?!consciente)|vivo en|trabajo (?:en|como|para)|tengo (?:un|una|dos|tres) (?!pregunta|problema|duda)|hablo|usamos|mi chiamo|sono (?:un|una|di|italian|vegetarian)|vivo a|lavoro|ho (?:un|una|due) (?!domanda|problema)|meu nome é|eu sou|moro em|trabalho|ik (?:heet|ben een|woon|werk)|mijn naam is|wij gebruiken)\s/iu,
  ],
];

export function inOtherLanguage(text: string): MemoryType | undefined {
  return openings.find(([, pattern]) => pattern.test(`${text} `))?.[0];
}
