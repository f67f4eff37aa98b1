import { planCalmTurn, type TurnPlan } from '../plan/conversation-plan.js';
import type { LoadClient, Tenant } from './load-client.js';

const TIMES = 10;

/** Milliseconds from acceptance to the end of small executions, one after the other, while nothing else goes on. */
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
