import { ApiOperation, type ApiOperationOptions } from '@nestjs/swagger';

/**
 * What a route is called in the document.
 *
 * @param id in camelCase, a verb and what it acts on, e.g. `listAgents`: generated clients name their methods by it, so it
 *   never changes
 * @param summary one line, without a full stop, as menus show it
 * @param description what a caller has to know besides, in sentences
 */
export function Operation(
  id: string,
  summary: string,
  description: string,
  more: Pick<ApiOperationOptions, 'security'> = {},
): MethodDecorator {
  return ApiOperation({ operationId: id, summary, description, ...more });
}
