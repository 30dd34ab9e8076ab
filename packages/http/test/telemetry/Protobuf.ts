/** As much of the wire form of Protocol Buffers as it takes to read spans of OTLP. */
import type { SentSpan } from "./Collecting.ts"

/** The fields of a message in their order: lengths of bytes as bytes, everything else as a number. */
const fieldsOf = (message: Buffer): ReadonlyArray<readonly [number, Buffer | bigint]> => {
  const found: Array<readonly [number, Buffer | bigint]> = []
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at++)
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return value
    }
  }
  while (at < message.length) {
    const tag = Number(varint())
    const field = tag >> 3
    const type = tag & 7
    if (type === 0) found.push([field, varint()])
    else if (type === 1) found.push([field, message.readBigUInt64LE((at += 8) - 8)])
    else if (type === 5) found.push([field, BigInt(message.readUInt32LE((at += 4) - 4))])
    else if (type === 2) {
      const length = Number(varint())
      found.push([field, message.subarray(at, (at += length))])
    } else throw new Error(`No type of the wire form: ${type}`)
  }
  return found
}

const all = (message: Buffer, field: number): ReadonlyArray<Buffer> =>
  fieldsOf(message).flatMap(([number, value]) =>
    number === field && Buffer.isBuffer(value) ? [value] : []
  )

const one = (message: Buffer, field: number) => all(message, field)[0] ?? Buffer.alloc(0)

const numberOf = (message: Buffer, field: number): number => {
  const [, value = 0n] = fieldsOf(message).find(([number]) => number === field) ?? []
  return Number(value)
}

const attribute = (message: Buffer): SentSpan["attributes"][number] => {
  const value = one(message, 2)
  const [text] = all(value, 1)
  return {
    key: one(message, 1).toString(),
    value: text === undefined ? { intValue: numberOf(value, 3) } : { stringValue: text.toString() }
  }
}

/** The spans of a batch, by `opentelemetry/proto/trace/v1/trace.proto`. */
export const spansOf = (batch: Buffer): ReadonlyArray<SentSpan> =>
  all(batch, 1)
    .flatMap((resource) => all(resource, 2))
    .flatMap((scope) => all(scope, 2))
    .map((span) => ({
      traceId: one(span, 1).toString("hex"),
      spanId: one(span, 2).toString("hex"),
      name: one(span, 5).toString(),
      kind: numberOf(span, 6),
      attributes: all(span, 9).map(attribute),
      events: all(span, 11).map((event) => ({
        name: one(event, 2).toString(),
        attributes: all(event, 3).map(attribute)
      })),
      links: all(span, 13).map((link) => ({
        traceId: one(link, 1).toString("hex"),
        spanId: one(link, 2).toString("hex")
      })),
      status: { code: numberOf(one(span, 15), 3) }
    }))
