import type { DynamicModule, InjectionToken, Provider } from '@nestjs/common';

/**
 * The module with one provider wrapped by `decorate`, wherever the module or its imports define the provider. A module is
 * plain data until Nest reads it, so it needs no hook for this.
 */
export function decorateProvider<T>(
  module: DynamicModule,
  token: InjectionToken<T>,
  decorate: (made: T) => T,
): DynamicModule {
  let found = 0;
  const inModule = (part: DynamicModule): DynamicModule => ({
    ...part,
    ...(part.providers && { providers: part.providers.map(inProvider) }),
    ...(part.imports && {
      imports: part.imports.map((imported) => (isDynamic(imported) ? inModule(imported) : imported)),
    }),
  });
  const inProvider = (provider: Provider): Provider => {
    if (!('useFactory' in provider) || provider.provide !== token) return provider;
    found += 1;
    const make = provider.useFactory as (...args: unknown[]) => T | Promise<T>;
    return { ...provider, useFactory: async (...args: unknown[]) => decorate(await make(...args)) };
  };
  const decorated = inModule(module);
  if (found !== 1) throw new Error(`${String(token)} is made by ${found} factories; one was expected`);
  return decorated;
}

function isDynamic(imported: NonNullable<DynamicModule['imports']>[number]): imported is DynamicModule {
  return 'module' in imported;
}
