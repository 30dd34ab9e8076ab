/** `quittance token`: prints an access token and nothing else, so that a shell can use it. */
import { Issuers } from "@quittance/operations/tokens/Issuers"
import { Console, Effect, Layer, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as LocalHttpClient from "./LocalHttpClient.ts"
import { asProblems } from "./Problem.ts"
import { Tokens } from "./Tokens.ts"
import { TenantId } from "@quittance/domain/requests/Tenancy"

const tenant = Flag.String("tenant").pipe(
  Flag.withAlias("t"),
  Flag.withDescription("The tenant whose authorization server is asked"),
  Flag.withSchema(TenantId)
)

const layer = Tokens.layer.pipe(Layer.provide([Issuers.layer, LocalHttpClient.layer]))

const print = <R>(token: Effect.Effect<string, Error, R>) =>
  asProblems(token.pipe(Effect.flatMap(Console.log), Effect.provide(layer)))

const client = Command.make(
  "client",
  {
    id: Argument.String("id").pipe(Argument.withDescription("The client's id")),
    secret: Argument.Redacted("secret").pipe(Argument.withDescription("The client's secret")),
    scope: Flag.String("scope").pipe(
      Flag.withDescription("Scopes separated by one space; all that were granted by default"),
      Flag.optional
    ),
    tenant
  },
  ({ id, scope, secret, tenant }) =>
    print(
      Tokens.use((tokens) =>
        tokens.ofClient(tenant, {
          id,
          secret,
          ...Option.match(scope, { onNone: () => ({}), onSome: (scope) => ({ scope }) })
        })
      )
    )
).pipe(
  Command.withDescription("The token of a client, by the client credentials grant"),
  Command.withExamples([
    {
      command: "quittance token client acme-integration acme-integration-secret --tenant acme",
      description: "All scopes that the sandbox's integration client was granted"
    }
  ])
)

const user = Command.make(
  "user",
  {
    email: Argument.String("email").pipe(Argument.withDescription("The user's e-mail address")),
    password: Argument.Redacted("password").pipe(Argument.withDescription("The user's password")),
    tenant
  },
  ({ email, password, tenant }) =>
    print(Tokens.use((tokens) => tokens.ofUser(tenant, { email, password })))
).pipe(
  Command.withDescription("The token of a user, by the login page and PKCE"),
  Command.withExamples([
    {
      command: "quittance token user manager@acme.test sandbox-password --tenant acme",
      description: "The sandbox's manager, who may do everything in the tenant"
    }
  ])
)

const anonymous = Command.make("anonymous", { tenant }, ({ tenant }) =>
  print(Tokens.use((tokens) => tokens.ofVisitor(tenant)))
).pipe(Command.withDescription("The token of a new anonymous session"))

export const tokenCommand = Command.make("token").pipe(
  Command.withDescription("Print an access token, got through the real flows"),
  Command.withSubcommands([client, user, anonymous])
)
