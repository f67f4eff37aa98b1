import { BookOpenText, Brain, Inbox, ListTree, Webhook, type LucideIcon } from 'lucide-react';

interface NavigationEntry {
  readonly to: '/runs' | '/inbox' | '/knowledge' | '/memory' | '/webhooks';
  readonly label: string;
  readonly icon: LucideIcon;
  /** Words that find it in the palette besides its label. */
  readonly keywords: readonly string[];
}

/** Screens of the side navigation and of the palette, in their order. */
export const NAVIGATION: readonly NavigationEntry[] = [
  { to: '/runs', label: 'Runs', icon: ListTree, keywords: ['executions', 'status'] },
  { to: '/inbox', label: 'Inbox', icon: Inbox, keywords: ['approvals', 'decisions', 'outcomes'] },
  {
    to: '/knowledge',
    label: 'Knowledge',
    icon: BookOpenText,
    keywords: ['datasources', 'documents', 'search'],
  },
  { to: '/memory', label: 'Memory', icon: Brain, keywords: ['memories', 'facts', 'executors', 'forget'] },
  { to: '/webhooks', label: 'Webhooks', icon: Webhook, keywords: ['endpoints', 'deliveries', 'redeliver'] },
];
