// The destinations of RTF (specification 1.9.1, "Document Area") by what is done with them: left out, read, or kept as facts.

/** Destinations that hold nothing a reader sees in the text. */
export const skipped = new Set(
  (
    'colortbl object objdata header headerl headerr headerf footer footerl footerr footerf fldinst listtable ' +
    'listoverridetable revtbl rsidtbl generator xmlnstbl themedata datastore latentstyles filetbl template nonshppict ' +
    'nonesttables bkmkstart bkmkend sn sv sp ftnsep ftnsepc aftnsep aftnsepc mmathPr htmltag mhtmltag userprops ' +
    'wgrffmtfilter xe tc pnseclvl'
  ).split(' '),
);
/** Starred destinations with text that readers see. */
export const readStarred = new Set(['shppict', 'shpinst', 'ud', 'annotation', 'atnauthor', 'shptxt', 'pnseclvl']);
/** Properties of shapes: no text, but the pictures that shapes show. */
export const shapeProperties = new Set(['sp', 'sn', 'sv']);
/** Facts of the file by their control words. */
export const factNames: Readonly<Record<string, string>> = {
  title: 'title',
  author: 'author',
  subject: 'subject',
  keywords: 'keywords',
  company: 'company',
  creatim: 'created',
  revtim: 'modified',
};

/** Where text goes. */
export type Destination =
  | 'body'
  | 'note'
  | 'comment'
  | 'author'
  | 'list-mark'
  | 'fonts'
  | 'styles'
  | 'fact'
  | 'picture'
  | 'field'
  | 'skip';

/** What a group inherits and what ends with it. */
export interface Group {
  destination: Destination;
  /** Where the text around `\\upr` goes. */
  outside: Destination;
  /** Name of the fact that is read. */
  fact: string;
  /** Characters to pass over after `\u`. */
  unicodeSkip: number;
  page: number;
  isHidden: boolean;
  isStruck: boolean;
  /** Pictures in it are there for programs that cannot show the others, or are shown nowhere. */
  isUnseen: boolean;
  /** In how many boxes it lies, whose text stands apart in the midst of a paragraph. */
  boxes: number;
  font: number;
  style: number;
}

export const firstGroup = (): Group => ({
  destination: 'body',
  outside: 'body',
  fact: '',
  unicodeSkip: 1,
  page: 1252,
  isHidden: false,
  isStruck: false,
  isUnseen: false,
  boxes: 0,
  font: -1,
  style: 0,
});
