// Forth and back through pages or sources, one at a time.

interface StepperProps {
  /** What is gone through. */
  readonly name: string;
  /** From 1. */
  readonly at: number;
  /** Undefined while it is not known. */
  readonly count: number | undefined;
  onStep(to: number): void;
}

export function Stepper({ name, at, count, onStep }: StepperProps) {
  const isLast = count === undefined || at >= count;
  // What has focus is not disabled, or focus would be lost at the first and the last one.
  return (
    <span class="steps">
      <button
        type="button"
        aria-label={`Previous ${name}`}
        aria-disabled={at <= 1}
        onClick={() => at > 1 && onStep(at - 1)}
      >
        ‹
      </button>
      <span>{`${name[0]?.toUpperCase()}${name.slice(1)} ${at}${count === undefined ? '' : ` of ${count}`}`}</span>
      <button type="button" aria-label={`Next ${name}`} aria-disabled={isLast} onClick={() => isLast || onStep(at + 1)}>
        ›
      </button>
    </span>
  );
}
