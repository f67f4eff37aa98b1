import { z } from 'zod';
import { SKILL_NAME } from '#libs/policy';
import { pageExample, pageQuerySchema, pageSchema } from '../http/page.js';
import { idSchema } from '../http/request-values.js';
import { createZodDto } from '../http/zod-dto.js';

const MAX_CONTENT_BYTES = 65_536;

const fields = {
  name: z
    .string()
    .trim()
    .regex(SKILL_NAME, 'must be 1 to 200 letters, digits, "_" or "-"')
    .describe('Name used by models and `preferred_skills`; unique within the tenant.'),
  description: z
    .string()
    .trim()
    .min(1)
    .max(1_000)
    .describe('When to use the skill; models see only this and the name before they read it.'),
  content: z
    .string()
    .min(1)
    .refine((text) => Buffer.byteLength(text) <= MAX_CONTENT_BYTES, 'at most 65536 bytes of UTF-8')
    .describe('The instructions, at most 65536 bytes of UTF-8.'),
  is_active: z.boolean().describe('An inactive skill is not listed to models and cannot be read by them.'),
};

const FIELDS_EXAMPLE = {
  name: 'late-parcels',
  description: 'How to handle a late parcel.',
  content: 'Find the parcel first. Offer the money back after seven days.',
};

/** A complete skill; omitted fields take their defaults. */
export class SkillFieldsDto extends createZodDto(
  z.strictObject({ ...fields, is_active: fields.is_active.default(true) }),
  FIELDS_EXAMPLE,
) {}
/** Fields of a skill to change. */
export class SkillPatchDto extends createZodDto(z.strictObject(fields).partial(), { is_active: false }) {}

const skillSchema = z.object({
  id: z.int(),
  ...fields,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
const EXAMPLE: z.input<typeof skillSchema> = {
  id: 3,
  ...FIELDS_EXAMPLE,
  is_active: true,
  created_at: '2026-11-22T09:00:00.000Z',
  updated_at: '2026-11-22T09:00:00.000Z',
};
export class SkillDto extends createZodDto(skillSchema, EXAMPLE) {}
/** Lists omit `content`, which is read at `/api/skills/{id}/`. */
const summarySchema = skillSchema.omit({ content: true });
export class SkillPageDto extends createZodDto(
  pageSchema(summarySchema),
  pageExample(summarySchema.parse(EXAMPLE)),
) {}

export class SkillIdParams extends createZodDto(
  z.object({ id: idSchema.describe('The id of the skill.') }),
) {}
export class SkillListQuery extends createZodDto(pageQuerySchema(idSchema)) {}
