// How far a scan lies askew, and whether its lines run across or down: the angle at which its ink gathers most in rows, from a small
// copy of the picture (projection profiles: Postl, 1986). Needs no recognition and takes milliseconds.
import { inkOf, type Raster, scaled } from '../engines/image-raster.ts';

export interface Skew {
  /** Clockwise; what to rotate back by. 0 where no angle is clearly better than none. */
  readonly radians: number;
  /** The lines run from top to bottom: the page lies on its side. */
  readonly runsDown: boolean;
}

/** Long side of the copy that is looked at. */
const copyPixels = 1200;
const mostPoints = 60_000;
const widestDegrees = 10;
/** How much better than upright an angle must be, and lines down than lines across. */
const clearlyBetter = 1.04;
const clearlyDown = 1.5;

interface Points {
  readonly x: Float32Array;
  readonly y: Float32Array;
}

export function findSkew(raster: Raster): Skew {
  const copy = scaled(raster, Math.min(1, copyPixels / Math.max(raster.width, raster.height)));
  const points = inkPoints(copy);
  if (points.x.length < 200) return { radians: 0, runsDown: false };
  const across = bestAngle(points);
  const down = bestAngle({ x: points.y, y: points.x });
  const runsDown = down.score > across.score * clearlyDown;
  // Seen with its axes exchanged, the picture turns the other way round.
  return runsDown ? { radians: -down.radians, runsDown } : { radians: across.radians, runsDown };
}

/** Where ink begins, seen from above: edges say more about lines than areas do. */
function inkPoints(raster: Raster): Points {
  const { width, height, pixels } = raster;
  const { level, share } = inkOf(raster);
  const points: [number, number][] = [];
  if (share > 0)
    for (let y = 1; y < height; y++)
      for (let x = 0; x < width; x++) {
        const at = y * width + x;
        if ((pixels[at] ?? 255) <= level && (pixels[at - width] ?? 255) > level) points.push([x, y]);
      }
  const step = Math.max(1, Math.ceil(points.length / mostPoints));
  const kept = points.filter((_, index) => index % step === 0);
  return { x: Float32Array.from(kept, ([x]) => x), y: Float32Array.from(kept, ([, y]) => y) };
}

function bestAngle(points: Points): { readonly radians: number; readonly score: number } {
  const upright = scoreOf(points, 0);
  let best = { degrees: 0, score: upright };
  const look = (from: number, to: number, step: number): void => {
    for (let degrees = from; degrees <= to + 1e-9; degrees += step) {
      const score = scoreOf(points, (degrees * Math.PI) / 180);
      if (score > best.score) best = { degrees, score };
    }
  };
  look(-widestDegrees, widestDegrees, 0.5);
  look(best.degrees - 0.5, best.degrees + 0.5, 0.1);
  const isClear = best.score > upright * clearlyBetter && Math.abs(best.degrees) >= 0.2;
  return { radians: isClear ? (best.degrees * Math.PI) / 180 : 0, score: best.score };
}

/** How unevenly the points fall on the rows of a picture rotated back by the angle. */
function scoreOf({ x, y }: Points, radians: number): number {
  const sin = Math.sin(radians);
  const cos = Math.cos(radians);
  const rows = new Float64Array(4 * copyPixels);
  for (let index = 0; index < x.length; index++) {
    const row = Math.round(cos * (y[index] ?? 0) - sin * (x[index] ?? 0)) + copyPixels;
    rows[row] = (rows[row] ?? 0) + 1;
  }
  let sum = 0;
  for (const count of rows) sum += count * count;
  return sum;
}
