// Whether the server in this container lives: for HEALTHCHECK, since slim images have neither curl nor wget. Exit code 0 or 1.
const { FOOTNOTE_PORT = '4180' } = process.env;
const response = await fetch(`http://127.0.0.1:${FOOTNOTE_PORT}/healthz`, { signal: AbortSignal.timeout(4000) }).catch(
  ({ cause, message }) => console.error(cause?.message ?? message),
);
if (response && !response.ok) console.error(`/healthz answers ${response.status}`);
process.exitCode = response?.ok ? 0 : 1;
