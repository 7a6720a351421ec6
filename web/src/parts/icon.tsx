/** Line icons, drawn on a grid of 20. */
const PATHS = {
  overview: 'M3 10.5 10 4l7 6.5M5 9v7h10V9',
  runs: 'M3 5h8M6 10h9M9 15h8',
  activity: 'M2 10h4l2.5-6 4 12L15 10h3',
  graph:
    'M5 7.2a2.2 2.2 0 1 0 0-.1M15 5.2a2.2 2.2 0 1 0 0-.1M12 16.2a2.2 2.2 0 1 0 0-.1M7 6.4l5.8-.9M6.4 8.8l4.5 5.6M14.2 7.2l-1.5 6.6',
  capabilities: 'M10 2.5 16.5 6v8L10 17.5 3.5 14V6zM3.5 6 10 9.6 16.5 6M10 9.6v7.9',
  why: 'M7.5 7.6a2.6 2.6 0 1 1 3.7 2.3c-.8.4-1.2.9-1.2 1.9M10 14.6v.2M10 2.5a7.5 7.5 0 1 0 .01 0',
  learning: 'M3 16.5h14M4.5 13 8 9l3 2.5L16 5M12.5 5H16v3.5',
  trust: 'M10 2.5 16 5v4.6c0 3.6-2.4 6.3-6 7.9-3.6-1.6-6-4.3-6-7.9V5zM7.4 9.8l1.9 1.9 3.4-3.6',
  sun: 'M10 6.6a3.4 3.4 0 1 0 .01 0M10 2v1.6M10 16.4V18M2 10h1.6M16.4 10H18M4.3 4.3l1.2 1.2M14.5 14.5l1.2 1.2M15.7 4.3l-1.2 1.2M5.5 14.5l-1.2 1.2',
  moon: 'M16 11.6A6.5 6.5 0 0 1 8.4 4a6.5 6.5 0 1 0 7.6 7.6z',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      aria-hidden="true"
    >
      <path d={PATHS[name]} stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}
