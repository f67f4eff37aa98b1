import { ChartColumn, Inbox, ListTree, Server, Settings, type LucideIcon } from 'lucide-react';

interface NavigationEntry {
  readonly to: '/runs' | '/inbox' | '/usage' | '/fleet' | '/settings';
  readonly label: string;
  readonly icon: LucideIcon;
  /** Words that find it in the palette besides its label. */
  readonly keywords: readonly string[];
}

/** Screens of the side navigation and of the palette, in their order. */
export const NAVIGATION: readonly NavigationEntry[] = [
  { to: '/runs', label: 'Runs', icon: ListTree, keywords: ['executions', 'status'] },
  { to: '/inbox', label: 'Inbox', icon: Inbox, keywords: ['approvals', 'decisions', 'outcomes'] },
  { to: '/usage', label: 'Usage', icon: ChartColumn, keywords: ['cost', 'tokens', 'money', 'csv'] },
  { to: '/fleet', label: 'Fleet', icon: Server, keywords: ['workers', 'queue', 'errors', 'releases'] },
  {
    to: '/settings',
    label: 'Settings',
    icon: Settings,
    keywords: ['models', 'keys', 'tenants', 'skills', 'theme'],
  },
];
