// What is read of the pieces of a passage whatever is asked: their words, who is spoken to in them, what asks in them, which fields they have, and which
// line names their value. Invariant: whatever is told of a piece stands in it or in the line above; nothing here depends on a question. It lasts as long as
// the pieces that it was read of (readings.ts).
import { beginsEntry } from '../../text/language/log-entries.ts';
import type { TextPiece } from '../../text/sentences.ts';
import { fieldNamesOf } from '../question/sought-fields.ts';
import { isAddress } from '../question/talk.ts';
import type { Term } from '../question/terms.ts';
import { joinRecords, type RecordMarks } from './joined-pieces.ts';
import { passageTerms, piecesOf } from './readings.ts';

export interface PassagePiece {
  readonly own: OwnPiece;
  /** Its words without the names of those who are spoken to; absent where nobody is. */
  readonly about?: readonly string[];
  /** The words of its sentences that ask, and of a message those of the others; absent where nothing asks. */
  readonly asking?: { readonly asked: readonly string[]; readonly rest?: readonly string[] };
  /** Names of the fields that it has. */
  readonly fields: readonly string[];
  /** It stands below a short line that may be its name. */
  readonly mayHaveLabel: boolean;
}

export interface OwnPiece extends TextPiece, RecordMarks {
  readonly text: string;
  readonly terms: readonly string[];
}

const passages = new WeakMap<readonly TextPiece[], readonly PassagePiece[]>();

/** The pieces of a text that is read in `language`. Shared: nobody may change them. */
export function passagePieces(text: string, language: string): readonly PassagePiece[] {
  const spans = piecesOf(text, language);
  const known = passages.get(spans);
  if (known !== undefined) return known;
  const pieces = readPassage(text, spans, passageTerms(text, language));
  passages.set(spans, pieces);
  return pieces;
}

function readPassage(text: string, spans: readonly TextPiece[], words: readonly Term[]): readonly PassagePiece[] {
  let word = 0;
  const pieces = joinRecords(text, spans).map((span): PassagePiece => {
    const held: Term[] = [];
    for (let next = words[word]; next && next.start < span.end; next = words[word]) {
      if (next.start >= span.start) held.push(next);
      word += 1;
    }
    return readPiece({ ...span, text: text.slice(span.start, span.end) }, held);
  });
  return withLabels(withEntries(pieces), text);
}

const termsIn = (words: readonly Term[]): readonly string[] => words.map(({ term }) => term);

/** Most pieces have no field: one list for all of them. */
const none: readonly string[] = [];

function readPiece(piece: Omit<OwnPiece, 'terms'>, held: readonly Term[]): PassagePiece {
  const { kind, text, start } = piece;
  const isTalk = kind === 'entry' || piece.isRecord === true || piece.recordAt !== undefined;
  const about = isTalk ? held.filter((term) => !isAddress(text, term.start - start, term.end - start)) : held;
  const asking = askedIn(piece, about);
  const fields = kind === 'heading' || kind === 'code' || kind === 'entry' ? none : fieldNamesOf(text);
  return {
    own: { ...piece, terms: termsIn(held) },
    ...(about.length < held.length && { about: termsIn(about) }),
    ...(asking && { asking }),
    fields: fields.length === 0 ? none : fields,
    mayHaveLabel: false,
  };
}

/** A sentence that asks; the question mark of an address is none. */
const askingSentence = /[^.!?？؟…\n]{1,300}[?？؟]+(?=["'”’»)]{0,3}(?:\s|$))/gu;

/** What asks in a piece is not said by it: of a message that says something and asks, only the rest counts. */
function askedIn(
  { kind, isRecord, text, start }: Omit<OwnPiece, 'terms'>,
  held: readonly Term[],
): PassagePiece['asking'] {
  if (!/[?？؟]/u.test(text)) return undefined;
  const asking = [...text.matchAll(askingSentence)].map(({ index, 0: { length } }) => ({
    from: start + index,
    to: start + index + length,
  }));
  if (asking.length === 0) return undefined;
  const asks = (term: Term): boolean => asking.some(({ from, to }) => term.start >= from && term.start < to);
  const asked = termsIn(held.filter(asks));
  return kind === 'entry' || isRecord ? { asked, rest: termsIn(held.filter((term) => !asks(term))) } : { asked };
}

/** A long entry is read sentence by sentence: who writes it stands before the first. */
function withEntries(pieces: readonly PassagePiece[]): readonly PassagePiece[] {
  let opening: number | undefined;
  return pieces.map((piece, at) => {
    const { own } = piece;
    const begins = own.kind === 'entry' && beginsEntry(own.text);
    if (begins) opening = own.start;
    // Settings are entries without a stamp.
    else if (own.kind !== 'entry') opening = undefined;
    const next = pieces[at + 1]?.own;
    const isAlone = begins && (next?.kind !== 'entry' || beginsEntry(next.text));
    return isAlone || opening === undefined ? piece : { ...piece, own: { ...own, recordAt: opening } };
  });
}

const longestLabel = 40;
const longestValue = 160;
const ended = /[.!?…。！？]["'”’»)]{0,3}$/u;

/** Lists of facts that are written name under name, each with its value below: a short line, and a short one that is no sentence. */
function withLabels(pieces: readonly PassagePiece[], text: string): readonly PassagePiece[] {
  return pieces.map((piece, at) => {
    const { own } = piece;
    const label = pieces[at - 1]?.own;
    const mayHaveLabel =
      label !== undefined &&
      (own.kind === 'sentence' || own.kind === 'item') &&
      (label.kind === 'sentence' || label.kind === 'heading') &&
      label.text.length <= longestLabel &&
      own.text.length <= longestValue &&
      /^\p{Lu}/u.test(label.text) &&
      !/[:\d]|[.!?…;,。！？]$/u.test(label.text) &&
      !ended.test(own.text) &&
      text.slice(label.end, own.start).includes('\n');
    return mayHaveLabel ? { ...piece, mayHaveLabel } : piece;
  });
}
