// A finished request as spans of OpenTelemetry: one for the request, one below it for each call of a port, made from the event log after the
// reply. Names and attributes of model calls follow the conventions for generative AI 1.45; no span holds a question, a passage or an answer.
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { PortCall } from '../../core/events.ts';
import { type FinishedRequest, modelFiguresOf, type RequestFigures } from './finished.ts';

function callSpan(call: PortCall): { readonly name: string; readonly kind: SpanKind; readonly attributes: Attributes } {
  const model = modelFiguresOf(call);
  if (model) {
    const { operation, role, model: named, inputTokens, outputTokens } = model;
    const [provider, name] = named === undefined ? [] : named.split(/:(.*)/su);
    return {
      name: name === undefined ? operation : `${operation} ${name}`,
      kind: SpanKind.CLIENT,
      attributes: {
        'gen_ai.operation.name': operation,
        'footnote.role': role,
        ...(provider !== undefined && { 'gen_ai.provider.name': provider }),
        ...(name !== undefined && { 'gen_ai.request.model': name }),
        ...(inputTokens !== undefined && { 'gen_ai.usage.input_tokens': inputTokens }),
        ...(outputTokens !== undefined && { 'gen_ai.usage.output_tokens': outputTokens }),
      },
    };
  }
  const isSearch = call.port.startsWith('store.') && call.method === 'search';
  return {
    name: isSearch ? `retrieval ${call.port.slice('store.'.length)}` : `${call.port}.${call.method}`,
    kind: isSearch ? SpanKind.CLIENT : SpanKind.INTERNAL,
    attributes: isSearch ? { 'gen_ai.operation.name': 'retrieval' } : {},
  };
}

function fail(span: Span, code: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: code });
  span.setAttribute('error.type', code);
}

/** Hands the spans of a request to the tracer, each with the times that it had. */
export function emitSpans(tracer: Tracer, finished: FinishedRequest, figures: RequestFigures): void {
  const { kind, traceId, sessionId, totalMs } = finished;
  const startMs = Date.parse(finished.startedAt);
  const operation = kind === 'search' ? 'retrieval' : 'invoke_agent';
  const root = tracer.startSpan(
    `${operation} footnote`,
    {
      kind: SpanKind.SERVER,
      startTime: startMs,
      attributes: {
        'gen_ai.operation.name': operation,
        'footnote.trace_id': traceId,
        'footnote.kind': kind,
        'footnote.outcome': figures.outcome,
        'footnote.degraded': figures.degraded.length,
        ...(sessionId !== undefined && { 'gen_ai.conversation.id': sessionId }),
        ...(figures.mode !== undefined && { 'footnote.mode': figures.mode }),
        ...(figures.intent !== undefined && { 'footnote.intent': figures.intent }),
      },
    },
    ROOT_CONTEXT,
  );
  const below = trace.setSpan(ROOT_CONTEXT, root);
  for (const { event, atMs } of finished.events) {
    if (event.type !== 'call') continue;
    const { call } = event;
    // An event is logged when its call has ended.
    const startTime = startMs + Math.max(0, atMs - call.latencyMs);
    const { name, ...described } = callSpan(call);
    const span = tracer.startSpan(name, { ...described, startTime }, below);
    if (call.error) fail(span, call.error.code);
    span.end(startMs + atMs);
  }
  if (figures.code !== undefined) fail(root, figures.code);
  root.end(startMs + totalMs);
}
