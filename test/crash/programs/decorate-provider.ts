import type { DynamicModule, InjectionToken, Provider, Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants.js';

type Imported = NonNullable<DynamicModule['imports']>[number];

/**
 * The module with one provider wrapped by `decorate`, wherever the module or its imports define the provider. A module is
 * plain data until Nest reads it, so it needs no hook for this. Metadata of module classes change for the whole process.
 */
export function decorateProvider<T>(
  module: DynamicModule,
  token: InjectionToken<T>,
  decorate: (made: T) => T,
): DynamicModule {
  let found = 0;
  const seen = new Set<Type>();
  const inDynamic = (part: DynamicModule): DynamicModule => {
    inClass(part.module);
    return {
      ...part,
      ...(part.providers && { providers: part.providers.flatMap(inProvider) }),
      ...(part.imports && { imports: part.imports.map(inImported) }),
    };
  };
  const inClass = (part: Type): void => {
    if (seen.has(part)) return;
    seen.add(part);
    const { PROVIDERS, IMPORTS } = MODULE_METADATA;
    const providers = (Reflect.getMetadata(PROVIDERS, part) ?? []) as Provider[];
    const imports = (Reflect.getMetadata(IMPORTS, part) ?? []) as Imported[];
    Reflect.defineMetadata(PROVIDERS, providers.flatMap(inProvider), part);
    Reflect.defineMetadata(IMPORTS, imports.map(inImported), part);
  };
  const inImported = (imported: Imported): Imported => {
    if ('module' in imported) return inDynamic(imported);
    if (typeof imported === 'function') inClass(imported);
    return imported;
  };
  const inProvider = (provider: Provider): Provider[] => {
    if ((typeof provider === 'function' ? provider : provider.provide) !== token) return [provider];
    found += 1;
    const undecorated = Symbol('undecorated');
    const original =
      typeof provider === 'function'
        ? { provide: undecorated, useClass: provider }
        : { ...provider, provide: undecorated };
    return [original, { provide: token, inject: [undecorated], useFactory: decorate }];
  };
  const decorated = inDynamic(module);
  if (found !== 1) throw new Error(`${String(token)} is made in ${found} modules; one was expected`);
  return decorated;
}
