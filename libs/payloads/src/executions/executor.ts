import { z } from 'zod';

/** The person on whose behalf a request is made. */
export const executorSchema = z.strictObject({
  user_id: z.string().max(200),
  name: z.string().max(200).optional(),
  email: z.string().max(320).optional(),
  employee_id: z.string().max(200).optional(),
});
