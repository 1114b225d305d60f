// Fitted by `node scripts/fit-confidence.ts --write` on the open halves: not to be changed by hand. Each step: number of the feature
// (extract/sureness.ts), threshold, what is added at or below it, what is added above.
// Of hops: number of the feature and its weight; how often the first claim of a question that takes two steps is right.
import type { HopModel } from './hop-model.ts';
import type { HopModel } from './hops.ts';
import type { SupportModel } from './support/own-words/model.ts';

export const confidenceModel: Pick<SupportModel, 'bias' | 'stumps'> & { readonly hops: HopModel } = {
  hops: {
    bias: -3.3432,
    weights: [
      [9, 1.8879],
      [40, 4.7445],
      [38, 1.5231],
      [39, 1.6179],
      [7, -2.5982],
      [24, -3.4896],
      [50, 2.7671],
    ],
    right: 0.2589,
  },
  bias: 0.203,
  stumps: [
    [0, 0.8059, -0.1275, 0.058],
    [3, 0.4971, -0.3434, 0.0433],
    [4, 0.6667, -0.141, 0.1965],
    [4, 0.8, -0.0869, 0.1789],
    [4, 0.94, -0.0357, 0.033],
    [9, 0.6667, 0.037, -0.2141],
    [10, 0.2378, -0.5625, 0.0973],
    [11, 0, -0.0049, 0.0129],
    [12, 0.0922, -0.022, 0.0772],
    [12, 0.1596, -0.12, 0.7147],
    [13, 0.5467, -0.0135, 0.0052],
    [13, 0.5778, -0.2009, 0.164],
    [21, 0.6, -0.0637, 0.1137],
    [21, 0.8, -0.0477, 0.101],
    [23, 0.1134, -0.0814, 0.266],
    [23, 0.1742, -0.0547, 0.211],
    [23, 0.2196, -0.0096, 0.0299],
    [24, 0.3631, -0.1742, 0.0616],
    [25, 0.0492, -0.1103, 0.0377],
    [25, 0.1182, -0.1187, 0.5721],
    [25, 0.1511, -0.0161, 0.0336],
    [25, 0.1671, -0.0285, 0.0556],
    [25, 0.185, -0.0314, 0.0607],
    [36, 0.4589, -0.0694, 0.0963],
    [36, 0.4959, -0.0418, 0.0844],
    [42, 0.1518, 0.3925, -0.0917],
    [42, 0.2326, 0.0703, -0.0128],
    [43, 0.2, 0.2678, -0.1073],
    [44, 0.2405, 0.0367, -0.0971],
    [44, 0.2544, 0.058, -0.1822],
    [45, 0.1837, 0.0766, -0.1207],
    [45, 0.208, 0.1302, -0.2301],
    [48, 0.2, -0.1626, 0.0439],
    [50, 0, -0.014, 0.0809],
  ],
};
