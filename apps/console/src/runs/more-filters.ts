/** A filter that is typed, as the address holds it: always a text. */
interface TypedFilter {
  readonly label: string;
  readonly hint: string;
  /** Words for a text that it cannot be; null for one that it can. */
  readonly faultOf: (text: string) => string | null;
  readonly queryOf: (text: string) => Readonly<Record<string, unknown>>;
}

const MAX_TEXT = 200;

const lengthFault = (text: string, least: number, most: number): string | null =>
  text.length < least || text.length > most ? `must have ${least} to ${most} characters` : null;

/** Filters beside those that are always in view, by their names in the address. */
export const MORE_FILTERS = {
  text: {
    label: 'Input',
    hint: 'Text that the input begins with or has near its beginning.',
    faultOf: (text) => lengthFault(text, 3, MAX_TEXT),
    queryOf: (input) => ({ input }),
  },
  executor: {
    label: 'Executor',
    hint: 'The user_id of the executor.',
    faultOf: (text) => lengthFault(text, 1, MAX_TEXT),
    queryOf: (executor_id) => ({ executor_id }),
  },
  tool: {
    label: 'Tool',
    hint: 'Name of a tool that was called, also by a sub-agent.',
    faultOf: (text) => lengthFault(text, 1, 128),
    queryOf: (tool_name) => ({ tool_name }),
  },
  error: {
    label: 'Error',
    hint: 'Code of the error, such as TIMEOUT.',
    faultOf: (text) =>
      /^[A-Z][A-Z0-9_]{0,63}$/.test(text) ? null : 'must have capital letters, digits and _',
    queryOf: (error_code) => ({ error_code }),
  },
  meta: {
    label: 'Metadata',
    hint: 'A key and its value, such as ticket=T-42.',
    faultOf: (text) =>
      /^[^=]+=/.test(text) && text.length <= MAX_TEXT ? null : 'must be a key, = and a value',
    queryOf: (text) => {
      const at = text.indexOf('=');
      return { metadata: { [text.slice(0, at)]: text.slice(at + 1) } };
    },
  },
  cost: {
    label: 'Cost from',
    hint: 'US dollars, such as 0.25. Runs of unknown cost are left out.',
    faultOf: (text) => (/^\d{1,9}(\.\d{1,12})?$/.test(text) ? null : 'must be a number such as 0.25'),
    queryOf: (min_cost_usd) => ({ min_cost_usd }),
  },
  duration: {
    label: 'Duration from',
    hint: 'Seconds from the first attempt to the end.',
    faultOf: (text) => (/^\d{1,6}(\.\d{1,3})?$/.test(text) ? null : 'must be a number of seconds'),
    queryOf: (text) => ({ min_duration_ms: Math.round(Number(text) * 1000) }),
  },
  agentVersion: {
    label: 'Agent version',
    hint: 'Version of the chosen agent.',
    faultOf: (text) => (/^[1-9]\d{0,8}$/.test(text) ? null : 'must be a number from 1'),
    queryOf: (text) => ({ agent_version: Number(text) }),
  },
} as const satisfies Record<string, TypedFilter>;

export type MoreName = keyof typeof MORE_FILTERS;
export type MoreFilters = { readonly [Name in MoreName]?: string };

export const MORE_NAMES = Object.keys(MORE_FILTERS) as MoreName[];

/** Takes the parts of an address that make sense; a version counts within its agent alone. Pure. */
export function moreFiltersOf(search: Readonly<Record<string, unknown>>, hasAgent: boolean): MoreFilters {
  const named = MORE_NAMES.flatMap((name) => {
    const value = search[name];
    const text = typeof value === 'number' ? String(value) : value;
    const isMeant = typeof text === 'string' && MORE_FILTERS[name].faultOf(text) === null;
    return isMeant && (name !== 'agentVersion' || hasAgent) ? [[name, text]] : [];
  });
  return Object.fromEntries(named) as MoreFilters;
}

/** Query parameters of the API for these filters. Pure. */
export function moreQueryOf(filters: MoreFilters): Readonly<Record<string, unknown>> {
  return Object.assign(
    {},
    ...MORE_NAMES.map((name) => {
      const text = filters[name];
      return text === undefined ? {} : MORE_FILTERS[name].queryOf(text);
    }),
  ) as Readonly<Record<string, unknown>>;
}
