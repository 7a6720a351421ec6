import type { ClaimedAndRight } from '../../../../src/control/contract/reliability.js';
import { Empty } from '../../parts/states.js';
import { formatShare, plural } from '../../pure/format.js';

const SIZE = 220;
const MARGIN = 30;
const INNER = SIZE - 2 * MARGIN;
const MOST_RADIUS = 10;

const xOf = (share: number) => MARGIN + share * INNER;
const yOf = (share: number) => SIZE - MARGIN - share * INNER;

/** How sure PML was against how often it was right; on the diagonal both are the same. */
export function Calibration({ claims }: { readonly claims: readonly ClaimedAndRight[] }) {
  const known = claims.filter(({ curve }) => curve.count > 0);
  if (known.length === 0) {
    return (
      <Empty title="Nothing to compare yet">
        <p>It takes claims of PML whose outcome is known.</p>
      </Empty>
    );
  }
  return (
    <div class="curves">
      {known.map((claim) => (
        <Curve key={`${claim.kind} ${claim.source}`} claim={claim} />
      ))}
    </div>
  );
}

function Curve({ claim: { kind, source, curve } }: { readonly claim: ClaimedAndRight }) {
  const most = Math.max(...curve.bins.map(({ count }) => count));
  const points = curve.bins.map((bin) => ({
    ...bin,
    x: xOf(bin.meanConfidence),
    y: yOf(bin.shareRight),
  }));
  const path = points.map(({ x, y }, place) => `${place === 0 ? 'M' : 'L'}${x} ${y}`).join('');
  return (
    <figure class="curve">
      <figcaption>
        <span class="strong">{kind}</span>{' '}
        <span class="muted small">
          {source}, {plural(curve.count, 'claim')}, error {formatShare(curve.calibrationError)}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${SIZE} ${SIZE}`}
        role="img"
        aria-label={`${kind} (${source}): right in ${formatShare(curve.shareRight)} of ${curve.count} claims, calibration error ${formatShare(curve.calibrationError)}`}
      >
        <rect class="curve-frame" x={MARGIN} y={MARGIN} width={INNER} height={INNER} />
        <path class="curve-ideal" d={`M${xOf(0)} ${yOf(0)}L${xOf(1)} ${yOf(1)}`} />
        <path class="curve-line" d={path} />
        {points.map(({ from, x, y, count }) => (
          <circle
            key={from}
            class="curve-point"
            cx={x}
            cy={y}
            r={3 + (count / most) * (MOST_RADIUS - 3)}
          >
            <title>{plural(count, 'claim')}</title>
          </circle>
        ))}
        <text x={MARGIN} y={SIZE - 10}>
          0 %
        </text>
        <text x={SIZE / 2} y={SIZE - 10} text-anchor="middle">
          how sure
        </text>
        <text x={SIZE - MARGIN} y={SIZE - 10} text-anchor="end">
          100 %
        </text>
        <text x={12} y={SIZE / 2} text-anchor="middle" transform={`rotate(-90 12 ${SIZE / 2})`}>
          how right
        </text>
      </svg>
    </figure>
  );
}
