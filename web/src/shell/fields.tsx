// Fields of a form that says what is shown: each with its label, and what it holds in the address.
import './fields.css';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, text: string])[];
}

/** A value that is none of the choices is one more, so that the form says what the address does. */
export function Choice({ name, label, value, choices }: ChoiceProps) {
  const all = choices.some(([one]) => one === value) ? choices : [...choices, [value, value] as const];
  return (
    <label>
      {`${label} `}
      <select name={name}>
        {all.map(([one, text]) => (
          <option key={one} value={one} selected={one === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface FieldProps {
  readonly label: string;
  /** In its form. */
  readonly name?: string;
  /** As the address holds it. Absent: what is typed stands nowhere else, and stays. */
  readonly value?: string;
  readonly type?: 'date' | 'number';
  readonly maxLength?: number;
  readonly size?: number;
  readonly hint?: string;
  readonly isNeeded?: true;
  /** The field takes the width of its row. */
  readonly isBroad?: true;
  /** Without a form that reads it: told of another value when the field is left or Enter is pressed. */
  onChoose?(value: string): void;
}

const mostCharacters = 10_000;

/**
 * What is being written stays, whatever is drawn meanwhile: a date that is typed is a date after each digit of its year, and a space is typed before the
 * word behind it.
 */
export function Field({ label, name, value, type, size, hint, isNeeded, isBroad, onChoose, ...rest }: FieldProps) {
  const { maxLength = mostCharacters } = rest;
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (field.current && value !== undefined && field.current.value.trim() !== value) field.current.value = value;
  }, [value]);
  const choose = (): void => {
    const now = field.current?.value.trim() ?? '';
    if (now !== value) onChoose?.(now);
  };
  return (
    <label class={isBroad ? 'broad' : undefined}>
      {`${label} `}
      <input
        ref={field}
        autocomplete="off"
        onBlur={choose}
        onKeyDown={({ key, isComposing }) => key === 'Enter' && !isComposing && choose()}
        {...(name && { name })}
        {...(type ? { type } : { maxLength })}
        {...(size && { size })}
        {...(hint && { title: hint })}
        {...(isNeeded && { required: true })}
      />
    </label>
  );
}

interface FoldProps {
  readonly name: string;
  /** At first; after that whoever reads says. */
  readonly isOpen: boolean;
  readonly children: ComponentChildren;
}

export function Fold({ name, isOpen, children }: FoldProps) {
  const [isUnfolded, setUnfolded] = useState(isOpen);
  return (
    <details class="fold" open={isUnfolded} onToggle={({ currentTarget }) => setUnfolded(currentTarget.open)}>
      <summary>{name}</summary>
      {children}
    </details>
  );
}
