/** Maximum waiting and running ingestion jobs, in total and per tenant; kept low because each takes a while. */
export const INGESTION_JOBS = { queueTarget: 100, tenantTarget: 20 } as const;
