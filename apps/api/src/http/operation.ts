import { ApiOperation, type ApiOperationOptions } from '@nestjs/swagger';

/**
 * Names an operation in the OpenAPI document.
 * @param id camelCase verb and object, e.g. `listAgents`; generated clients name methods by it, so it never changes
 * @param summary one line for menus, without a full stop
 * @param description further sentences for callers
 */
export function Operation(
  id: string,
  summary: string,
  description: string,
  more: Pick<ApiOperationOptions, 'security'> = {},
): MethodDecorator {
  return ApiOperation({ operationId: id, summary, description, ...more });
}
