# Inventory Manager in a container: `docker build -t inventory-manager .`
# The embedded PostgreSQL needs glibc, so no Alpine.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY server/package.json server/
COPY web/package.json web/
COPY packages/client/package.json packages/client/

FROM packages AS build
RUN npm ci --include=dev
COPY . .
RUN node scripts/build.mjs && node scripts/notices.mjs

FROM packages AS libraries
RUN npm ci --omit=dev --workspace server --include-workspace-root=false && rm -rf contract web packages

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Inventory Manager" \
  org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=3000 \
  DATA_DIR=/data \
  LOG_FORMAT=json
WORKDIR /app
COPY --from=libraries /app/node_modules node_modules
COPY --from=build /app/LICENSE /app/THIRD-PARTY-NOTICES.txt ./
COPY --from=build /app/server/package.json server/
COPY --from=build /app/server/assets server/assets
COPY --from=build /app/server/dist server/dist
COPY --from=build /app/web/dist web/dist
# /nightly is for BACKUP_DIRECTORY: a volume there gets its owner.
RUN install -d -o node -g node -m 0700 /data /nightly
USER node
VOLUME /data
EXPOSE 3000
# Give it time where its database is the embedded one: --stop-timeout 95 (docs/operating.md).
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node"]
CMD ["server/dist/main.js"]
