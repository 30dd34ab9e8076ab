/** Timestamps of RFC 3161, over real sockets and as OpenSSL asks and judges them. */
import { OutgoingCalls } from "@quittance/outgoing/OutgoingCalls"
import { Resolver } from "@quittance/outgoing/Resolver"
import { writePem } from "@quittance/signatures/CertificatePath"
import * as HttpTimestampAuthority from "@quittance/signatures/HttpTimestampAuthority"
import { answer } from "@quittance/signatures/SandboxTimestampAuthority"
import {
  readTimestampResponse,
  timestampRequest,
  verifyToken
} from "@quittance/signatures/Timestamp"
import { TimestampAuthority } from "@quittance/signatures/TimestampAuthority"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Result } from "effect"
import { createHash, randomBytes } from "node:crypto"
import * as http from "node:http"
import type * as net from "node:net"
import { authority, stamper, stamping } from "./Scene.ts"
import { judged, made } from "./Tools.ts"

const content = "what is stamped"
const imprint = createHash("sha256").update(content).digest()

type Answer = (request: Buffer) => Promise<{ readonly status?: number; readonly body: Uint8Array }>

/** An authority that listens, and what asks it. */
const listening = Effect.fnUntraced(function* (reply: Answer) {
  const server = http.createServer(async (request, response) => {
    const { body, status = 200 } = await reply(Buffer.concat(await request.toArray()))
    response.writeHead(status, { "content-type": "application/timestamp-reply" }).end(body)
  })
  yield* Effect.acquireRelease(
    Effect.promise(
      () => new Promise((ready) => server.listen(0, "127.0.0.1", () => ready(undefined)))
    ),
    () =>
      Effect.promise(() => {
        server.closeAllConnections()
        return new Promise((closed) => server.close(closed))
      })
  )
  // Of a server on an internet socket it is always this.
  const { port } = server.address() as net.AddressInfo
  return HttpTimestampAuthority.layer(`http://127.0.0.1:${port}/`).pipe(
    Layer.provide(OutgoingCalls.layer),
    Layer.provide(Layer.succeed(Resolver, async () => ["127.0.0.1"])),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({})))
  )
})

const sandbox: Answer = async (request) => ({
  body: await Effect.runPromise(answer(stamper, request))
})

const stamp = TimestampAuthority.use((tsa) => tsa.stamp(imprint))

it.live("asks an authority over HTTP, and proves when bytes existed", () =>
  Effect.gen(function* () {
    const token = yield* Effect.provide(stamp, yield* listening(sandbox))
    const anchors = [authority.certificate]
    const until = Number.MAX_SAFE_INTEGER
    assert.deepStrictEqual(verifyToken(token, { imprint, anchors, until }), Result.fail("ISSUER"))
    const inTime = authority.certificate.validToDate.getTime()
    const proven = verifyToken(token, { imprint, anchors, until: inTime })
    assert.isTrue(Result.isSuccess(proven))
    assert.deepStrictEqual(
      verifyToken(token, { imprint: randomBytes(32), anchors, until: inTime }),
      Result.fail("IMPRINT")
    )
    assert.deepStrictEqual(
      verifyToken(token, { imprint, anchors: [], until: inTime }),
      Result.fail("ISSUER")
    )
  }).pipe(Effect.scoped)
)

it.live("takes no answer but one to its own question", () =>
  Effect.gen(function* () {
    const earlier = yield* answer(stamper, timestampRequest(imprint, randomBytes(8)))
    const answers: ReadonlyArray<readonly [string, Answer]> = [
      ["ANSWER NONCE", async () => ({ body: earlier })],
      [
        "ANSWER IMPRINT",
        (request) => sandbox(timestampRequest(randomBytes(32), request.subarray(-8)))
      ],
      ["ANSWER REFUSED", () => sandbox(Buffer.from("no question"))],
      ["ANSWER FORM", async () => ({ body: Buffer.from("<html>") })],
      ["ANSWER FORM", async () => ({ body: earlier.subarray(0, -1) })],
      ["UNAVAILABLE status 503", async () => ({ status: 503, body: Buffer.from("") })],
      ["UNAVAILABLE the answer is too long", async () => ({ body: Buffer.alloc(70_000) })]
    ]
    for (const [expected, reply] of answers) {
      const { detail, reason } = yield* Effect.provide(Effect.flip(stamp), yield* listening(reply))
      assert.strictEqual(`${reason} ${detail}`, expected)
    }
  }).pipe(Effect.scoped)
)

it.live("answers OpenSSL, which verifies the answer", () =>
  Effect.gen(function* () {
    const question = made({ content }, "openssl ts -query -data content -sha256 -cert")
    const files = {
      question,
      content,
      answer: yield* answer(stamper, question),
      "ca.pem": writePem([authority.certificate])
    }
    const verify = "openssl ts -verify -in answer -CAfile ca.pem"
    for (const by of ["-queryfile question", "-data content"]) {
      const { text } = judged(files, `${verify} ${by}`)
      assert.include(text, "Verification: OK")
    }
    const other = judged({ ...files, content: "other" }, `${verify} -data content`)
    assert.include(other.text, "Verification: FAILED")
  })
)

it.live("reads what OpenSSL stamps", () =>
  Effect.gen(function* () {
    const nonce = randomBytes(8)
    const config = `[tsa]
default_tsa = own
[own]
dir = .
serial = ./serial
default_policy = 1.2.3.4
signer_digest = sha256
digests = sha256
accuracy = secs:1
ordering = yes
tsa_name = yes
ess_cert_id_alg = sha256`
    const files = {
      config,
      serial: "01",
      question: timestampRequest(imprint, nonce),
      "tsa.pem": writePem([stamper.certificate]),
      "ca.pem": writePem([authority.certificate]),
      "key.pem": stamping.key.export({ type: "pkcs8", format: "pem" })
    }
    const reply = made(
      files,
      "openssl ts -reply -config config -queryfile question -signer tsa.pem -inkey key.pem -chain ca.pem"
    )
    const token = Result.getOrThrow(readTimestampResponse(reply, { imprint, nonce }))
    const until = authority.certificate.validToDate.getTime()
    const anchors = [authority.certificate]
    assert.isTrue(Result.isSuccess(verifyToken(token, { imprint, anchors, until })))
  })
)
