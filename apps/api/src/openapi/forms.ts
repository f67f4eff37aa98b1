import type { OpenAPIObject } from '@nestjs/swagger';
import { FORM_KEY } from '../http/multipart/form-body.js';

interface Described {
  [FORM_KEY]?: object;
  readonly requestBody?: { readonly content: Record<string, object> };
}

/** The document with the forms that routes take besides JSON: the library has one schema for all media types of a body. */
export function withForms(document: OpenAPIObject): OpenAPIObject {
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item as Record<string, Described>)) {
      const { [FORM_KEY]: form, requestBody } = operation;
      if (form === undefined) continue;
      if (requestBody === undefined) throw new Error('a route that takes a form has no body besides');
      requestBody.content['multipart/form-data'] = form;
      Reflect.deleteProperty(operation, FORM_KEY);
    }
  }
  return document;
}
