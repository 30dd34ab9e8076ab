/**
 * What a token costs at the token endpoint, by HTTP, against a bare signature in the same process. The
 * program is the authorization servers' own, with its log, limits and PostgreSQL; what counts is its
 * processor time, so neither the caller nor the neighbours do.
 */
import { tokenLimit } from "@quittance/domain/tokens/Token"
import { freePort } from "@quittance/embedded-postgres/FreePort"
import { Effect, Redacted } from "effect"
import { Agent, request } from "node:http"
import { setTimeout } from "node:timers/promises"
import * as AuthWorld from "./AuthWorld.ts"
import * as Forked from "./Forked.ts"
import { type Bar, median } from "./Interleaved.ts"
import { sized } from "./Smoke.ts"

const rounds = sized(40, 1)
const warmUp = sized(12, 0)
/** Each round has clients of its own, who use up what they may have in a minute. */
const clientsPerRound = 10
const tokensPerRound = clientsPerRound * tokenLimit.limit
const atOnce = 16

const tenant = AuthWorld.tenantOf(1)
const body = "grant_type=client_credentials"

/** The status of the answer to one client's request for a token. */
const post = (agent: Agent, port: number, client: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = {
      host: `${tenant}.auth.localhost:${port}`,
      authorization: `Basic ${Buffer.from(`${client}:${AuthWorld.secret}`).toString("base64")}`,
      "content-type": "application/x-www-form-urlencoded",
      "content-length": body.length
    }
    const options = { agent, host: "127.0.0.1", port, method: "POST", path: "/oauth2/token" }
    const call = request({ ...options, headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0))
    })
    call.on("error", reject).end(body)
  })

const askForTokens = async (agent: Agent, port: number, round: number) => {
  let left = tokensPerRound
  const caller = async () => {
    while (left-- > 0) {
      const turn = 1 + round * clientsPerRound + (left % clientsPerRound)
      const status = await post(agent, port, AuthWorld.clientOf(turn))
      if (status !== 200) throw new Error(`The token endpoint answered ${status}.`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, caller))
}

const untilReady = async (port: number) => {
  for (let tries = 0; tries < 600; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined)
    if (answer?.status === 200) return
    await setTimeout(100)
  }
  throw new Error("The authorization servers are not ready after a minute.")
}

/** The authorization servers as they run in production, on a free port. */
const program = Effect.gen(function* () {
  const database = yield* AuthWorld.database(1, clientsPerRound * (rounds + warmUp))
  const port = yield* Effect.promise(freePort)
  const process = yield* Forked.start("../apps/authorization-server/src/main.ts", {
    ENVIRONMENT: "production",
    PORT: `${port}`,
    MANAGEMENT_PORT: "0",
    BASE_URL: `https://localhost:${port}`,
    AUTH_URL: `https://{tenant}.auth.localhost:${port}`,
    DATABASE_URL: Redacted.value(database.url),
    KEY_ENCRYPTION_KEY: AuthWorld.keyEncryptionKey.toString("base64url")
  })
  yield* Effect.promise(() => untilReady(port))
  return { port, process }
})

export const bar = Effect.gen(function* () {
  const { port, process } = yield* program
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  const used = Effect.map(Forked.ask(process, { ask: "used" }), ({ micros }) => micros)
  const measured: Array<readonly [bare: number, endpoint: number]> = []
  for (let round = 0; round < rounds + warmUp; round++) {
    const bare = yield* Forked.ask(process, { ask: "sign", tokens: tokensPerRound, atOnce })
    const before = yield* used
    yield* Effect.promise(() => askForTokens(agent, port, round))
    const endpoint = (yield* used) - before
    if (round >= warmUp) measured.push([bare.micros / tokensPerRound, endpoint / tokensPerRound])
  }
  agent.destroy()
  const result: Bar = {
    what: "a token by HTTP ÷ a bare ES256 signature by jose, processor time of one process",
    ratio: median(measured.map(([bare, endpoint]) => endpoint / bare)),
    limit: 2,
    micros: [
      median(measured.map(([bare]) => bare)),
      median(measured.map(([, endpoint]) => endpoint))
    ]
  }
  return result
})
