// What is written in the fields of a form, by their names. Files are none of it.
export function writtenIn(form: HTMLFormElement | null) {
  const all = (name: string): string[] =>
    new FormData(form ?? undefined).getAll(name).filter((value) => typeof value === 'string');
  return { all, text: (name: string): string => all(name)[0]?.trim() ?? '' };
}

/** What was written into a field with commas between. */
export const listed = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  ),
];
