// Fitted by `node scripts/fit-support.ts --write` on the open halves: not to be changed by hand. Each step: number of the feature
// (features.ts), threshold, what is added at or below it, what is added above.
import type { SupportModel } from './model.ts';

export const supportModel: SupportModel = {
  bias: 0,
  stumps: [
    [0, 0, 0.0192, -0.0019],
    [0, 0.2611, 0.0882, -0.0409],
    [8, 0.113, -0.2586, 0.0186],
    [8, 0.129, -0.0202, 0.0024],
    [8, 0.171, -0.0123, 0.0037],
    [8, 0.24, -0.139, 0.1147],
    [8, 0.286, -0.0784, 0.1104],
    [8, 0.45, -0.1584, 3.6007],
    [9, 0, 0.9817, -0.0092],
    [12, 0, 0.0176, -0.0226],
    [14, 2.3979, 0.022, -0.0255],
    [22, 0, 0.3854, -0.4769],
    [22, 1, 0.0345, -0.102],
  ],
};
