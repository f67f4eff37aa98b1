export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const PLACE = 'capstan.theme';
const SCHEMES: Readonly<Record<Theme, string>> = { system: 'light dark', light: 'light', dark: 'dark' };

export function readTheme(): Theme {
  try {
    const kept = localStorage.getItem(PLACE);
    return THEMES.find((theme) => theme === kept) ?? 'system';
  } catch {
    return 'system';
  }
}

/** Shows a theme and keeps the choice for the next visit. */
export function applyTheme(theme: Theme): void {
  document.documentElement.style.colorScheme = SCHEMES[theme];
  try {
    localStorage.setItem(PLACE, theme);
  } catch {
    // A browser that keeps nothing still shows it.
  }
}
