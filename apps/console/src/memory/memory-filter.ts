const MAX_EXECUTOR = 200;

/** Filter of the memories and the one that is open, as the address holds them. Only what is set is there. */
export interface MemoryFilter {
  /** `executor.user_id` of the requests. */
  readonly executor?: string;
  readonly agent?: number;
  /** Id of the memory that is open. */
  readonly open?: number;
}

/** Takes the parts of an address that make sense. Pure. */
export function memoryFilterOf(search: Readonly<Record<string, unknown>>): MemoryFilter {
  const executor = executorOf(search['executor']);
  const [agent, open] = [idOf(search['agent']), idOf(search['open'])];
  return {
    ...(executor === null ? {} : { executor }),
    ...(agent === null ? {} : { agent }),
    ...(open === null ? {} : { open }),
  };
}

export const isFiltered = ({ executor, agent }: MemoryFilter): boolean =>
  executor !== undefined || agent !== undefined;

/** Query parameters of the API for a filter. Pure. */
export const queryOf = ({ executor, agent }: MemoryFilter) => ({
  ...(executor === undefined ? {} : { executor_id: executor }),
  ...(agent === undefined ? {} : { agent_id: agent }),
});

/** An id of digits alone stands in the address as a number. */
function executorOf(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text === '' || text.length > MAX_EXECUTOR) return null;
  return text.includes('\0') ? null : text;
}

function idOf(value: unknown): number | null {
  const id = Number(value);
  return Number.isInteger(id) && id > 0 ? id : null;
}
