/** Routes outside the contract's groups: documentation, health, and the authorization server's token. */
import { OAuthErrorCode } from "@quittance/domain/tokens/Token"
import type { OpenApi } from "effect/http-api"
import { examplesOf } from "./ErrorCatalogue.ts"

const json = (schema: object) => ({ "application/json": { schema } })

const answer = (description: string, content?: object) => ({
  description,
  ...(content === undefined ? {} : { content }),
  headers: { "x-request-id": { $ref: "#/components/headers/x-request-id" } }
})

const read = (operationId: string, summary: string, success: object, tag = "Service") => ({
  operationId,
  summary,
  tags: [tag],
  security: [],
  parameters: [],
  responses: { 200: success, default: { $ref: "#/components/responses/Failure" } }
})

const status = (value: string) =>
  json({
    type: "object",
    properties: {
      status: { type: "string", enum: [value], description: "That it is so." }
    },
    required: ["status"]
  })

const ready = read(
  "service.ready",
  "Check the service is ready",
  answer("It can.", status("ready"))
)

const tokenForm = {
  type: "object",
  properties: {
    grant_type: {
      type: "string",
      enum: ["client_credentials"],
      description: "How the token is asked for: with the client's own credentials."
    },
    scope: {
      type: "string",
      description: "Separated by one space; absent: every scope that the client was granted.",
      example: "platform/policies platform/billing"
    }
  },
  required: ["grant_type"]
}

const tokenAnswer = {
  type: "object",
  properties: {
    access_token: { type: "string", description: "The token; keep it secret." },
    token_type: {
      type: "string",
      enum: ["Bearer", "DPoP"],
      description: "How the token is sent; `DPoP` with a proof of its key (RFC 9449)."
    },
    expires_in: { type: "integer", description: "Seconds until the token expires." },
    scope: { type: "string", description: "The scopes that the token has, separated by one space." }
  },
  required: ["access_token", "token_type", "expires_in"]
}

const tokenRefusal = {
  type: "object",
  properties: {
    error: {
      type: "string",
      enum: OAuthErrorCode.literals,
      description: "What went wrong, in the words of OAuth (RFC 6749, section 5.2)."
    },
    error_description: { type: "string", description: "What went wrong, in a sentence." },
    code: { type: "string" },
    message: { type: "string" },
    details: { type: "object" }
  },
  required: ["error", "error_description", "code", "message", "details"]
}

const eventTypes = {
  type: "object",
  properties: {
    types: {
      type: "array",
      description: "All types, area by area.",
      items: {
        type: "object",
        properties: {
          type: { type: "string", description: "The name of the type.", example: "policy.started" },
          schema: { type: "integer", description: "The version of the type's schema." },
          since: { type: "string", description: "The first release that publishes it." },
          dataSchema: { type: "object", description: "The JSON Schema of `data`." },
          example: {
            description: "An event of the type.",
            $ref: "#/components/schemas/Event"
          }
        },
        required: ["type", "schema", "since", "dataSchema", "example"]
      }
    }
  },
  required: ["types"]
}

/** A refusal of the token endpoint; all of OAuth's own are 400, but for `invalid_client`. */
const refusal = (codes: ReadonlyArray<string>) => ({
  "application/json": { schema: tokenRefusal, examples: examplesOf(codes) }
})

const token = {
  operationId: "tokens.issue",
  summary: "Issue a token to a client",
  description:
    "Of the tenant's authorization server (RFC 6749, section 4.4), which also signs users in. Cache the token until shortly before it expires.",
  tags: ["Tokens"],
  security: [{ client: [] }],
  parameters: [],
  requestBody: {
    required: true,
    content: { "application/x-www-form-urlencoded": { schema: tokenForm } }
  },
  responses: {
    200: answer("The token.", json(tokenAnswer)),
    400: answer(
      "The request or a scope is not allowed.",
      refusal(OAuthErrorCode.literals.filter((code) => code !== "invalid_client"))
    ),
    401: answer("The client is not the one it says it is.", refusal(["invalid_client"])),
    429: answer("Too many tokens or failures.", json(tokenRefusal))
  }
}

export const extraTags = [
  { name: "Tokens", description: "Of the tenant's authorization server." },
  { name: "Service", description: "About the service itself. Takes no tenant and no token." }
]

// Paths of another server, and parts that the framework's types do not know.
export const extraPaths = {
  "/oauth2/token": {
    servers: [
      {
        url: "https://{tenant}.auth.example",
        description: "The tenant's authorization server; in a sandbox `{tenant}.auth.localhost`.",
        variables: { tenant: { default: "acme", description: "The tenant's identifier." } }
      }
    ],
    post: token
  },
  "/errors": {
    get: read(
      "service.errors",
      "List every error code",
      answer("The catalogue; as a page where a browser asks.", {
        ...json({ $ref: "#/components/schemas/ErrorCatalogue" }),
        "text/html": { schema: { type: "string" } }
      })
    )
  },
  "/openapi.json": {
    get: read(
      "service.document",
      "Read this document",
      answer("OpenAPI 3.1.", json({ type: "object" }))
    )
  },
  "/schemas/product.json": {
    get: read(
      "service.productSchema",
      "Read the schema of product documents",
      answer("JSON Schema, draft 2020-12.", {
        "application/schema+json": { schema: { type: "object" } }
      })
    )
  },
  "/schemas/price-exchange.json": {
    get: read(
      "service.priceExchangeSchema",
      "Read the schema of requests to quote providers and of their answers",
      answer("JSON Schema, draft 2020-12.", {
        "application/schema+json": { schema: { type: "object" } }
      })
    )
  },
  "/schemas/events.json": {
    get: read(
      "service.eventsSchema",
      "Read the schema of events",
      answer("JSON Schema, draft 2020-12.", {
        "application/schema+json": { schema: { type: "object" } }
      })
    )
  },
  "/event-types": {
    get: read(
      "service.eventTypes",
      "List every type of event",
      answer("Each type with the schema of its data and an example.", json(eventTypes)),
      "Events"
    )
  },
  "/docs": {
    get: read(
      "service.reference",
      "Show this document as a page",
      answer("A page.", { "text/html": { schema: { type: "string" } } })
    )
  },
  "/health/live": {
    get: read("service.live", "Check the process is alive", answer("It does.", status("live")))
  },
  "/health/ready": { get: ready }
} as unknown as OpenApi.OpenAPISpecPaths
