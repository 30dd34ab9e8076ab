/** The timestamp authority of a sandbox: it answers as those on the network do, by the sandbox's own key. */
import { BitString } from "asn1js"
import { Clock, DateTime, Effect, Layer, Result } from "effect"
import { PKIStatus, PKIStatusInfo, TimeStampReq, TimeStampResp, TSTInfo, ContentInfo } from "pkijs"
import { randomBytes } from "node:crypto"
import { signCms } from "./Cms.ts"
import { encode, oids, owned } from "./Der.ts"
import type { Signer } from "./Signer.ts"
import { positive, readTimestampResponse, timestampRequest } from "./Timestamp.ts"
import { TimestampAuthority, TimestampFailed } from "./TimestampAuthority.ts"

/** Under the number that RFC 5612 reserves for examples: no law and no trust list knows this policy. */
const policy = "1.3.6.1.4.1.32473.1"

/** Answers a question in DER, at the time of the clock; one that is no good is refused, as the RFC says. */
export const answer = Effect.fnUntraced(function* (signer: Signer, request: Uint8Array) {
  const asked = read(request)
  if (asked === undefined) return refusal
  const now = DateTime.makeUnsafe(yield* Clock.currentTimeMillis)
  const { messageImprint, nonce } = asked
  const info = new TSTInfo({
    version: 1,
    policy,
    messageImprint,
    serialNumber: positive(randomBytes(16)),
    genTime: DateTime.toDateUtc(now),
    ...(nonce === undefined ? {} : { nonce })
  })
  const signature = yield* signCms(signer, {
    type: oids.tstInfo,
    bytes: encode(info.toSchema())
  })
  const token = ContentInfo.fromBER(owned(signature.withTimestamp(undefined)))
  const status = new PKIStatusInfo({ status: PKIStatus.granted })
  return encode(new TimeStampResp({ status, timeStampToken: token }).toSchema())
})

const read = (request: Uint8Array): TimeStampReq | undefined => {
  try {
    const asked = TimeStampReq.fromBER(owned(request))
    const { hashAlgorithm, hashedMessage } = asked.messageImprint
    const isGood =
      hashAlgorithm.algorithmId === oids.sha256 &&
      hashedMessage.valueBlock.valueHexView.length === 32
    return isGood ? asked : undefined
  } catch {
    return undefined
  }
}

/** `badDataFormat` is bit 5 of the failures (RFC 3161, section 2.4.2). */
const refusal = encode(
  new TimeStampResp({
    status: new PKIStatusInfo({
      status: PKIStatus.rejection,
      failInfo: new BitString({ valueHex: owned(Buffer.from([0x04])), unusedBits: 2 })
    })
  }).toSchema()
)

/** The authority that answers by this signer. */
export const make = (signer: Signer): TimestampAuthority["Service"] =>
  TimestampAuthority.of({
    stamp: Effect.fn("TimestampAuthority.stamp")(function* (imprint: Uint8Array) {
      const nonce = randomBytes(8)
      const response = yield* answer(signer, timestampRequest(imprint, nonce)).pipe(
        Effect.mapError(({ detail }) => new TimestampFailed({ reason: "UNAVAILABLE", detail }))
      )
      const token = readTimestampResponse(response, { imprint, nonce })
      return Result.isSuccess(token)
        ? token.success
        : yield* new TimestampFailed({ reason: "ANSWER", detail: token.failure })
    })
  })

/** The authority as a service of this program. */
export const layer = (signer: Signer): Layer.Layer<TimestampAuthority> =>
  Layer.succeed(TimestampAuthority, make(signer))
