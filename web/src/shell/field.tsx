// A field whose value the address holds. What is being written stays until it is left or Enter is pressed, whatever is drawn meanwhile: a date that is typed
// is a date after each digit of its year.
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly isDate?: boolean;
  /** The field takes the width of its row. */
  readonly isBroad?: boolean;
  onChoose(value: string): void;
}

const mostCharacters = 10_000;

export function Field({ label, value, isDate = false, isBroad = false, onChoose }: FieldProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (field.current) field.current.value = value;
  }, [value]);
  const choose = (): void => {
    const now = field.current?.value.trim() ?? '';
    if (now !== value) onChoose(now);
  };
  const shared = {
    id,
    ref: field,
    onBlur: choose,
    onKeyDown: ({ key, isComposing }: KeyboardEvent) => key === 'Enter' && !isComposing && choose(),
  };
  return (
    <label for={id} class={isBroad ? 'broad' : undefined}>
      {label}
      {isDate ? <input type="date" {...shared} /> : <input type="text" maxLength={mostCharacters} {...shared} />}
    </label>
  );
}
