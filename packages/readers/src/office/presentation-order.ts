// The order in which a reader goes over the shapes of a slide: the slide is cut along its widest empty band, again and again (the XY-cut of
// Nagy and Seth, 1984), so that columns are read down and cards one by one.

export interface ShapeBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where a box stands on the slide, from where it stands in its group. */
export type Transform = (box: ShapeBox) => ShapeBox;

/** For what stands in a group: `inner` is the part of the group's own coordinates that is drawn into its `box`. */
export function groupedIn(box: ShapeBox, inner: ShapeBox, outer: Transform): Transform {
  const [across, down] = [box.width / (inner.width || 1), box.height / (inner.height || 1)];
  return (child) =>
    outer({
      x: box.x + (child.x - inner.x) * across,
      y: box.y + (child.y - inner.y) * down,
      width: child.width * across,
      height: child.height * down,
    });
}

/** Above that, top to bottom has to do: cutting costs the square of the number of shapes at worst. */
const maxCutShapes = 500;
/** Boxes are drawn generously: so much of each side may overlap a neighbour. */
const slack = 0.08;

/** The shapes in reading order; those without a box keep their place after the one that they follow. */
export function inReadingOrder<T extends { readonly box: ShapeBox | undefined }>(shapes: readonly T[]): T[] {
  const placed: { readonly shape: T; readonly box: ShapeBox; readonly followers: T[] }[] = [];
  const leading: T[] = [];
  for (const shape of shapes) {
    if (shape.box !== undefined) placed.push({ shape, box: shape.box, followers: [] });
    else (placed.at(-1)?.followers ?? leading).push(shape);
  }
  const ordered: typeof placed = [];
  const pending = [placed];
  for (let group = pending.pop(); group !== undefined; group = pending.pop()) {
    const cut = group.length > 1 && group.length <= maxCutShapes ? widestCut(group) : undefined;
    if (cut === undefined) ordered.push(...group.sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x));
    else pending.push(cut[1], cut[0]);
  }
  return [...leading, ...ordered.flatMap(({ shape, followers }) => [shape, ...followers])];
}

function widestCut<T extends { readonly box: ShapeBox }>(group: readonly T[]): [T[], T[]] | undefined {
  let best: { readonly gap: number; readonly sorted: T[]; readonly at: number } | undefined;
  for (const axis of ['y', 'x'] as const) {
    const from = ({ box }: T): number => box[axis] + size(box, axis) * slack;
    const to = ({ box }: T): number => box[axis] + size(box, axis) * (1 - slack);
    const sorted = [...group].sort((a, b) => from(a) - from(b));
    let reach = Number.NEGATIVE_INFINITY;
    sorted.forEach((item, at) => {
      const gap = from(item) - reach;
      // Equal bands are cut across: rows before columns.
      if (at > 0 && gap > 0 && gap > (best?.gap ?? 0) * 1.05) best = { gap, sorted, at };
      reach = Math.max(reach, to(item));
    });
  }
  return best === undefined ? undefined : [best.sorted.slice(0, best.at), best.sorted.slice(best.at)];
}

const size = (box: ShapeBox, axis: 'x' | 'y'): number => (axis === 'x' ? box.width : box.height);
