/**
 * `pnpm chaos hosts`: two machines with workers, each with its own network, and PgBouncer in transaction
 * mode between them and the database. They are killed like any others, and an API on one of them takes
 * a payment; the audit is the same.
 */
import { firstPartyClientId } from "@quittance/domain/access/Client"
import type { UserId } from "@quittance/domain/requests/Caller"
import { KeyEncryption } from "@quittance/operations/tokens/KeyEncryption"
import { AuthorizationServerKeys } from "@quittance/operations/tokens/SigningKeys"
import { Issuers } from "@quittance/operations/tokens/Issuers"
import { TokenIssuer } from "@quittance/operations/tokens/TokenIssuer"
import { ConfigProvider, Console, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import * as Campaign from "./Campaign.ts"
import type { Site } from "./Destruction.ts"
import * as Namespaces from "./Namespaces.ts"
import * as PgBouncer from "./PgBouncer.ts"
import * as Report from "./Report.ts"
import type { Shaken } from "./Shaken.ts"
import * as Worker from "./Worker.ts"
import { keyEncryptionKey } from "./World.ts"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

/** Of the payment that is asked for through an API. */
const reference = "two hosts"

const pooled = { DATABASE_POOLER: "transaction" }

const siteOf = Effect.fnUntraced(function* (shaken: Shaken) {
  const port = yield* PgBouncer.start(shaken)
  const loopback = { harness: "127.0.0.1", own: "127.0.0.1", command: [], env: pooled }
  const hosts = Namespaces.isPrivate() ? Namespaces.hosts(2, pooled) : [loopback]
  return { hosts, port: () => port } satisfies Site
})

/** A token of the manager of the first tenant, and an invoice there that is not paid. */
const errand = Effect.fnUntraced(function* ({ asSuperuser, services }: Campaign.Ended) {
  const [found] = yield* asSuperuser(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ readonly tenant: string; readonly user: UserId; readonly invoice: string }>`
        SELECT d.tenant_id AS tenant, u.id AS user, d.id AS invoice
        FROM invoice d JOIN app_user u ON u.tenant_id = d.tenant_id
        WHERE d.status = 'ISSUED' ORDER BY d.id LIMIT 1
      `
    )
  )
  const { invoice, tenant, user } = found!
  const keys = AuthorizationServerKeys.layer.pipe(
    Layer.provide(KeyEncryption.layerOf(keyEncryptionKey))
  )
  const token = yield* Effect.gen(function* () {
    yield* AuthorizationServerKeys.use(({ ensure }) => ensure)
    return yield* TokenIssuer.use((issuer) => issuer.user(user, firstPartyClientId, randomUUID()))
  }).pipe(
    Effect.provide(
      Layer.mergeAll(TokenIssuer.layer, keys).pipe(
        Layer.provide([
          KeyEncryption.layerOf(keyEncryptionKey),
          Issuers.layerOf(Worker.authUrl, Worker.baseUrl)
        ])
      )
    ),
    Effect.provideService(CurrentTenant, TenantId.make(tenant)),
    Effect.provideContext(services)
  )
  return { invoice, tenant, token }
})

/** Pays an invoice through an API on the first machine, twice with one key; the statuses answered. */
const payThere = Effect.fnUntraced(function* (ended: Campaign.Ended) {
  const { invoice, tenant, token } = yield* errand(ended)
  const { host, port, url } = ended.victims[0]!
  const child = Worker.program(Worker.appProgram("public-api"), host, {
    HOST: host.own,
    PORT: `${port}`,
    DATABASE_URL: url
  })
  const at = `http://${host.own}:${port}`
  const pay = () =>
    fetch(`${at}/payments/invoices/${invoice}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        tenant,
        "content-type": "application/json",
        "idempotency-key": "chaos-hosts"
      },
      body: JSON.stringify({ amount: 1, method: "BANK_TRANSFER", reference })
    })
  return yield* Effect.promise(async () => {
    for (let left = 200; left > 0; left--) {
      const ready = await fetch(`${at}/health/ready`).catch(() => undefined)
      if (ready?.status === 200) break
      await sleep(100)
    }
    const answers = [await pay(), await pay()]
    return answers.map(({ status }) => status)
  }).pipe(Effect.ensuring(Worker.kill(child)))
})

/** Whether all of it held; also where this machine has not what it takes, which is then said. */
export const run = Effect.fn("Hosts.run")(function* (settings: Campaign.Settings) {
  const pooler = PgBouncer.version()
  if (pooler === undefined) {
    yield* Console.log("PgBouncer is not installed, so nothing is shown: apt-get install pgbouncer")
    return true
  }
  const ended = yield* Campaign.run(settings, siteOf).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(pooled))
  )
  const statuses = yield* payThere(ended)
  yield* Campaign.settle(ended)
  const payments = yield* ended.asSuperuser(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<object>`SELECT id FROM payment WHERE reference = ${reference}`
    )
  )
  yield* Console.log(
    `${pooler} in transaction mode, ${ended.site.hosts.length} networks; a payment through the API there, asked for twice: ${statuses.join(", ")}, recorded ${payments.length} times`
  )
  const isSound = yield* Report.print(settings, ended)
  return isSound && payments.length === 1 && statuses.every((status) => status === 201)
})
