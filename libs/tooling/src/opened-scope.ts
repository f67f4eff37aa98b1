/** By which agent a call is run, as its caller knows it, and what it is asked. */
export interface OpenedScope {
  readonly agentId: number;
  readonly name: string;
  readonly input: string;
}
