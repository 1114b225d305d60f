// Whether the first row of a table of words names its columns: `Name | Role | City` over people. Nothing marks it, so it must be unlike every
// row below: names that headers are made of, or a kind, a case, a length or a shape that its column has nowhere else. Invariant: pure, and where
// it cannot be told there is no header; a wrong one would be said with every piece of the table.

/** Fewer rows below show no column's ways; without a word that columns are named by, more are asked for. */
const leastRows = 3;
const leastRowsUnnamed = 5;
/** Cells of a header are short. */
const longestCell = 60;
const mostWords = 8;
/** More of a cell is not read: that bounds the time, too. */
const readCharacters = 200;
/** Names of columns are found in so few of the cells below one. */
const leastApart = 0.2;

/** What the last word of a column's name often is, in lower case; plurals are read without their s. */
const columnNouns: ReadonlySet<string> = new Set(
  `name surname title role position job rank grade city town country state region province county place location address street area site office venue
  date day month year time week period start end begin beginning deadline duration since until from to birth birthday age
  type kind category class group genre form format species family order series division section sector segment unit department dept team branch
  status stage phase result outcome state condition priority level severity risk score rating
  description detail summary note remark comment meaning definition explanation purpose reason use usage example text content message
  id no nr number key code identifier reference ref symbol sku item product part model version release edition variant
  value default amount price cost fee total sum quantity qty count size length width height weight volume unit rate percentage share currency
  owner author editor creator manager lead contact person employee member customer client supplier vendor company organisation organization employer
  email mail e-mail phone telephone mobile fax website url link source target origin destination file path folder
  parameter param option setting property field attribute argument variable method function event action command flag feature requirement
  host server provider engine runtime backend system component repository encoding alias limit import export operation fault
  syntax concept expression pattern operator notation literal element statement profile prefix suffix
  mode model library project package license licence algorithm implementation character format token letter api call class instance object goal issue
  pro con benefit advantage drawback limitation threat risk mitigation cause effect symptom remedy fix solution workaround
  language author publisher journal subject topic theme keyword question answer term word synonym
  stadt ort land straße adresse datum tag jahr zeit art typ rolle beruf abteilung bemerkung beschreibung wert preis menge anzahl nummer telefon firma
  kunde betrag titel sprache bezeichnung bedeutung nom prénom ville pays adresse fonction poste téléphone prix quantité titre langue
  nombre apellido ciudad país dirección fecha cargo teléfono precio cantidad título idioma descripción
  姓名 名称 名前 氏名 城市 都市 国家 国 地址 住所 日期 日付 类型 種類 部门 部署 职位 役職 说明 説明 备注 備考 编号 番号 状态 状態 电话 電話 单位 单价 数量 价格 価格`
    .split(/\s+/u)
    .filter((word) => word !== ''),
);

/** What stands alone over a column of explanations, and hardly anywhere else: no table of definitions has a row that is called so. */
const explaining =
  /^(?:(?:short |long |brief |general )?descriptions?|meanings?|explanations?|definitions?|purpose|usage|remarks?|notes?|comments?|contents|beschreibung|bedeutung|erklärung|bemerkung(?:en)?|anmerkung(?:en)?|signification|remarques?|descripción|significado|observaciones|descrizione|significato|descrição|omschrijving|betekenis|opis|beskrivning|açıklama|anlamı|описание|значение|説明|意味|说明|描述|설명)$/iu;

const placeholder = /^(?:[-–—?.*]*|n\/?a|none|null|nil|unknown|tbd|tba|empty)$/iu;
const kinds: readonly RegExp[] = [
  // Figures, with a unit or without.
  /^[($€£¥+~≈<>≤≥±-]*\s*\p{N}[\p{N}.,\s'’/:%()–-]*\s?[^\s\p{N}]{0,8}\)?$/u,
  // Days and times, months named or not.
  /^(?=.*\p{N})(?:\p{L}{3,9}\.?,?\s)?\p{N}{1,4}[\s./-]+(?:\p{L}{3,9}\.?|\p{N}{1,2})[\s,./-]+\p{N}{2,4}(?:\D.*)?$/u,
  /^[^\s@]+@[^\s@.]+\.\S+$/u,
  /^(?:[a-z][a-z0-9+.-]*:\/\/|www\.|\.{0,2}\/)\S+$/iu,
  /^(?:yes|no|true|false|ja|nein|oui|non|sí|x|(?:\p{Extended_Pictographic}|[✓✗✘●○])\uFE0F?)[.*]?$/iu,
];
/** Names that machines read: `maxBytes`, `--flag`, `snake_case`, `AB-12`, `f(x)`. */
const code = /^(?=\S+$)(?:.*[_=(){}<>@\\`$].*|-.*|.*\p{Ll}\p{Lu}.*|.*\p{N}.*|.*\w[.:/]\w.*)$/u;

const leadingFigure = /^[^\p{L}\p{N}]*\p{N}/u;

const folded = (cell: string): string => cell.toLowerCase();
/** Without the quotes and brackets around it, but with all other signs: `C++` and `C#` are two names. */
const bareOf = (cell: string): string =>
  folded(cell).replace(
    /^[\s\p{Pi}\p{Pf}\p{Ps}\p{Pe}"'`]+|(?<![\s\p{Pi}\p{Pf}\p{Ps}\p{Pe}"'`])[\s\p{Pi}\p{Pf}\p{Ps}\p{Pe}"'`]+$/gu,
    '',
  ) || cell;
const wordsOf = (cell: string): readonly string[] => cell.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu) ?? [];
const isVoid = (cell: string): boolean => placeholder.test(cell);

/** Whether a cell could name a column. */
function canName(cell: string): boolean {
  if (cell.length > longestCell || wordsOf(cell).length > mostWords) return false;
  if (cell.split(/[,;]\s/u).length > 2) return false;
  if (/^[:./\\@]|@|\/$/u.test(cell)) return false;
  if (/[.;,!]$/u.test(cell) && !/\b\p{L}{1,4}\.$/u.test(cell)) return false;
  return /\p{L}|^[#%№]$/u.test(cell) && !/:\/\/|::/u.test(cell) && !kinds.some((kind) => kind.test(cell));
}

function isNoun(cell: string): boolean {
  if (/^(?:what|when|where|why|how|who|which|was|wann|wo|warum|wie|wer)\b(?!.*\?)/iu.test(cell)) return true;
  const words = wordsOf(cell.replace(/\([^()]*\)|\[[^[\]]*\]/gu, ' ')).map(folded);
  if (words.length > 4 || cell.includes(',') || (code.test(cell) && words.length > 1)) return false;
  return [words.at(-1), words[0]].some(
    (word) => word !== undefined && (columnNouns.has(word) || columnNouns.has(word.replace(/(?<=..)s$/u, ''))),
  );
}

/** As a value: sentences are about what they name. */
const isNounAlone = (cell: string): boolean => !/[.;!?]$|^(?:an?|the)\s/iu.test(cell) && isNoun(cell);

/** Cells of several words, in most of the filled ones. */
function explains(values: readonly string[]): boolean {
  const filled = values.filter((cell) => cell !== '');
  return filled.filter((cell) => wordsOf(cell).length > 1).length * 2 > filled.length;
}

/** How surely a name stands apart from what is below it: 0, 1 or 2. */
function apartness(name: string, below: readonly string[]): number {
  const values = below.filter((cell) => cell !== '' && !isVoid(cell));
  if (values.length < leastRows) return 0;
  const all = (isOne: (value: string) => boolean): boolean => !isOne(name) && values.every(isOne);
  const most = (isOne: (value: string) => boolean): boolean =>
    !isOne(name) && values.filter(isOne).length >= 0.9 * values.length;
  if ([...kinds, leadingFigure].some((kind) => most((value) => kind.test(value)))) return 2;
  const isUpper = (value: string): boolean => /\p{Lu}{2}/u.test(value) && !/\p{Ll}/u.test(value);
  if (isUpper(name) && !values.some(isUpper)) return 2;
  const counts = new Map<string, number>();
  for (const value of values) counts.set(folded(value), (counts.get(folded(value)) ?? 0) + 1);
  const repeated = values.filter((value) => (counts.get(folded(value)) ?? 0) > 1).length;
  if (values.length >= 6 && repeated >= 0.9 * values.length) return 2;
  const lengths = values.map((value) => wordsOf(value).length).sort((a, b) => a - b);
  const own = wordsOf(name).length;
  if (own <= 3 && (lengths[lengths.length >> 1] ?? 0) >= 6 && (lengths[Math.ceil(lengths.length * 0.1)] ?? 0) > own + 1)
    return 2;
  // What is left is weak: chance may have put the odd one of a column first.
  if (most((value) => code.test(value))) return 1;
  if (all((value) => /^\P{L}*\p{Ll}/u.test(value))) return 1;
  if (all((value) => wordsOf(value).length > 1) || all((value) => wordsOf(value).length === 1)) return 1;
  if (all((value) => value.length > name.length * 1.5)) return 1;
  return 0;
}

/** `rows` from the top, as their cells; of a long table the first ones. */
export function isHeaderOfWords(rows: readonly (readonly string[])[]): boolean {
  const [header = [], ...below] = rows.map((cells) => cells.map((cell) => cell.slice(0, readCharacters)));
  const names = header.filter((cell) => cell !== '');
  if (below.length < leastRows || names.length < 2 || names.length < header.length - 1) return false;
  // An empty last cell may be gone.
  const isWhole = ({ length }: readonly string[]): boolean =>
    length === header.length || (length > 1 && length === header.length - 1);
  if (below.filter(isWhole).length < 0.8 * below.length) return false;
  if (names.filter((name) => leadingFigure.test(name)).length > names.length / 3) return false;
  if (!names.every(canName) || new Set(names.map(bareOf)).size < names.length) return false;
  const columns = header.map((name, at) => ({ name, below: below.map((cells) => cells[at] ?? '') }));
  const isSaidBelow = columns.some(
    ({ name, below: values }) => name !== '' && values.some((value) => folded(value) === folded(name)),
  );
  if (isSaidBelow) return false;
  const named = columns.filter(
    ({ name, below: values }) =>
      isNoun(name) && values.filter(isNounAlone).length <= leastApart * values.filter((cell) => cell !== '').length,
  ).length;
  if (named >= names.length / 2) return true;
  // What is explained stands before it: in the first column such a name is a fact among others.
  if (columns.slice(1).some(({ name, below: values }) => explaining.test(name) && explains(values))) return true;
  const apart = columns.map(({ name, below: values }) => (name === '' ? 0 : apartness(name, values)));
  const sum = apart.reduce<number>((total, one) => total + one, 0);
  if (below.length < leastRowsUnnamed) return named > 0 && sum >= 2;
  return sum >= (named > 0 ? 2 : 3) || apart.every((one) => one > 0);
}
