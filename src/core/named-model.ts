// Who failed, in what people and programs read of a failure. Invariant: `degraded` names a model as settings do, whoever wrote the message.

/** `message`, behind the name of the model (`provider:model`) unless it says the name itself. */
export const namedModel = (model: unknown, message: string): string =>
  typeof model !== 'string' || model === '' || message.includes(model) ? message : `${model}: ${message}`;
