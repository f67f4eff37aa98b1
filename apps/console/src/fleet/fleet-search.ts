export const WINDOWS = ['1h', '24h', '7d'] as const;
export type Window = (typeof WINDOWS)[number];

/** State of the page of the fleet, as its address holds it. */
export interface FleetSearch {
  readonly window?: Window;
}

/** Takes the parts of an address that make sense. Pure. */
export function fleetSearchOf(search: Readonly<Record<string, unknown>>): FleetSearch {
  const window = WINDOWS.find((each) => each === search['window']);
  return window === undefined ? {} : { window };
}
