# One image for every role: the command chooses (up, api, worker, migrate).
FROM node:22-bookworm-slim AS web
WORKDIR /src/web
COPY web/package.json web/package-lock.json web/.npmrc ./
RUN npm ci --silent --ignore-scripts
COPY web .
RUN npx --no-install vite build --logLevel warn

FROM rust:1.95-slim-bookworm AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends build-essential \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
COPY --from=web /src/web/dist web/dist
RUN --mount=type=cache,target=/usr/local/cargo/registry --mount=type=cache,target=/src/target \
    cargo build --locked --release --features web --bin neta \
 && install -D -s target/release/neta /out/neta

FROM debian:bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --create-home --home-dir /data neta
COPY --from=build /out/neta /usr/local/bin/neta
USER neta
ENV NETA_DATA=/data NETA_LISTEN=0.0.0.0:8420 NETA_LOG_FORMAT=json
VOLUME /data
EXPOSE 8420
# SIGTERM drains; give it longer than drain_seconds before the kill.
STOPSIGNAL SIGTERM
ENTRYPOINT ["neta"]
CMD ["up"]
