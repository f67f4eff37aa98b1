import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';
import { preloadRun } from './preload-run.js';
import { runSearchOf } from './run-search.js';

export const runRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs/$id',
  validateSearch: runSearchOf,
  loader: ({ params, cause }) => {
    if (cause === 'enter') preloadRun(params.id);
  },
  component: lazyRouteComponent(() => import('./run-screen.js'), 'RunScreen'),
});
