/** The document of the whole interface, OpenAPI 3.1: what `/openapi.json` answers. */
import { HttpApi, OpenApi } from "effect/http-api"
import { withAnswerExamples } from "./AnswerExamples.ts"
import * as OpenApiOperation from "./OpenApiOperation.ts"
import { extraPaths, extraTags } from "./OpenApiPaths.ts"
import { eventWebhooks } from "./OpenApiWebhooks.ts"
import { described, describedSchemas } from "./Described.ts"
import { catalogue, ErrorCatalogue, examplesOf } from "./ErrorCatalogue.ts"
import { QuittanceApi } from "./QuittanceApi.ts"

type Document = OpenApi.OpenAPISpec

const about = OpenApi.annotations({
  title: "Quittance",
  version: "1.0.0",
  description: [
    "Insurance distribution: quote, sell, bill and stop policies, for many tenants.",
    "Every request names its tenant in the header `tenant`. Amounts are integers in the minor unit of the product's currency. Instants are ISO 8601 in UTC; a request may use any offset.",
    "Errors are `{ code, message, details }`. `GET /errors` lists every code.",
    "The examples of answers were received from a sandbox. A long list shows its first two records only, so what they add up to may be less than its total."
  ].join("\n\n"),
  license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  servers: [{ url: "/", description: "The server that this document comes from." }]
})

/** The routes with the whole document as what the framework makes of them. */
export class DocumentedApi extends QuittanceApi.annotateMerge(about)
  .annotate(HttpApi.AdditionalSchemas, [ErrorCatalogue])
  // The framework hands over the document that it has made, untyped.
  .annotate(OpenApi.Transform, (spec) => completed(spec as Document)) {}

/** The document; the same text for the same contract. */
export const openApi = (): Document => OpenApi.fromApi(DocumentedApi)

const completed = (spec: Document): Document => {
  const paths = { ...spec.paths }
  HttpApi.reflect(QuittanceApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, mergedAnnotations: annotations }) => {
      const path = endpoint.path.replaceAll(/:(\w+)/gu, "{$1}")
      // Endpoints of the contract use these methods only.
      const method = endpoint.method.toLowerCase() as "get" | "post" | "put" | "patch" | "delete"
      const operation = spec.paths[path]?.[method]
      if (operation === undefined) throw new Error(`${method} ${path} is not in the document`)
      paths[path] = {
        ...paths[path],
        [method]: OpenApiOperation.complete(operation, { endpoint, annotations })
      }
    }
  })
  const whole = {
    ...spec,
    paths: described(withAnswerExamples({ ...paths, ...extraPaths })),
    webhooks: described(eventWebhooks()),
    tags: [...spec.tags, ...extraTags]
  }
  return { ...whole, components: components(whole) }
}

const components = (spec: Document): Document["components"] => {
  const schemas = { ...spec.components.schemas, Failure: failureSchema }
  // Pages that are opened by a link answer errors that no described route does.
  const text = JSON.stringify([spec.paths, failure])
  const told = catalogue.errors.filter(({ code }) =>
    text.includes(`"#/components/examples/${code}"`)
  )
  // Kinds of component that the framework's types do not know.
  const others = {
    parameters: { tenant },
    examples: Object.fromEntries(
      told.map(({ code, example, when }) => [code, { summary: when, value: example }])
    ),
    headers: { "x-request-id": requestId },
    responses: { Failure: failure }
  }
  const closed = closedNames(spec.paths, schemas)
  return { schemas: describedSchemas(openAnswers(schemas, closed)), securitySchemes, ...others }
}

const tenant = {
  name: "tenant",
  in: "header",
  required: true,
  description: "The tenant that the request is for, once.",
  schema: { type: "string", pattern: "^[a-z][a-z0-9-]{1,38}[a-z0-9]$" },
  example: "acme"
}

const requestId = {
  description: "The id of the request in our logs; one that you send is taken over.",
  schema: { type: "string" }
}

const failureSchema = {
  type: "object",
  properties: {
    code: { type: "string", description: "One of the catalogue at `/errors`." },
    message: { type: "string", description: "What to do next, in one sentence." },
    details: { type: "object" }
  },
  required: ["code", "message", "details"]
}

/** What any route may answer without naming it. */
const otherCodes = ["METHOD_NOT_ALLOWED", "INTERNAL_ERROR", "NOT_READY", "BUSY", "TIMEOUT"]

const failure = {
  description: "Any other failure, such as `INTERNAL_ERROR` or `TIMEOUT`.",
  content: {
    "application/json": {
      schema: { $ref: "#/components/schemas/Failure" },
      examples: examplesOf(otherCodes)
    }
  }
}

const securitySchemes: Document["components"]["securitySchemes"] = {
  bearer: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description:
      "A token of the tenant's authorization server. A client's token carries the scope of the area; those of users and anonymous sessions carry none."
  },
  dpop: {
    type: "http",
    scheme: "dpop",
    description:
      "A token that is bound to a key (RFC 9449), with a new proof of the key in the header `dpop` of each request."
  },
  client: { type: "http", scheme: "basic", description: "The client's id and secret." }
}

type Schemas = Document["components"]["schemas"]

/** The names of all schemas that a part of the document leads to. */
const reachable = (part: unknown, schemas: Schemas, found = new Set<string>()): Set<string> => {
  if (typeof part !== "object" || part === null) return found
  for (const [key, value] of Object.entries(part)) {
    const name =
      key === "$ref" ? /^#\/components\/schemas\/(.+)$/u.exec(String(value))?.[1] : undefined
    if (name === undefined) reachable(value, schemas, found)
    else if (!found.has(name)) {
      found.add(name)
      reachable(schemas[name], schemas, found)
    }
  }
  return found
}

/** What requests are made of is closed: an unknown member is refused. */
const closedNames = (paths: Document["paths"], schemas: Schemas): ReadonlySet<string> => {
  const bodies = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .map((operation) => ("requestBody" in operation ? operation.requestBody : undefined))
  return reachable(bodies, schemas)
}

/** What only answers hold stays open: a member that is added later breaks no client. */
const openAnswers = (schemas: Schemas, closed: ReadonlySet<string>): Schemas =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      closed.has(name) ? schema : open(schema)
    ])
  )

/** A copy without the keyword that closes an object. */
const open = <A>(part: A): A => {
  if (typeof part !== "object" || part === null) return part
  const members = Object.entries(part)
    .filter(([key, value]) => !(key === "additionalProperties" && value === false))
    .map(([key, value]) => [key, open(value)] as const)
  const copy = Array.isArray(part) ? members.map(([, value]) => value) : Object.fromEntries(members)
  // The shape is the same, less one keyword.
  return copy as A
}
