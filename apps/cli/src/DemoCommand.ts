/** `quittance demo`: tells the story of a policy, on the sandbox that runs or on one of its own. */
import { Issuers } from "@quittance/operations/tokens/Issuers"
import { Console, Effect, Layer } from "effect"
import { Command, Flag } from "effect/cli"
import { HttpClient } from "effect/http"
import * as Demo from "./Demo.ts"
import { Narrator } from "./Demo/Narrator.ts"
import * as OwnSandbox from "./Demo/OwnSandbox.ts"
import * as LocalHttpClient from "./LocalHttpClient.ts"
import { asProblems } from "./Problem.ts"
import { Tokens } from "./Tokens.ts"
import { TenantId } from "@quittance/domain/requests/Tenancy"

const isThere = (baseUrl: string) =>
  HttpClient.get(`${baseUrl}/health/live`).pipe(
    Effect.timeout("2 seconds"),
    Effect.map(({ status }) => status === 200),
    Effect.orElseSucceed(() => false)
  )

/** Where the story takes place, and what to do after it. */
const place = Effect.gen(function* () {
  const configured = yield* Effect.provide(Issuers, Issuers.layer)
  const baseUrl = configured.audience
  if (yield* isThere(baseUrl)) {
    const next = `Run it again and it sells the next policy. ${baseUrl}/docs has every route it called.`
    return { issuers: configured, next }
  }
  yield* Console.log(`Nothing answers at ${baseUrl}: the demo starts a sandbox of its own …`)
  const port = yield* OwnSandbox.start
  const authUrl = `http://{tenant}.auth.localhost:${port}`
  const own = Issuers.layerOf(authUrl, `http://localhost:${port}`)
  const next = "This sandbox goes now. Start one that stays: npx -y pnpm@12 start"
  return { issuers: yield* Effect.provide(Issuers, own), next }
})

export const demoCommand = Command.make(
  "demo",
  {
    tenant: Flag.String("tenant").pipe(
      Flag.withAlias("t"),
      Flag.withDescription("The sandbox's tenant whose clock the demo moves"),
      Flag.withSchema(TenantId),
      Flag.withDefault(TenantId.make("globex"))
    )
  },
  ({ tenant }) =>
    Effect.gen(function* () {
      const { issuers, next } = yield* place
      yield* Effect.provide(
        Demo.run(issuers.audience, tenant),
        Layer.mergeAll(Tokens.layer, Narrator.layer).pipe(
          Layer.provide(Layer.succeed(Issuers, issuers))
        )
      )
      yield* Console.log(`    ${next}\n`)
    }).pipe(Effect.scoped, Effect.provide(LocalHttpClient.layer), asProblems)
).pipe(
  Command.withDescription("Watch a policy from its quote to its unpaid invoices, figures checked")
)
