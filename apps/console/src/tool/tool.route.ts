import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';

export const toolRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tools/$name',
  component: lazyRouteComponent(() => import('./tool-screen.js'), 'ToolScreen'),
});
