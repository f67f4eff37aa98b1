import type { Command } from 'commander';
import { EXIT } from '../exit-codes.js';
import type { Act } from '../act.js';

const FOLDER = 'folder with `tools/*.ts`, `agents/*.ts`, `pipelines/*.ts` and `domains/*/`';

/** Commands that run the service itself, from the programs of this package. */
export function addServiceCommands(program: Command, act: Act): void {
  program
    .command('dev')
    .argument('[folder]', `${FOLDER}, or with a folder capstan of them`, '.')
    .description(
      'run the service for a project: database, API, worker and console; restart it when a file changes',
    )
    .action(
      act(async ({ surroundings }, folder: string) => {
        const service = await surroundings.loadService();
        return service.dev(folder);
      }),
    );
  program
    .command('start')
    .argument('[folder]', `${FOLDER}; by default PROJECT`)
    .description('run API and worker, or one of them by ROLE, configured by the environment')
    .action(
      act(async ({ surroundings }, folder: string | undefined) => {
        const service = await surroundings.loadService();
        await service.start(folder);
        return EXIT.done;
      }),
    );
  program
    .command('migrate')
    .option('--project <folder>', `${FOLDER}; by default PROJECT`)
    .argument('[options...]', 'options of the migration program, after --; --help lists them')
    .description('migrate the database of DATABASE_URL; -- --seed stores the agents of the project, too')
    .action(
      act(
        async ({ surroundings }, options: readonly string[], { project }: { readonly project?: string }) => {
          const service = await surroundings.loadService();
          return service.migrate(project, options);
        },
      ),
    );
}
