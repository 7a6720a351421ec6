/** What each signal added or took away, as bars from a common middle. */
export interface ShareBar {
  readonly name: string;
  readonly share: number;
  /** Such as `0.8 × 1.2`. */
  readonly detail: string;
}

export function ShareBars({ bars }: { readonly bars: readonly ShareBar[] }) {
  const most = Math.max(0.0001, ...bars.map(({ share }) => Math.abs(share)));
  return (
    <ul class="shares">
      {bars.map(({ name, share, detail }) => {
        const width = `${(Math.abs(share) / most) * 50}%`;
        return (
          <li key={name}>
            <span class="cut" title={name}>
              {name}
            </span>
            <span class="share-track" aria-hidden="true">
              <span
                class={share < 0 ? 'against' : 'for'}
                style={share < 0 ? { right: '50%', width } : { left: '50%', width }}
              />
            </span>
            <span class="small num">
              {share >= 0 ? '+' : '−'}
              {Math.abs(share).toFixed(2)} <span class="muted">{detail}</span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
