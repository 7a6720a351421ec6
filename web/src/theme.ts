/** Light, dark, or as the system says. */
import { computed, effect, signal } from '@preact/signals';

export type ThemeChoice = 'auto' | 'light' | 'dark';

const KEY = 'pml-theme';

const query = matchMedia('(prefers-color-scheme: dark)');
const isSystemDark = signal(query.matches);
const themeChoice = signal<ThemeChoice>(readChoice());
export const isDark = computed(() =>
  themeChoice.value === 'auto' ? isSystemDark.value : themeChoice.value === 'dark',
);

function readChoice(): ThemeChoice {
  const kept = localStorage.getItem(KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'auto';
}

export function followTheme(): void {
  query.addEventListener('change', ({ matches }) => {
    isSystemDark.value = matches;
  });
  effect(() => {
    document.documentElement.dataset['theme'] = isDark.value ? 'dark' : 'light';
    localStorage.setItem(KEY, themeChoice.value);
  });
}

export function toggleTheme(): void {
  themeChoice.value = isDark.value ? 'light' : 'dark';
}

export const isCalm = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
