export const TABS = [
  'models',
  'catalogue',
  'keys',
  'sign-ins',
  'tenants',
  'skills',
  'webhooks',
  'appearance',
] as const;
export type Tab = (typeof TABS)[number];

/** Open thing of a tab, as the address holds it. */
export interface SettingsSearch {
  /** Id of what is open, or `new`. */
  readonly open?: string;
}

/** Takes the parts of an address that make sense. Pure. */
export function settingsSearchOf(search: Readonly<Record<string, unknown>>): SettingsSearch {
  const { open } = search;
  if (typeof open === 'number') return { open: String(open) };
  return typeof open === 'string' && open !== '' && open.length <= 200 ? { open } : {};
}

/** The tab of a path; null where there is none. Pure. */
export function tabOf(name: string): Tab | null {
  return TABS.find((tab) => tab === name) ?? null;
}
