import { z } from 'zod';
import { TENANT_ID, TENANT_STATUSES } from '#libs/persistence';
import { tenantSettingsSchema } from '#libs/policy';
import { pageExample, pageQuerySchema, pageSchema } from '../http/page.js';
import { createZodDto } from '../http/zod-dto.js';

const ID_WORDS = 'must be 1 to 64 letters, digits, "_" or "-"';
const newIdSchema = z
  .string()
  .regex(TENANT_ID, ID_WORDS)
  .describe(
    'Id of the tenant, 1 to 64 letters, digits, `_` or `-`; also the name of its folder for files. It never changes.',
  );
/** Tenant id, possibly older than the format rule for ids. */
const knownIdSchema = z
  .string()
  .min(1)
  .max(1_000)
  .refine((id) => !id.includes('\u0000'), 'must be the id of a tenant');

const fields = {
  name: z.string().trim().min(1).max(200).describe('Display name.'),
  status: z.enum(TENANT_STATUSES).describe('An inactive tenant runs no executions; its data stays readable.'),
  system_prompt: z
    .string()
    .max(100_000)
    .nullable()
    .describe('Text before the system prompt of each of its agents; null for none.'),
  settings: tenantSettingsSchema.describe('Replaced as a whole: omitted settings get their defaults.'),
};

/** A new tenant; omitted fields take their defaults. */
export class NewTenantDto extends createZodDto(
  z.strictObject({
    id: newIdSchema,
    name: fields.name.optional().describe('Display name; the id when omitted.'),
    status: fields.status.default('active'),
    system_prompt: fields.system_prompt.default(null),
    settings: fields.settings.prefault({}),
  }),
  { id: 'acme', name: 'Acme Logistics' },
) {}
/** Fields of a tenant to change. */
export class TenantPatchDto extends createZodDto(z.strictObject(fields).partial(), {
  status: 'inactive',
}) {}

const tenantSchema = z.object({
  id: z.string(),
  ...fields,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
const EXAMPLE: z.input<typeof tenantSchema> = {
  id: 'acme',
  name: 'Acme Logistics',
  status: 'active',
  system_prompt: null,
  settings: {
    workspace: { enabled: false },
    limits: { queued_executions: null, input_characters: null, tokens_per_execution: 100_000 },
    retention: { days: 90 },
    tool_servers: 'named',
    title_llm: null,
  },
  created_at: '2026-11-22T09:00:00.000Z',
  updated_at: '2026-11-22T09:00:00.000Z',
};
export class TenantDto extends createZodDto(tenantSchema, EXAMPLE) {}
export class TenantPageDto extends createZodDto(pageSchema(tenantSchema), pageExample(EXAMPLE)) {}

export class TenantParams extends createZodDto(
  z.object({ id: knownIdSchema.describe('The id of the tenant.') }),
) {}
export class TenantListQuery extends createZodDto(pageQuerySchema(knownIdSchema)) {}
