import { Bot, Inbox, ListTree, Wrench, type LucideIcon } from 'lucide-react';

interface NavigationEntry {
  readonly to: '/runs' | '/inbox' | '/agents' | '/tools';
  readonly label: string;
  readonly icon: LucideIcon;
  /** Words that find it in the palette besides its label. */
  readonly keywords: readonly string[];
}

/** Screens of the side navigation and of the palette, in their order. */
export const NAVIGATION: readonly NavigationEntry[] = [
  { to: '/runs', label: 'Runs', icon: ListTree, keywords: ['executions', 'status'] },
  { to: '/inbox', label: 'Inbox', icon: Inbox, keywords: ['approvals', 'decisions', 'outcomes'] },
  { to: '/agents', label: 'Agents', icon: Bot, keywords: ['prompts', 'versions', 'instructions'] },
  { to: '/tools', label: 'Tools', icon: Wrench, keywords: ['servers', 'MCP', 'OpenAPI', 'connections'] },
];
