import {
  ChartColumn,
  Inbox,
  ListTree,
  MessageCirclePlus,
  MessagesSquare,
  Server,
  Settings,
  type LucideIcon,
} from 'lucide-react';

interface NavigationEntry {
  readonly to: '/runs' | '/inbox' | '/sessions' | '/try' | '/usage' | '/fleet' | '/settings';
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
    to: '/sessions',
    label: 'Sessions',
    icon: MessagesSquare,
    keywords: ['conversations', 'chats', 'archive'],
  },
  {
    to: '/try',
    label: 'Try',
    icon: MessageCirclePlus,
    keywords: ['chat', 'playground', 'compare', 'versions'],
  },
  { to: '/usage', label: 'Usage', icon: ChartColumn, keywords: ['cost', 'tokens', 'money', 'csv'] },
  { to: '/fleet', label: 'Fleet', icon: Server, keywords: ['workers', 'queue', 'errors', 'releases'] },
  {
    to: '/settings',
    label: 'Settings',
    icon: Settings,
    keywords: ['models', 'keys', 'tenants', 'skills', 'theme'],
  },
];
