import type { JsonObject } from '#libs/kernel';
import { choiceAt, entriesOf, fault, objectAt, textAt, under, type Located } from './located.js';
import type { SecurityScheme } from './operation.js';
import type { References } from './references.js';

/** Supported security schemes by name; unsupported ones such as `mutualTLS` are omitted. */
export function readSchemes(root: Located<JsonObject>, references: References): Map<string, SecurityScheme> {
  const components = under(root, 'components');
  if (components.value === undefined) return new Map();
  const schemes = entriesOf(under(objectAt(components), 'securitySchemes'));
  return new Map(
    schemes.flatMap(([name, at]) => {
      const scheme = readScheme(objectAt(references.follow(at)));
      return scheme === null ? [] : [[name, scheme] as const];
    }),
  );
}

function readScheme(at: Located<JsonObject>): SecurityScheme | null {
  switch (textAt(under(at, 'type'))) {
    case 'apiKey': {
      const name = textAt(under(at, 'name'));
      if (name === undefined || name === '') throw fault(at, 'must have a name');
      return { kind: 'key', in: choiceAt(under(at, 'in'), ['query', 'header', 'cookie']), name };
    }
    case 'http': {
      const scheme = textAt(under(at, 'scheme'))?.toLowerCase();
      return scheme === 'basic' || scheme === 'bearer' ? { kind: scheme } : null;
    }
    case 'oauth2':
    case 'openIdConnect':
      return { kind: 'bearer' };
    default:
      return null;
  }
}
