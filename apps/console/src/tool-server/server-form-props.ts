import type { FieldFault } from '../api/form-faults.js';
import type { ServerDraft } from './server-draft.js';

/** The draft of a tool server, for each section of its form. */
export interface ServerFormProps {
  readonly draft: ServerDraft;
  /** Server's own names of its tools, as far as a probe has listed them. */
  readonly toolNames: readonly string[];
  readonly faults: readonly FieldFault[];
  readonly onChange: (part: Partial<ServerDraft>) => void;
}
