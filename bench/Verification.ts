/** What it costs to verify a token that was seen before, revocations of the last second included. */
import { AccessTokens } from "@quittance/operations/tokens/AccessTokens"
import { AuthorizationServer } from "@quittance/operations/authorization-server/TokenGrants"
import { AuthorizationServerClients } from "@quittance/operations/authorization-server/ClientAuthentication"
import { runtimeRole } from "@quittance/persistence/sql/Roles"
import * as Sql from "@quittance/persistence/sql/Sql"
import { Effect, Redacted } from "effect"
import * as AuthWorld from "./AuthWorld.ts"
import { type Bar, median } from "./Interleaved.ts"
import { sized } from "./Smoke.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const rounds = sized(40, 2)
const warmUp = sized(10, 0)
const perRound = sized(20_000, 100)
const limitMicros = 10

/** The token of a tenant's first client. */
export const tokenOf = Effect.fn("tokenOf")(function* (turn: number) {
  const clients = yield* AuthorizationServerClients
  const server = yield* AuthorizationServer
  const credentials = {
    _tag: "Basic",
    id: AuthWorld.clientOf(1),
    secret: Redacted.make(AuthWorld.secret)
  } as const
  const client = yield* clients.authenticate(credentials, `192.0.2.${turn % 256}`)
  const answer = yield* server.token(client, new Map([["grant_type", "client_credentials"]]))
  return Redacted.make(answer.access_token)
})

const used = () => {
  const { system, user } = process.cpuUsage()
  return system + user
}

const measure = Effect.gen(function* () {
  const tokens = yield* AccessTokens
  const token = yield* tokenOf(1)
  const verifications = Effect.gen(function* () {
    for (let turn = 0; turn < perRound; turn++) yield* tokens.verify(token)
  })
  const micros: Array<number> = []
  for (let round = 0; round < rounds + warmUp; round++) {
    const before = used()
    yield* verifications
    if (round >= warmUp) micros.push((used() - before) / perRound)
  }
  return median(micros)
})

export const bar = Effect.gen(function* () {
  const database = yield* AuthWorld.database(1, 1)
  const services = AuthWorld.layer(yield* Sql.pool(database.url, runtimeRole))
  const micros = yield* measure.pipe(
    Effect.provideService(CurrentTenant, AuthWorld.tenantOf(1)),
    Effect.provide(services)
  )
  const result: Bar = {
    what: `the verification of a token seen before, in ${limitMicros} µs of processor time`,
    ratio: micros / limitMicros,
    limit: 1,
    micros: [limitMicros, micros]
  }
  return result
})
