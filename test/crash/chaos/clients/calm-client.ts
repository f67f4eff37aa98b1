import { planCalmTurn, type TurnPlan } from '../plan/conversation-plan.js';
import type { LoadClient, Tenant } from './load-client.js';

const TIMES = 10;

/** Runs small executions one after the other without other load; returns the milliseconds from acceptance to end. */
export async function timeCalmExecutions(load: LoadClient, tenant: Tenant, name: string): Promise<number[]> {
  const times: number[] = [];
  for (let number = 1; number <= TIMES; number += 1) {
    const turn: TurnPlan = planCalmTurn(`${name}-${number}`);
    const begunAt = Date.now();
    await load.sendAlone(tenant, turn);
    times.push(Date.now() - begunAt);
  }
  return times;
}
