// Reads what stands on a page of a PDF beside its content (ISO 32000-1, 12.5 and 12.7): form fields as "name: value", and the text
// of annotations with its author. Hidden ones and passwords are left out; nothing is filled in, no script runs.

import type { OpenPdf } from '../../engines/pdf-module.ts';
import type { PdfNote } from './pdf-content.ts';
import { type Frame, seenBox } from './pdf-words.ts';

/** Handles of a page and of the form that its fields belong to (0: none). */
interface NotesPage {
  readonly page: number;
  readonly form: number;
  readonly frame: Frame;
}

export interface PageNotes {
  readonly notes: readonly PdfNote[];
  /** Holds free text, a stamp or a field: these are drawn over the page. */
  readonly isDrawnOver: boolean;
  /** Handles of attachments that hang on a place of the page; they live as long as the document. */
  readonly attachments: readonly number[];
}

const mostAnnotations = 5000;
const drawnOver = new Set([3, 13, 20]);
const widget = 20;
const fileAttachment = 17;
/** FreeText shows its own text once it is drawn; links and pop-ups have none of their own. */
const textless = new Set([2, 3, 16, 19, 21, 22, 23]);
/** Flags of annotations: hidden (2), no view (6). */
const unseen = 0x02 | 0x20;

export function readNotes(open: OpenPdf, at: NotesPage): PageNotes {
  const { pdfium, memory } = open;
  const { page, form, frame } = at;
  const notes: PdfNote[] = [];
  const attachments: number[] = [];
  let isDrawnOver = false;
  const scratch = memory.allocate(16);
  const count = Math.min(pdfium.FPDFPage_GetAnnotCount(page), mostAnnotations);
  for (let index = 0; index < count; index++) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    const subtype = pdfium.FPDFAnnot_GetSubtype(annotation);
    if (drawnOver.has(subtype)) isDrawnOver = true;
    if (subtype === fileAttachment) attachments.push(pdfium.FPDFAnnot_GetFileAttachment(annotation));
    if ((pdfium.FPDFAnnot_GetFlags(annotation) & unseen) === 0) {
      const text = subtype === widget ? readField(open, form, annotation) : readRemark(open, annotation, subtype);
      if (text !== '') {
        pdfium.FPDFAnnot_GetRect(annotation, scratch);
        const { left, top, right, bottom } = seenBox(frame, memory.rectangle(scratch));
        notes.push({ text, x: left, y: top, width: right - left, height: bottom - top });
      }
    }
    pdfium.FPDFPage_CloseAnnot(annotation);
  }
  notes.sort((a, b) => a.y - b.y || a.x - b.x);
  return { notes, isDrawnOver, attachments: attachments.filter((handle) => handle !== 0) };
}

/** FPDF_FORMFIELD_*. */
const fieldTypes = { checkBox: 2, radioButton: 3, choices: 4, list: 5, text: 6 };
/** Flag of text fields (ISO 32000-1, table 228). */
const passwordFlag = 1 << 13;

/** "Name: value"; empty for a field without a value, or whose name only a program would give. */
function readField({ pdfium, memory }: OpenPdf, form: number, annotation: number): string {
  if (form === 0) return '';
  const read = (call: (form: number, annotation: number, buffer: number, length: number) => number): string =>
    oneLine(memory.utf16((buffer, length) => call(form, annotation, buffer, length)));
  const alternative = read(pdfium.FPDFAnnot_GetFormFieldAlternateName);
  const name = alternative === '' ? lastPart(read(pdfium.FPDFAnnot_GetFormFieldName)) : bare(alternative);
  if (!/\p{L}{2}/u.test(name) || unnamed.test(name)) return '';
  const type = pdfium.FPDFAnnot_GetFormFieldType(form, annotation);
  // FPDFAnnot_IsChecked knows only pages that are shown: the state of the appearance says it, too (ISO 32000-1, 12.7.4.2.3).
  const isChecked = (): boolean => {
    const state = memory.utf16((buffer, length) => pdfium.FPDFAnnot_GetStringValue(annotation, 'AS', buffer, length));
    return state !== '' && state !== 'Off';
  };
  if (type === fieldTypes.checkBox) return `${name}: ${isChecked() ? 'checked' : 'not checked'}`;
  if (type === fieldTypes.radioButton)
    return isChecked() ? `${name}: ${read(pdfium.FPDFAnnot_GetFormFieldExportValue) || 'chosen'}` : '';
  if (![fieldTypes.choices, fieldTypes.list, fieldTypes.text].includes(type)) return '';
  if (type === fieldTypes.text && (pdfium.FPDFAnnot_GetFormFieldFlags(form, annotation) & passwordFlag) !== 0)
    return '';
  const value = read(pdfium.FPDFAnnot_GetFormFieldValue);
  return value === '' ? '' : `${name}: ${value}`;
}

/** What programs call fields that nobody named: `Text12`, `f1_04`, `CheckBox1`, `undefined_2`. */
const unnamed =
  /^(?:(?:text|check|radio|list|combo|date|drop)(?:[\s_]*(?:box|field|button|down|list))?|field|group|button|undefined|untitled|fill|\p{L}{1,2})[\d\s_\-.,()]*$/iu;

function bare(name: string): string {
  return name.replace(/(?<!\s)\s*:$/, '');
}

/** Of a path such as `topmostSubform[0].Page1[0].Last name[0]`. */
function lastPart(path: string): string {
  const last = path.split(/\.(?=\S)/).at(-1) ?? '';
  return bare(last.replace(/\[\d+\]/g, ''));
}

function readRemark({ pdfium, memory }: OpenPdf, annotation: number, subtype: number): string {
  if (textless.has(subtype)) return '';
  const read = (key: string): string =>
    memory.utf16((buffer, length) => pdfium.FPDFAnnot_GetStringValue(annotation, key, buffer, length)).trim();
  const plain = read('Contents');
  const rich = plain === '' ? withoutTags(read('RC')) : '';
  const text = oneLine(plain === '' ? rich : plain);
  if (text === '') return '';
  const author = oneLine(read('T'));
  return author === '' ? `Note: ${text}` : `Note (${author}): ${text}`;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text of the XHTML that rich text is (ISO 32000-1, 12.7.3.4). */
function withoutTags(rich: string): string {
  return rich
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|apos);/g, (whole, name: string) => entities[name] ?? whole);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
