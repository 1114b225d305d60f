// Macros of C and C++ that no grammar can know, written over with spaces before the syntax is read: what exports a class, opens a run of declarations or
// declares what it takes. Invariant: line ends and lengths stay, so that every offset of the reading is one of the source.

const name = '[A-Z][A-Z0-9_]{3,60}';
/** `class API_EXPORT Reader {`. */
const exported =
  /\b((?:class|struct|union)[ \t]+)([A-Z][A-Z0-9_]{2,60}(?:\([^()\n]{0,200}\))?)(?=[ \t]+[A-Za-z_]\w{0,100}(?:[ \t]+final)?\s*[:{])/gu;
/** `API_DECLARE(int) read(`: the type is what stands in it. */
const declared = new RegExp(
  `^(${name}[ \\t]?\\()([\\w \\t*:]{1,100})(\\))(?=[ \\t]*\\n?[ \\t*]*[A-Za-z_]\\w{0,100}[ \\t]?\\()`,
  'gmu',
);
/** `virtual void SAL_CALL read(`, `ZIP_EXTERN int read(`: by how such words end. */
const calling =
  /((?:^|[\w>*&])[ \t]*)\b([A-Z][A-Z0-9_]{0,40}(?:EXPORT|EXTERN|API|PUBLIC|PRIVATE|HIDDEN|CALL|CALLBACK|DEPRECATED|UNUSED|INLINE)|CALLBACK|WINAPI)(?=[ \t]+[A-Za-z_~])/gmu;
/** `public Q_SLOTS:`, `signals:`: sections of Qt. */
const sections = /^([ \t]*(?:public|private|protected))([ \t]+(?:Q_SLOTS|slots))(?=[ \t]*:)/gmu;
const signals = /^([ \t]*)(?:signals|Q_SIGNALS)(?=[ \t]*:)/gmu;
/** `Q_OBJECT`, `G_BEGIN_DECLS`, `K_PLUGIN_FACTORY(Factory, "name.json")`: alone on a line and without a semicolon, no body behind it. */
const alone = new RegExp(`^[ \\t]*${name}(?:[ \\t]?\\([^;{}()\\n]{0,300}\\))?[ \\t]*$(?!\\n[ \\t]*[{:(])`, 'gmu');
/** The line before goes on. */
const goesOn = /[,|&+=(<>?:*/\\-]\s*$/u;

const blank = (text: string): string => ' '.repeat(text.length);

export function withoutMacros(source: string): string {
  const standing = (found: string, at: number, all: string): string =>
    goesOn.test(all.slice(Math.max(0, at - 200), at)) ? found : found.replace(/[^\n]/gu, ' ');
  return source
    .replace(exported, (_, kind: string, macro: string) => kind + blank(macro))
    .replace(declared, (_, open: string, type: string, close: string) => blank(open) + type + blank(close))
    .replace(calling, (_, before: string, macro: string) => before + blank(macro))
    .replace(sections, (_, access: string, word: string) => access + blank(word))
    .replace(signals, (found: string, indent: string) => `${indent}public`.padEnd(found.length))
    .replace(alone, standing);
}
