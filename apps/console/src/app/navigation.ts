import {
  BookOpenText,
  Bot,
  Brain,
  ChartColumn,
  Inbox,
  ListTree,
  MessageCirclePlus,
  MessagesSquare,
  Server,
  Settings,
  Webhook,
  Wrench,
  type LucideIcon,
} from 'lucide-react';

interface NavigationEntry {
  readonly to:
    | '/runs'
    | '/inbox'
    | '/sessions'
    | '/try'
    | '/agents'
    | '/tools'
    | '/knowledge'
    | '/memory'
    | '/webhooks'
    | '/usage'
    | '/fleet'
    | '/settings';
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
  { to: '/agents', label: 'Agents', icon: Bot, keywords: ['prompts', 'versions', 'instructions'] },
  { to: '/tools', label: 'Tools', icon: Wrench, keywords: ['servers', 'MCP', 'OpenAPI', 'connections'] },
  {
    to: '/knowledge',
    label: 'Knowledge',
    icon: BookOpenText,
    keywords: ['datasources', 'documents', 'search'],
  },
  { to: '/memory', label: 'Memory', icon: Brain, keywords: ['memories', 'facts', 'executors', 'forget'] },
  { to: '/webhooks', label: 'Webhooks', icon: Webhook, keywords: ['endpoints', 'deliveries', 'redeliver'] },
  { to: '/usage', label: 'Usage', icon: ChartColumn, keywords: ['cost', 'tokens', 'money', 'csv'] },
  { to: '/fleet', label: 'Fleet', icon: Server, keywords: ['workers', 'queue', 'errors', 'releases'] },
  {
    to: '/settings',
    label: 'Settings',
    icon: Settings,
    keywords: ['models', 'keys', 'tenants', 'skills', 'theme'],
  },
];
