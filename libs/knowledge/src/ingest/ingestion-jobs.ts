/** Jobs of documents that may wait and run, of all tenants and of one: each takes a while. */
export const INGESTION_JOBS = { queueTarget: 100, tenantTarget: 20 } as const;
