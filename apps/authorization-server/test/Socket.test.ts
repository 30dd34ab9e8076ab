/** What only shows on a real connection: headers as they were sent, the address of the peer. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { connect } from "node:net"
import * as OnSocket from "./OnSocket.ts"
import * as Server from "./Server.ts"

/** Sends a request as it is written, and reads until the server closes the connection. */
const send = Effect.fn(function* (lines: ReadonlyArray<string>, body = "") {
  const port = yield* OnSocket.port
  const head = [...lines, "Connection: close", `Content-Length: ${body.length}`, "", body]
  return yield* Effect.callback<string>((resume) => {
    let answer = ""
    const socket = connect(port, "127.0.0.1", () => socket.write(head.join("\r\n")))
    socket.on("data", (chunk) => (answer += chunk.toString()))
    socket.on("close", () => resume(Effect.succeed(answer)))
    socket.on("error", (error) => resume(Effect.die(error)))
    return Effect.sync(() => socket.destroy())
  })
})

const status = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/u.exec(answer)?.[1])

layer(OnSocket.TestLayer, { excludeTestServices: true })("on a connection", (it) => {
  const form = "grant_type=client_credentials&scope=platform/policies"
  const type = "Content-Type: application/x-www-form-urlencoded"
  const basic = (id: string, secret: string) =>
    `Authorization: Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`

  it.effect("TN-14 HT-03 a request with two hosts, or none, is refused", () =>
    Effect.gen(function* () {
      const [tenant, other] = [yield* Server.newTenant, yield* Server.newTenant]
      const credentials = basic(`${tenant}-integration`, `${tenant}-integration-secret`)
      const hosts = [[`Host: ${tenant}.auth.localhost`, `Host: ${other}.auth.localhost`], []]
      for (const host of hosts) {
        const answer = yield* send(
          ["POST /oauth2/token HTTP/1.1", ...host, type, credentials],
          form
        )
        assert.strictEqual(status(answer), 400)
        assert.notInclude(answer, "access_token")
      }
      const one = [`Host: ${tenant}.auth.localhost`]
      const answer = yield* send(["POST /oauth2/token HTTP/1.1", ...one, type, credentials], form)
      assert.strictEqual(status(answer), 200)
    })
  )

  it.effect("TE-31 a request with two credentials is refused, right or wrong", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const credentials = [
        basic(`${tenant}-integration`, `${tenant}-integration-secret`),
        basic(`${tenant}-billing`, `${tenant}-billing-secret`)
      ]
      const head = ["POST /oauth2/token HTTP/1.1", `Host: ${tenant}.auth.localhost`, type]
      const answer = yield* send([...head, ...credentials], form)
      assert.deepStrictEqual([status(answer), answer.includes("invalid_request")], [400, true])
    })
  )

  it.effect("RT-03 wrong secrets are counted by the address of the peer", () =>
    Effect.gen(function* () {
      const tenant = yield* Server.newTenant
      const head = ["POST /oauth2/token HTTP/1.1", `Host: ${tenant}.auth.localhost`, type]
      const wrong = basic(`${tenant}-integration`, "wrong")
      const answers: Array<number> = []
      for (let i = 0; i < 21; i++) {
        answers.push(status(yield* send([...head, wrong, `X-Forwarded-For: 192.0.2.${i}`], form)))
      }
      assert.deepStrictEqual(answers, [...Array<number>(20).fill(401), 429])
    })
  )
})
