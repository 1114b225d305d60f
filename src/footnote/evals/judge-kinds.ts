// The judges that are asked elsewhere, by the names under which people ask for them.

export const judgeKinds = ['model', 'foundry'] as const;
export type JudgeKind = (typeof judgeKinds)[number];
