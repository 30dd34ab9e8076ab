/** A collector of telemetry on a real socket, which reads what it is sent in the JSON form of OTLP. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { gunzipSync } from "node:zlib"

interface Attribute {
  readonly key: string
  readonly value: {
    readonly stringValue?: string
    readonly intValue?: number | string
    readonly boolValue?: boolean
    readonly doubleValue?: number
  }
}

export interface SentSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: ReadonlyArray<Attribute>
  readonly events: ReadonlyArray<{
    readonly name: string
    readonly attributes: ReadonlyArray<Attribute>
  }>
  readonly links: ReadonlyArray<{ readonly traceId: string; readonly spanId: string }>
  readonly status: { readonly code: number; readonly message?: string }
}

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Answers each batch; the default takes it. */
export type Answer = (response: ServerResponse) => void

const take: Answer = (response) => response.writeHead(200).end("{}")

/** The attributes of something as a record. */
export const attributesOf = ({ attributes }: { readonly attributes: ReadonlyArray<Attribute> }) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? Number(value.intValue ?? value.doubleValue)
    ])
  )

export class Collecting {
  readonly received: Array<Received> = []
  /** How many batches have come, read or not. */
  batches = 0
  answer: Answer = take
  private readonly waiting = new Set<() => void>()
  private readonly server = createServer((request, response) => {
    this.batches += 1
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const body = Buffer.concat(chunks)
      const isPacked = request.headers["content-encoding"] === "gzip"
      this.received.push({
        path: request.url ?? "",
        headers: request.headers,
        text: (isPacked ? gunzipSync(body) : body).toString("latin1")
      })
      this.answer(response)
      this.waiting.forEach((look) => look())
    })
  })

  static async start(): Promise<Collecting> {
    const collecting = new Collecting()
    collecting.server.listen(0, "127.0.0.1")
    await once(collecting.server, "listening")
    return collecting
  }

  /** Waits until a batch has come with which something is so. */
  until(isSo: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!isSo()) return
        this.waiting.delete(look)
        resolve()
      }
      this.waiting.add(look)
      look()
    })
  }

  get url(): string {
    // A server that listens on a port has an address of this kind.
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    this.server.close()
    await once(this.server, "close")
  }

  /** What came on a path, as JSON. */
  private bodies(path: string): ReadonlyArray<any> {
    return this.received.filter((one) => one.path === path).map(({ text }) => JSON.parse(text))
  }

  get spans(): ReadonlyArray<SentSpan> {
    return this.bodies("/v1/traces")
      .flatMap(({ resourceSpans }) => resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap(({ spans }) => spans)
  }

  get metrics(): ReadonlyArray<{ readonly name: string; readonly unit: string }> {
    return this.bodies("/v1/metrics")
      .flatMap(({ resourceMetrics }) => resourceMetrics)
      .flatMap(({ scopeMetrics }) => scopeMetrics)
      .flatMap(({ metrics }) => metrics)
  }

  get records(): ReadonlyArray<{
    readonly body: { readonly stringValue: string }
    readonly attributes: ReadonlyArray<Attribute>
    readonly traceId?: string
  }> {
    return this.bodies("/v1/logs")
      .flatMap(({ resourceLogs }) => resourceLogs)
      .flatMap(({ scopeLogs }) => scopeLogs)
      .flatMap(({ logRecords }) => logRecords)
  }

  get resources(): ReadonlyArray<Record<string, unknown>> {
    return this.bodies("/v1/traces")
      .flatMap(({ resourceSpans }) => resourceSpans)
      .map(({ resource }) => attributesOf(resource))
  }
}
