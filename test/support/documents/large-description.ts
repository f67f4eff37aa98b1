/**
 * A description as large as those of the largest public services: a number of operations, each with schemas and an example
 * of some kilobytes, so that 1,100 operations come to about 11 MB. The purpose of an operation is in its summary.
 */
export function largeDescription(operations: number): object {
  const numbers = Array.from({ length: operations }, (_, number) => number);
  return {
    openapi: '3.1.0',
    info: { title: 'A large service', version: '1' },
    paths: Object.fromEntries(numbers.map((number) => [`/things/${number}`, pathItem(number)])),
    components: {
      schemas: Object.fromEntries(numbers.map((number) => [`thing${number}`, THING])),
    },
  };
}

const THING = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    ...Object.fromEntries(
      Array.from({ length: 20 }, (_, number) => [
        `field_${number}`,
        { type: ['string', 'null'], description: `What is known of the thing in the respect ${number}.` },
      ]),
    ),
  },
};
const EXAMPLE = Object.fromEntries(
  Array.from({ length: 130 }, (_, number) => [
    `field_${number}`,
    `an example of what may stand here ${number}`,
  ]),
);

function pathItem(number: number): object {
  const responses = { 200: { description: 'ok', content: { 'application/json': { example: EXAMPLE } } } };
  return number % 2 === 0
    ? {
        get: { operationId: `getThing${number}`, summary: `Reads the thing of drawer ${number}.`, responses },
      }
    : {
        post: {
          operationId: `makeThing${number}`,
          summary: `Makes a thing in drawer ${number}.`,
          responses,
          requestBody: {
            content: { 'application/json': { schema: { $ref: `#/components/schemas/thing${number}` } } },
          },
        },
      };
}
