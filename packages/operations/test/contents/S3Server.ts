/**
 * A service that speaks S3, on loopback with TLS: the store is s3rver's. In front of it each request is
 * checked as strictly as Amazon's: its signature (AWS4-HMAC-SHA256, of which s3rver checks nothing), and
 * that the body is what its checksum says.
 */
import { authority, certificate, key } from "@quittance/testing/Certificate"
import { Effect } from "effect"
import { createHash, createHmac } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import * as http from "node:http"
import * as https from "node:https"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import * as path from "node:path"
import S3rver from "s3rver"

const secret = "S3RVER"

/** What befalls requests. */
type Trouble = "NONE" | "AWAY" | "CUT"

export interface S3Service {
  readonly endpoint: string
  readonly authorities: string
  /** From now on. */
  trouble: Trouble
  /** Requests that were refused, by the code of their answer. */
  readonly refused: Array<string>
}

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest()
const sha256 = (bytes: string | Uint8Array, form: "hex" | "base64") =>
  createHash("sha256").update(bytes).digest(form)

/** The signature that a request has to have (AWS, “Signature Version 4”). */
const signatureOf = (request: http.IncomingMessage, credential: string, signed: string) => {
  const url = new URL(request.url!, "https://s3.test")
  url.searchParams.sort()
  const canonical = [
    request.method,
    url.pathname,
    url.searchParams.toString().replaceAll("+", "%20"),
    ...signed.split(";").map((name) => `${name}:${String(request.headers[name]).trim()}`),
    "",
    signed,
    request.headers["x-amz-content-sha256"]
  ].join("\n")
  const [, day = "", region = "", service = "", end = ""] = credential.split("/")
  const text = [
    "AWS4-HMAC-SHA256",
    request.headers["x-amz-date"],
    [day, region, service, end].join("/"),
    sha256(canonical, "hex")
  ].join("\n")
  const key = [region, service, end].reduce<Buffer>(hmac, hmac(`AWS4${secret}`, day))
  return hmac(key, text).toString("hex")
}

/** The code of the answer to a request that is not as it has to be. */
const fault = (request: http.IncomingMessage, body: Buffer): string | undefined => {
  const form = /^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/u
  const [, credential = "", signed = "", signature] =
    form.exec(request.headers.authorization ?? "") ?? []
  if (signature !== signatureOf(request, credential, signed)) return "SignatureDoesNotMatch"
  const hash = request.headers["x-amz-content-sha256"]
  if (hash !== "UNSIGNED-PAYLOAD" && hash !== sha256(body, "hex"))
    return "XAmzContentSHA256Mismatch"
  const checksum = request.headers["x-amz-checksum-sha256"]
  if (checksum !== undefined && checksum !== sha256(body, "base64")) return "BadDigest"
  if (request.method === "PUT" && checksum === undefined) return "MissingChecksum"
  return undefined
}

const bodyOf = async (request: http.IncomingMessage) => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Where s3rver listens, and the connections to it. */
interface Behind {
  readonly port: number
  readonly agent: http.Agent
}

const forward = (
  { agent, port }: Behind,
  from: http.IncomingMessage,
  body: Buffer,
  to: http.ServerResponse,
  cut: boolean
) => {
  const { headers, method, url } = from
  const options = { agent, port, host: "127.0.0.1", path: url, method, headers }
  const onward = http.request(options, (answer) => {
    to.writeHead(answer.statusCode!, answer.headers)
    if (!cut) return answer.pipe(to)
    return void bodyOf(answer).then((whole) => {
      to.write(whole.subarray(0, whole.length / 2))
      setImmediate(() => to.destroy())
    })
  })
  onward.on("error", () => to.destroy())
  to.on("close", () => onward.destroy())
  onward.end(body)
}

const listening = (server: http.Server | https.Server) =>
  new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port))
  })

const start = async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "quittance-s3-"))
  const store = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory: path.join(folder, "objects"),
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: "contents" }]
  })
  const { port } = await store.run()
  const behind = { port, agent: new http.Agent({ keepAlive: true }) }
  const authorities = path.join(folder, "authority.pem")
  writeFileSync(authorities, authority)
  const service: S3Service = { endpoint: "", authorities, trouble: "NONE", refused: [] }
  const gate = https.createServer({ cert: certificate, key }, (request, response) => {
    if (service.trouble === "AWAY") return void request.socket.destroy()
    return void bodyOf(request).then(
      (body) => {
        const code = fault(request, body)
        if (code === undefined) {
          return forward(behind, request, body, response, service.trouble === "CUT")
        }
        service.refused.push(code)
        response.writeHead(403, { "content-type": "application/xml" })
        return response.end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`)
      },
      () => response.destroy()
    )
  })
  const endpoint = `https://127.0.0.1:${await listening(gate)}`
  const stop = async () => {
    const closed = new Promise((resolve) => gate.close(resolve))
    gate.closeAllConnections()
    await closed
    behind.agent.destroy()
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { service: Object.assign(service, { endpoint }), stop }
}

/** The service, until the scope ends. */
export const make = Effect.map(
  Effect.acquireRelease(Effect.promise(start), ({ stop }) => Effect.promise(stop)),
  ({ service }) => service
)
