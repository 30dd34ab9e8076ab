/** Worlds whose letters go out by a transport that the test steers. */
import { OutgoingMailRepo } from "@quittance/persistence/access/OutgoingMailRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer, References } from "effect"
import { SqlClient } from "effect/sql"
import { AccessTokens } from "../src/tokens/AccessTokens.ts"
import { Accounts } from "../src/access/Accounts.ts"
import { Invitations } from "../src/access/Invitations.ts"
import { Issuers } from "../src/tokens/Issuers.ts"
import { OutgoingMail } from "../src/access/OutgoingMail.ts"
import { OneTimeLinkKey } from "../src/access/OneTimeLinkKey.ts"
import { Mailer, type MailNotSent } from "../src/mail/Mailer.ts"
import type { MailMessage } from "../src/mail/MailMessage.ts"
import { unlimited } from "./Unlimited.ts"
import * as World from "./World.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

type Step = (message: MailMessage) => Effect.Effect<void, MailNotSent>
const nothing: Step = () => Effect.void

/** What was sent, and what the transport does before and after it keeps a message. */
export const sent: Array<MailMessage> = []
export const steps = { before: nothing, after: nothing }

export const transport = Layer.succeed(Mailer, {
  send: (message) =>
    Effect.suspend(() => steps.before(message)).pipe(
      Effect.andThen(Effect.sync(() => sent.push(message))),
      Effect.andThen(Effect.suspend(() => steps.after(message)))
    )
})

export const issuers = Issuers.layerOf("https://{tenant}.auth.test", "https://api.test")

export const TestLayer = Layer.mergeAll(
  Accounts.layer,
  Invitations.layer,
  OutgoingMail.layer,
  OutgoingMailRepo.layer,
  OneTimeLinkKey.layer
).pipe(
  Layer.provide(AccessTokens.layer),
  Layer.provide(transport),
  Layer.provide(issuers),
  Layer.provideMerge(unlimited),
  Layer.provideMerge(World.layer)
)

/** What a test has done to the transport ends with it; what a sender logs is no finding. */
export const quietly = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.ensuring(
      Effect.sync(() => {
        sent.length = 0
        steps.before = nothing
        steps.after = nothing
      })
    ),
    Effect.provideService(References.MinimumLogLevel, "None")
  )

export const round = Effect.flatMap(OutgoingMail, (letters) => letters.round)

export const invite = Effect.fnUntraced(function* (
  world: World.World,
  email: string,
  names: { readonly firstName?: string; readonly lastName?: string } = {}
) {
  const invitations = yield* Invitations
  const permissions = [{ role: "BROKER", on: { kind: "TENANT" } }] as const
  const input = { email, permissions, ...names }
  return (yield* World.as(world, world.manager)(invitations.create(input))).id
})

export const inTenant =
  ({ tenant }: World.World) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(effect, CurrentTenant, tenant)

/** Lets every letter of a tenant that waits for another try be due. */
export const passTime = (world: World.World) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const tenantSql = yield* TenantSql
    yield* tenantSql.transaction(
      tenantSql.write(sql`
        UPDATE letter SET due_at = clock_timestamp()
        WHERE tenant_id = ${world.tenant} AND due_at < 'infinity'
      `)
    )
  }).pipe(inTenant(world))

interface Waiting {
  readonly id: string
  readonly attempts: number
  readonly isLost: boolean
  /** Seconds, rounded. */
  readonly pause: number
}

export const waiting = (world: World.World) =>
  Effect.gen(function* () {
    const sql = yield* SuperuserSql
    return yield* sql<Waiting>`
      SELECT invitation_id AS id, attempts, due_at = 'infinity' AS is_lost,
        CASE WHEN isfinite(due_at)
          THEN ceil(extract(epoch FROM due_at - clock_timestamp()))::int ELSE 0 END AS pause
      FROM letter WHERE tenant_id = ${world.tenant} ORDER BY invitation_id
    `
  })

export const addresses = () => sent.map(({ to }) => to).sort()
