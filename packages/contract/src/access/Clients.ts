import { CreateClient, PutClientKeys } from "@quittance/domain/access/ClientRequests"
import {
  ClientSecret,
  ClientSecretId,
  ClientView,
  NamedClientId
} from "@quittance/domain/access/Client"
import { Page } from "@quittance/domain/values/Page"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, idempotent, needs, unkeyed, RequestExample } from "./Access.ts"
import { accessErrors } from "./AccessErrors.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { NoMembers, pageQuery, triedQuery, writeHeaders } from "../requests/Parameters.ts"
import { RecentSignIn } from "../requests/RecentSignIn.ts"
import { bearer } from "../requests/Bearer.ts"

/** The secret is shown here and never again; it is stored as a hash. */
const secret = { clientSecret: Schema.RedactedFromValue(Schema.String) }

export const CreatedClient = Schema.Struct({
  ...ClientView.fields,
  clientSecret: Schema.optionalKey(secret.clientSecret)
}).annotate({ identifier: "CreatedClient" })

export const CreatedClientSecret = Schema.Struct({ ...ClientSecret.fields, ...secret }).annotate({
  identifier: "CreatedClientSecret"
})

export const ClientPage = Page(ClientView).annotate({ identifier: "ClientPage" })

const onClient = { params: { clientId: NamedClientId } }
/** No idempotency key: a secret is in no stored answer. */
const tried = { query: { dryRun: triedQuery.dryRun } }
const written = { query: triedQuery, headers: writeHeaders }
const repeated = [requestErrors.IdempotencyKeyInUse, requestErrors.IdempotencyKeyReused] as const

export class Clients extends bearer(
  HttpApiGroup.make("clients")
    .add(
      HttpApiEndpoint.post("create", "/admin/clients", {
        ...tried,
        payload: CreateClient,
        success: CreatedClient.pipe(HttpApiSchema.status(201)),
        error: [accessErrors.ClientIdTaken, accessErrors.InternalScope]
      })
        .annotateMerge(unkeyed)
        .annotateMerge(needs("client.write", "TENANT"))
        .middleware(RecentSignIn)
        .annotate(RequestExample, {
          clientId: "acme-integration",
          name: "Integration",
          scopes: ["platform/broker", "platform/billing"]
        })
        .annotate(OpenApi.Summary, "Add a client of the authorization server")
        .annotate(
          OpenApi.Description,
          "The secret is in this answer only. A person needs, on the whole tenant, all that the scopes let a client do and invite others to. The answer is not kept for a repetition: with a chosen `clientId` a second attempt is answered CLIENT_ID_TAKEN."
        ),
      HttpApiEndpoint.get("list", "/admin/clients", { query: pageQuery, success: ClientPage })
        .annotateMerge(needs("client.read", "TENANT"))
        .annotate(OpenApi.Summary, "List the clients, by their identifiers"),
      HttpApiEndpoint.get("get", "/admin/clients/:clientId", {
        ...onClient,
        success: ClientView,
        error: accessErrors.ClientNotFound
      })
        .annotateMerge(needs("client.read", "TENANT"))
        .annotate(OpenApi.Summary, "Read a client"),
      HttpApiEndpoint.post("addSecret", "/admin/clients/:clientId/secrets", {
        ...onClient,
        ...tried,
        payload: NoMembers,
        success: CreatedClientSecret.pipe(HttpApiSchema.status(201)),
        error: [accessErrors.ClientNotFound, accessErrors.TooManySecrets]
      })
        .annotateMerge(unkeyed)
        .annotateMerge(needs("client.write", "TENANT"))
        .middleware(RecentSignIn)
        .annotate(OpenApi.Summary, "Give a client a second secret")
        .annotate(
          OpenApi.Description,
          "Two may be valid at once: add the new one, let the client use it, delete the old one. `secretId` begins the SHA-256, in hexadecimal, of the secret's SHA-256."
        ),
      HttpApiEndpoint.delete("removeSecret", "/admin/clients/:clientId/secrets/:secretId", {
        params: { clientId: NamedClientId, secretId: ClientSecretId },
        ...written,
        success: HttpApiSchema.NoContent,
        error: [
          accessErrors.ClientNotFound,
          accessErrors.ClientSecretNotFound,
          accessErrors.LastSecret,
          ...repeated
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("client.write", "TENANT"))
        .middleware(RecentSignIn)
        .annotate(OpenApi.Summary, "Delete a secret of a client, but not its last credential")
        .annotate(OpenApi.Description, "Tokens that were got with it count until they expire."),
      HttpApiEndpoint.put("putKeys", "/admin/clients/:clientId/keys", {
        ...onClient,
        ...written,
        payload: PutClientKeys,
        success: ClientView,
        error: [
          accessErrors.ClientNotFound,
          accessErrors.LastSecret,
          accessErrors.TooManySecrets,
          ...repeated
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("client.write", "TENANT"))
        .middleware(RecentSignIn)
        .annotate(RequestExample, {
          keys: [
            {
              kid: "2026-04",
              kty: "EC",
              alg: "ES256",
              crv: "P-256",
              x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
              y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
            }
          ]
        })
        .annotate(OpenApi.Summary, "Replace the public keys of a client")
        .annotate(
          OpenApi.Description,
          "By one of them it authenticates with `private_key_jwt` (RFC 7523), and then may have no secret. Keys that are left out count no more after a second; to replace one, send it with the new one, later the new one alone."
        ),
      HttpApiEndpoint.delete("remove", "/admin/clients/:clientId", {
        ...onClient,
        ...written,
        success: HttpApiSchema.NoContent,
        error: [accessErrors.ClientNotFound, accessErrors.OwnAccount, ...repeated]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("client.write", "TENANT"))
        .middleware(RecentSignIn)
        .annotate(OpenApi.Summary, "Delete a client, and end its tokens")
        .annotate(
          OpenApi.Description,
          "They stop counting within a second. The identifier is never given again."
        )
    )
    .annotateMerge(access({ scope: "platform/admin", callers: ["Client", "User"] }))
    .annotateMerge(
      OpenApi.annotations({
        title: "Clients",
        description: "The programs that get tokens from the tenant's authorization server."
      })
    )
) {}
