import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';
import { sessionSearchOf } from './session-search.js';

export const sessionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sessions/$uuid',
  validateSearch: sessionSearchOf,
  component: lazyRouteComponent(() => import('./session-screen.js'), 'SessionScreen'),
});
