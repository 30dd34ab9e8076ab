# One image for each app: docker build --build-arg APP=public-api -t quittance-public-api .
ARG NODE=26.10.0
ARG APP=standalone

FROM node:${NODE}-bookworm-slim AS base
ENV CI=1 TURBO_TELEMETRY_DISABLED=1
RUN npm install --global pnpm@12.21.0 turbo@2.11.9
WORKDIR /repo

# Only what this app is made of, so that a change elsewhere builds nothing here.
FROM base AS prune
ARG APP
COPY . .
RUN turbo prune @quittance/${APP} --docker

FROM base AS build
ARG APP
COPY --from=prune /repo/out/json/ ./
RUN pnpm install --frozen-lockfile
COPY --from=prune /repo/out/full/ ./
RUN turbo run build --filter=@quittance/${APP}
# What is optional is the embedded PostgreSQL, which standalone alone starts, and the program that sets
# documents, which public-api and dispatcher run as well.
RUN case "$APP" in standalone | public-api | dispatcher) ;; *) optional=--no-optional ;; esac; \
    pnpm --filter @quittance/${APP} deploy --prod $optional /app

FROM node:${NODE}-bookworm-slim AS runtime
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app ./

# docker run -e DATABASE_URL=… quittance-cli admin migrate
FROM runtime AS cli
USER node
ENTRYPOINT ["node", "--enable-source-maps", "dist/main.js"]

FROM runtime AS serving
ENV ENVIRONMENT=production HOST=0.0.0.0 PORT=8080
EXPOSE 8080
HEALTHCHECK --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:8080/health/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "dist/main.js"]

FROM serving AS public-api
USER node

FROM serving AS anonymous-session-edge
USER node

FROM serving AS authorization-server
USER node

FROM serving AS dispatcher
ENV MAIL_DIR=/mail
RUN install -d -o node -g node -m 700 /mail
USER node
VOLUME /mail

FROM serving AS billing-worker
USER node
CMD ["node", "--min-semi-space-size=16", "--max-semi-space-size=16", "--heap-growing-percent=200", "--enable-source-maps", "dist/main.js"]

FROM serving AS standalone
ENV DATA_DIR=/data CACHE_DIR=/data/cache PRODUCTS_DIR=/app/products
COPY --from=build /repo/products ./products
RUN install -d -o node -g node /data
USER node
VOLUME /data

FROM ${APP}
