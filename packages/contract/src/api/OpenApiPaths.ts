/** Routes outside the contract's groups: documentation, health, and the authorization server's token. */
import { OAuthErrorCode } from "@quittance/domain/tokens/Token"
import type { OpenApi } from "effect/http-api"

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
    properties: { status: { type: "string", enum: [value] } },
    required: ["status"]
  })

const ready = read(
  "service.ready",
  "Tell whether the service can work",
  answer("It can.", status("ready"))
)

const tokenForm = {
  type: "object",
  properties: {
    grant_type: { type: "string", enum: ["client_credentials"] },
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
    access_token: { type: "string" },
    token_type: { type: "string", enum: ["Bearer"] },
    expires_in: { type: "integer", description: "Seconds." },
    scope: { type: "string" }
  },
  required: ["access_token", "token_type", "expires_in"]
}

const tokenRefusal = {
  type: "object",
  properties: {
    error: { type: "string", enum: OAuthErrorCode.literals },
    error_description: { type: "string" },
    code: { type: "string" },
    message: { type: "string" },
    details: { type: "object" }
  },
  required: ["error", "error_description", "code", "message", "details"]
}

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
    400: answer("The request or a scope is not allowed.", json(tokenRefusal)),
    401: answer("The client is not the one it says it is.", json(tokenRefusal)),
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
  "/docs": {
    get: read(
      "service.reference",
      "Show this document as a page",
      answer("A page.", { "text/html": { schema: { type: "string" } } })
    )
  },
  "/health/live": {
    get: read(
      "service.live",
      "Tell whether the process answers",
      answer("It does.", status("live"))
    )
  },
  "/health/ready": { get: ready }
} as unknown as OpenApi.OpenAPISpecPaths
