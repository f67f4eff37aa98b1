export const TABS = ['edit', 'pipeline', 'prompt', 'versions', 'used'] as const;
export type Tab = (typeof TABS)[number];

/** Tab and compared versions of the page of an agent, as its address holds them. */
export interface AgentSearch {
  readonly tab?: Tab;
  /** Version that is compared, with the one before it unless `with` names another. */
  readonly version?: number;
  readonly with?: number;
  /** Name of the step of the pipeline that is open. */
  readonly step?: string;
}

/** Takes the parts of an address that make sense; a step is open in the tab of the pipeline only. Pure. */
export function agentSearchOf(search: Readonly<Record<string, unknown>>): AgentSearch {
  const tab = TABS.find((each) => each === search['tab']);
  const version = numberOf(search['version']);
  const other = numberOf(search['with']);
  const { step } = search;
  return {
    ...(tab === undefined ? {} : { tab }),
    ...(version === null ? {} : { version }),
    ...(other === null ? {} : { with: other }),
    ...(tab === 'pipeline' && typeof step === 'string' && step.length <= 64 ? { step } : {}),
  };
}

/** Agent that a new one is copied from. Pure. */
export function newAgentSearchOf(search: Readonly<Record<string, unknown>>): { readonly from?: number } {
  const from = numberOf(search['from']);
  return from === null ? {} : { from };
}

function numberOf(value: unknown): number | null {
  const number = Number(value);
  return Number.isInteger(number) && number > 0 && number <= 2_147_483_647 ? number : null;
}
