// Fitted by `node scripts/fit-confidence.ts --write` on the open halves: not to be changed by hand. Each step: number of the feature
// (extract/sureness.ts), threshold, what is added at or below it, what is added above.
// Of hops: number of the feature and its weight; how often the first claim of a question that takes two steps is right.
import type { HopModel } from './hops.ts';
import type { Stumps } from './stumps.ts';

export const confidenceModel: Stumps & { readonly hops: HopModel } = {
  hops: {
    bias: -3.9489,
    weights: [
      [9, 2.7055],
      [40, 4.8266],
      [38, 1.6763],
      [39, 1.4067],
      [7, -3.1849],
      [24, -2.863],
      [50, 2.5541],
    ],
    right: 0.29,
  },
  bias: 0.4434,
  stumps: [
    [0, 0.7863, -0.1472, 0.1047],
    [4, 0.6667, -0.0718, 0.0642],
    [4, 0.9, -0.1216, 0.2364],
    [10, 0.2637, -0.4213, 0.0878],
    [12, 0.1152, -0.0277, 0.1434],
    [23, 0.0412, -0.1727, 0.0595],
    [23, 0.1252, -0.0219, 0.0423],
    [23, 0.1691, -0.0325, 0.0778],
    [24, 0.3491, -0.0371, 0.0138],
    [24, 0.5213, -0.1478, 0.149],
    [25, 0.1133, -0.0356, 0.1977],
    [25, 0.1462, -0.0501, 0.2046],
    [36, 0.4568, -0.1387, 0.176],
    [42, 0.2215, 0.5266, -0.0814],
    [45, 0.1849, 0.0998, -0.1458],
    [52, 0.1186, -0.1364, 0.5215],
  ],
};
