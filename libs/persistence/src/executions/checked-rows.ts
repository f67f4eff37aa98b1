import type { CheckedRows } from '#libs/executions';

/** Version mark of a row used for validation: `xmin` changes with every UPDATE, but not with a lock. */
export const rowMark = (table: string): string => `${table}.xmin::text`;

/** Whether the rows are unchanged. */
export const areStill = (
  agentId: string,
  marks: Readonly<Record<keyof CheckedRows, string>>,
): string => `EXISTS (
  SELECT 1 FROM agent JOIN llm ON llm.id = agent.llm_id JOIN tenant ON tenant.id = agent.tenant_id
   WHERE agent.id = ${agentId} AND ${rowMark('agent')} = ${marks.agent}
     AND ${rowMark('llm')} = ${marks.llm} AND ${rowMark('tenant')} = ${marks.tenant})`;

/** Marks of the submissions of a statement for many. */
export const MARKS_OF_ROW = {
  agent: `given.checked_by ->> 'agent'`,
  llm: `given.checked_by ->> 'llm'`,
  tenant: `given.checked_by ->> 'tenant'`,
};

export function mapMarks({ agent, llm, tenant }: CheckedRows, bind: (value: unknown) => string) {
  return { agent: bind(agent), llm: bind(llm), tenant: bind(tenant) };
}
