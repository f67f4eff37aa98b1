import {
  Bot,
  GitBranch,
  ListTree,
  MessageSquareText,
  CircleHelp,
  Wrench,
  type LucideIcon,
} from 'lucide-react';
import type { StepKind } from './pipeline-graph.js';

/** Each kind of step by word and shape. */
export const STEP_KINDS: Readonly<Record<StepKind, { readonly word: string; readonly icon: LucideIcon }>> = {
  llm: { word: 'Model', icon: MessageSquareText },
  tool: { word: 'Tool', icon: Wrench },
  agent: { word: 'Agent', icon: Bot },
  branch: { word: 'Branch', icon: GitBranch },
  map: { word: 'Each item', icon: ListTree },
  unknown: { word: 'Unknown kind', icon: CircleHelp },
};
