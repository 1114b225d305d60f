# Footnote as an image: what `npm pack` makes of this checkout, with the packages that the lock names, for one platform (docs/containers.md).
#
#   docker build -t footnote-server .
ARG BASE=node:24-bookworm-slim

FROM ${BASE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY packages/readers/package.json packages/readers/
COPY web/package.json web/
# Without install scripts: Node is that of the base, and nothing else here needs one.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# What is packed has the pages as they are built: what builds them, which npm leaves beside the packages of the product, stays here.
RUN npm pack --pack-destination /tmp \
 && mkdir /opt/footnote \
 && tar -xzf /tmp/footnote-server-*.tgz -C /opt/footnote --strip-components=1 \
 && npm ci --omit=dev --workspace packages/readers --include-workspace-root --ignore-scripts --no-audit --no-fund \
 && rm -rf node_modules/@footnote node_modules/vite node_modules/rolldown node_modules/@rolldown node_modules/lightningcss* \
 && mv node_modules ops /opt/footnote/
# What does not run here: sources, declarations and maps; runtimes of local models for other platforms, of text recognition for browsers.
RUN cd /opt/footnote/node_modules \
 && find /opt/footnote -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' \) -delete \
 && find onnxruntime-node/bin/napi-v*/* -mindepth 1 -maxdepth 1 ! -path "*/linux/$(node -p process.arch)" -exec rm -r {} + \
 && find tesseract.js-core -name '*.wasm.js' -delete \
 && rm -r gpt-tokenizer/src

FROM ${BASE}
ARG VERSION=0.1.0
ARG REVISION=
LABEL org.opencontainers.image.title="Footnote" \
      org.opencontainers.image.description="Answers over your documents, with a verified citation for every claim" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
RUN echo 'footnote:x:10001:10001:Footnote:/home/footnote:/usr/sbin/nologin' >> /etc/passwd \
 && echo 'footnote:x:10001:' >> /etc/group \
 && mkdir -m 700 /data /home/footnote \
 && chown 10001:10001 /data /home/footnote \
 && ln -s /opt/footnote/bin/footnote.mjs /usr/local/bin/footnote
COPY --from=build /opt/footnote /opt/footnote
ENV HOME=/home/footnote \
    FOOTNOTE_DATA=/data \
    FOOTNOTE_HOST=0.0.0.0 \
    FOOTNOTE_PORT=4180
WORKDIR /home/footnote
USER 10001:10001
# One start, which ends when nobody reads any more: it shows that the server serves, and what it compiles stays in the image for the next ones, also
# where the root is read-only.
RUN footnote serve --host 127.0.0.1 --port 0 --data /tmp/first | grep -q 'serves on' && rm -r /tmp/first
VOLUME /data
EXPOSE 4180
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 CMD ["node", "/opt/footnote/ops/healthcheck.mjs"]
ENTRYPOINT ["node", "/opt/footnote/bin/footnote.mjs"]
CMD ["serve"]
