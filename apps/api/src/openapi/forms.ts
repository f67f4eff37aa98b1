import type { OpenAPIObject } from '@nestjs/swagger';
import { FORM_KEY } from '../http/multipart/form-body.js';

interface Described {
  [FORM_KEY]?: object;
  requestBody?: { readonly required?: boolean; readonly content: Record<string, object> };
}

/**
 * Adds the forms that routes accept, alone or beside JSON: the library supports only one schema for all media types of a
 * body.
 */
export function withForms(document: OpenAPIObject): OpenAPIObject {
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item as Record<string, Described>)) {
      const { [FORM_KEY]: form } = operation;
      if (form === undefined) continue;
      operation.requestBody ??= { required: true, content: {} };
      operation.requestBody.content['multipart/form-data'] = form;
      Reflect.deleteProperty(operation, FORM_KEY);
    }
  }
  return document;
}
