// What a program that a test starts is given of this environment: where programs lie, and where compiled code is kept between runs. The sentence
// encoder is off unless a test switches it on: it takes a process for each server, and what it says depends on the processor. Nor is anything looked for on this machine.

export function programEnvironment(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  return { PATH, ENCODER: 'off', MODEL_DETECT: 'off', ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) };
}
