import { createZodDto } from '../http/zod-dto.js';
import { z } from 'zod';

const decisionSchema = z
  .strictObject({
    call: z
      .string()
      .regex(
        /^(\d{1,3}\.\d{1,4}(\/\d{1,3}\.\d{1,4}){0,3}:)?\d{1,3}\.\d{1,4}$/,
        'must be the `call` of a waiting tool call, e.g. "1.0", or "2.1:1.0" of a sub-agent',
      )
      .describe('Which call, as `required_action.calls` names it.'),
    approved: z
      .boolean('must be true or false')
      .optional()
      .describe('For a call that asks for `approval`: whether it may run.'),
    outcome: z
      .enum(['happened', 'did_not_happen', 'unknown'])
      .optional()
      .describe(
        'For a call that asks for its `outcome`. `happened`: it took effect and is not run again. `did_not_happen`: it is run anew, under the same call key. `unknown`: the execution fails `TOOL_OUTCOME_UNKNOWN`.',
      ),
    output: z
      .string()
      .min(1)
      .max(65_536)
      .optional()
      .describe('With `outcome` `happened`: what the model reads as the answer of the call.'),
    reason: z
      .string()
      .max(1_000)
      .default('')
      .describe('Why; kept in the journal. The model reads the reason of a refusal.'),
  })
  .superRefine(({ approved, outcome, output }, context) => {
    const fault = (field: string, message: string): void => {
      context.addIssue({ code: 'custom', path: [field], message });
    };
    if (approved === undefined && outcome === undefined)
      fault('approved', 'is required for a call that asks for approval; `outcome` for one that asks for it');
    if (approved !== undefined && outcome !== undefined)
      fault('outcome', 'must not be there together with `approved`: a call asks for one of them');
    if (output !== undefined && outcome !== 'happened')
      fault('output', 'is only allowed with `outcome` "happened"');
  });

export class DecisionsDto extends createZodDto(
  z.strictObject({ decisions: z.array(decisionSchema).min(1).max(100) }),
) {}
