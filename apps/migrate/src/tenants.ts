import { AppError } from '#libs/kernel';
import { createDataSource, ensureTenant, TenantStore, type TenantView } from '#libs/persistence';
import { wholeDatabase } from './database.js';

/** Creates an active tenant unless this id exists. Throws `INVALID_TENANT` for an invalid id. */
export async function createTenant(url: string, id: string): Promise<void> {
  const dataSource = await createDataSource(wholeDatabase(url)).initialize();
  try {
    await ensureTenant(dataSource, id);
  } finally {
    await dataSource.destroy();
  }
}

/** Throws `NOT_FOUND`. */
export async function setTenantStatus(url: string, id: string, status: TenantView['status']): Promise<void> {
  const dataSource = await createDataSource(wholeDatabase(url)).initialize();
  try {
    const change = await new TenantStore(dataSource).update(id, { status }, null);
    if (change.kind !== 'changed') throw tenantNotFound(id);
  } finally {
    await dataSource.destroy();
  }
}

function tenantNotFound(id: string): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: `there is no tenant "${id}"` });
}
