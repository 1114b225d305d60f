// Fields of a form that says what is shown: each with its label, and what it holds in the address.
import './fields.css';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

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
  readonly name: string;
  readonly label: string;
  /** Absent: what is typed stands nowhere else, and stays. */
  readonly value?: string;
  readonly type?: 'date' | 'number';
  readonly maxLength?: number;
  readonly size?: number;
  readonly hint?: string;
  readonly isNeeded?: true;
}

export function Field({ name, label, value, type, maxLength, size, hint, isNeeded }: FieldProps) {
  return (
    <label>
      {`${label} `}
      <input
        name={name}
        autocomplete="off"
        {...(value !== undefined && { value })}
        {...(type && { type })}
        {...(maxLength && { maxLength })}
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
