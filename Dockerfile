# One image for the API, the worker and the migration; the command picks the app:
#   node dist/programs/api.js | node dist/programs/worker.js | node dist/programs/migrate.js
# Without a command it is API and worker in one process, which is all that a small installation needs; ROLE=api and ROLE=worker
# make it one of them.
# The simulator is a development tool and lives in a target of its own: docker build --target simulator .

# By digest where a build has to be the same again (docs/guides/security.md): --build-arg NODE_IMAGE=node:26-slim@sha256:…
ARG NODE_IMAGE=node:26-slim
FROM ${NODE_IMAGE} AS base
WORKDIR /app

FROM base AS build
COPY package.json package-lock.json ./
COPY packages/capstan/package.json ./packages/capstan/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json .swcrc ./
COPY apps ./apps
COPY libs ./libs
COPY scripts/build ./scripts/build
COPY docs ./docs
RUN npm run build && install -d -o node dist/compiled
# Programs hold what they import: of packages there are only the files that they read past that, and all licences.
RUN node scripts/build/write-runtime.ts dist/runtime
# The programs as V8 has compiled them, where they will be and for who will run them. Another user, another release of Node or
# a processor with other instructions finds nothing there that it could use, and compiles as ever.
USER node
RUN NODE_COMPILE_CACHE=/app/dist/compiled node scripts/build/fill-compile-cache.ts

FROM base AS runtime
# With half of this young generation API and worker together take about 24 MB less and more CPU, since it is collected while
# requests still hold what is in it. The C library would keep an arena of freed memory for each thread of Node, and what sockets are
# read into among what stays. Compose and Kubernetes run this image and have all of it from here; a NODE_OPTIONS of your own
# repeats the flag.
ENV NODE_ENV=production NODE_OPTIONS=--max-semi-space-size=16 \
  MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=65536 MALLOC_TRIM_THRESHOLD_=131072
COPY --from=build /app/package.json ./
COPY --from=build /app/dist/runtime ./
# A volume that is made for it belongs to whom it belongs here.
RUN mkdir /documents && chown node:node /documents
USER node

FROM runtime AS simulator
COPY --from=build /app/dist/simulator ./dist/simulator
ENV SIMULATOR_HOST=0.0.0.0 SIMULATOR_PORT=4010
EXPOSE 4010
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.SIMULATOR_PORT + '/__control/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/simulator/simulator.js"]

FROM runtime AS service
COPY --from=build /app/dist/programs ./dist/programs
COPY --from=build /app/dist/apps/console ./dist/apps/console
COPY --from=build /app/dist/site ./dist/site
COPY --from=build --chown=node /app/dist/compiled ./dist/compiled
ENV NODE_COMPILE_CACHE=/app/dist/compiled
EXPOSE 3000
# A container runs one app, so one of the two health servers answers.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "Promise.any([process.env.PORT || 3000, process.env.WORKER_PORT || 3001].map(async (port) => { if (!(await fetch('http://127.0.0.1:' + port + '/healthz')).ok) throw new Error() })).catch(() => process.exit(1))"]
CMD ["node", "dist/programs/service.js"]
