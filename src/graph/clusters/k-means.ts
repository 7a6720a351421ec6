/**
 * Groups points around so many centres. The first centres are chosen far from each other, by chance
 * in proportion to the square of the distance; with the same chance the groups are the same.
 */
export function kMeans(
  points: readonly Float64Array[],
  count: number,
  random: () => number,
): readonly number[] {
  let centres = spreadCentres(points, count, random);
  let groups = points.map((point) => nearest(point, centres));
  for (let round = 0; round < MOST_ROUNDS; round++) {
    centres = centres.map((centre, group) => meanOf(points, groups, group) ?? centre);
    const next = points.map((point) => nearest(point, centres));
    if (next.every((group, place) => group === groups[place])) break;
    groups = next;
  }
  return groups;
}

const MOST_ROUNDS = 50;

function spreadCentres(
  points: readonly Float64Array[],
  count: number,
  random: () => number,
): readonly Float64Array[] {
  const centres = points.slice(0, 1);
  while (centres.length < count) {
    const squares = points.map((point) =>
      Math.min(...centres.map((centre) => squareOf(point, centre))),
    );
    let left = random() * squares.reduce((sum, square) => sum + square, 0);
    const chosen = squares.findIndex((square) => (left -= square) < 0);
    const centre = points[chosen];
    // All points are centres already.
    if (!centre) break;
    centres.push(centre);
  }
  return centres;
}

function nearest(point: Float64Array, centres: readonly Float64Array[]): number {
  let best = 0;
  let least = Infinity;
  for (const [group, centre] of centres.entries()) {
    const square = squareOf(point, centre);
    if (square < least) {
      least = square;
      best = group;
    }
  }
  return best;
}

function meanOf(
  points: readonly Float64Array[],
  groups: readonly number[],
  group: number,
): Float64Array | undefined {
  const sum = new Float64Array(points[0]?.length ?? 0);
  let members = 0;
  for (const [place, point] of points.entries()) {
    if (groups[place] !== group) continue;
    members += 1;
    for (let axis = 0; axis < sum.length; axis++) sum[axis]! += point[axis]!;
  }
  return members === 0 ? undefined : sum.map((value) => value / members);
}

function squareOf(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let axis = 0; axis < a.length; axis++) sum += (a[axis]! - b[axis]!) ** 2;
  return sum;
}
