import { AppError } from '#libs/kernel';

export function tenantNotFound(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'Tenant not found' });
}

export function tenantExists(): AppError {
  return new AppError({ code: 'TENANT_EXISTS', kind: 'conflict', message: 'A tenant with this id exists' });
}
