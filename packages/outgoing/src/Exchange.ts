/** One request and its answer over a connection of the pool: read up to a size, ended when its time is over. */
import { Duration, Effect } from "effect"
import type { Dispatcher } from "undici"

/** Why there is no answer, as the pool says it; `Late` where its time was over. */
export type Fault = Late | { readonly _tag: "Broken"; readonly cause: unknown }

export interface Late {
  readonly _tag: "Late"
  /** What was not kept. */
  readonly limit: Duration.Duration
}

export interface Limits {
  /** Until the head of the answer is there, and until its last byte is. */
  readonly headTimeout: Duration.Duration
  readonly timeout: Duration.Duration
  /** Bytes of the answer's body that are read. */
  readonly maxBody: number
}

export interface Read {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** There was more, which was not read. */
  readonly isCut: boolean
}

/** Sends a request and reads its answer. What is interrupted, late or cut off closes the connection. */
export const exchange = (
  pool: Pick<Dispatcher, "dispatch">,
  request: Dispatcher.DispatchOptions,
  { headTimeout, maxBody, timeout }: Limits
): Effect.Effect<Read, Fault> =>
  // In one step: a sender of webhooks does little else.
  Effect.callback((resume) => {
    let controller: Dispatcher.DispatchController | undefined
    let isOver = false
    const stop = () => {
      isOver = true
      clearTimeout(forHead)
      clearTimeout(forAll)
    }
    const end = (answer: Effect.Effect<Read, Fault>) => {
      if (isOver) return
      stop()
      resume(answer)
    }
    const close = () => controller?.abort(closed)
    const late = (limit: Duration.Duration) => () => {
      end(Effect.fail({ _tag: "Late", limit }))
      close()
    }
    const broken = (cause: unknown) => end(Effect.fail({ _tag: "Broken", cause }))
    const forHead = setTimeout(late(headTimeout), Duration.toMillis(headTimeout))
    const forAll = setTimeout(late(timeout), Duration.toMillis(timeout))

    const chunks: Array<Buffer> = []
    let size = 0
    let status = 0
    let headers: Read["headers"] = {}
    const read = (isCut: boolean) => {
      const body = new Uint8Array(Buffer.concat(chunks).subarray(0, maxBody))
      end(Effect.succeed({ status, headers, body, isCut }))
    }
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (started) => {
        controller = started
        // Its time was over while it waited for a connection.
        if (isOver) close()
      },
      onResponseStart: (_, code, sent) => {
        // What comes before the answer says nothing of it (RFC 9110, section 15.2).
        if (code < 200) return
        clearTimeout(forHead)
        status = code
        headers = flat(sent)
      },
      onResponseData: (_, chunk) => {
        if (isOver) return
        chunks.push(chunk)
        size += chunk.length
        if (size <= maxBody) return
        read(true)
        close()
      },
      onResponseEnd: () => read(false),
      onResponseError: (_, cause) => broken(cause)
    }
    pool.dispatch(request, handler)
    return Effect.sync(() => {
      stop()
      close()
    })
  })

const closed = new Error("The answer is not read any further")

const flat = (headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>) => {
  const found: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) found[name] = typeof value === "string" ? value : value.join(", ")
  }
  return found
}
