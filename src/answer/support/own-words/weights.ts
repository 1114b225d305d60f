// Fitted by `node scripts/fit-support.ts --write` on the open halves: not to be changed by hand. Each step: number of the feature
// (features.ts), threshold, what is added at or below it, what is added above.
import type { SupportModel } from './model.ts';

export const supportModel: SupportModel = {
  bias: 0,
  refused: { bias: -1.1788, slope: 2.2085 },
  accepted: 0.975,
  stumps: [
    [0, 0, 0.0945, -0.0118],
    [0, 0.2131, 0.1418, -0.0594],
    [2, 2, 0.0252, -0.4787],
    [3, 0, 0.0027, -0.0071],
    [4, 0.2727, -0.1961, 0.0317],
    [8, 0.113, -0.1955, 0.0134],
    [8, 0.225, -0.1172, 0.115],
    [8, 0.45, -0.1795, 3.8778],
    [9, 0, 0.5161, -0.0063],
    [11, 0, 0.0399, -0.0569],
    [12, 0, 0.0092, -0.0104],
    [14, 2.5649, 0.0421, -0.0654],
    [20, 0, 0.0101, -0.0041],
    [22, 0, 0.4126, -0.8035],
    [22, 1, 0.0171, -0.1008],
  ],
};
