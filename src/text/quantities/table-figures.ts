// What cells of tables are figures, and what only looks like one: years, quarters and fiscal years name columns. One decision for the names of columns that
// chunks carry (src/ingest) and for those that answers say (src/answer), so that both see the same header.

/** Two digits alone are a figure. */
const year =
  /^(?:(?:FY|Q[1-4]|H[12])\s?'?(?:(?:19|20)?\d\d)?|'\d\d|(?:19|20)\d\d)(?:\s?[-–/]\s?(?:19|20)?\d\d)?[EPF]?$/u;
const number = /^[($€£¥+~≈<>−-]*\s*(?:[$€£¥]\s*)?\d[\d.,\s' ]*(?:%|\)|[kKmMbB]n?)?\)?$/u;
const day = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?$/u;

/** `2019`, `FY21`, `Q1 2020`, `'98`, `2019/20E`. */
export const isYear = (cell: string): boolean => year.test(cell);

/** A number with its sign, currency or unit, or a day (ISO 8601); years are none. */
export const isFigure = (cell: string): boolean => (number.test(cell) && !year.test(cell)) || day.test(cell);
