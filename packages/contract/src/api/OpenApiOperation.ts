/** What the published document says about one route beyond what the framework finds out by itself. */
import { scopes } from "@quittance/domain/requests/Caller"
import { Context, Schema, SchemaAST } from "effect"
import type { HttpApiEndpoint, OpenApi } from "effect/http-api"
import {
  Callers,
  Idempotent,
  type Permission,
  RateLimitPolicy,
  RequiredPermission,
  RequestExample,
  RequiredScope
} from "../access/Access.ts"
import { catalogueEntry, examplesOf } from "./ErrorCatalogue.ts"
import {
  headerTerms,
  parameterExampleOf,
  parameterTermOf,
  parameterTerms
} from "./ParameterTerms.ts"
import { tagOf } from "../requests/WireError.ts"

/** A route of the contract with all the annotations that hold for it. */
export interface Route {
  readonly endpoint: HttpApiEndpoint.Top
  readonly annotations: Context.Context<never>
}

type Operation = OpenApi.OpenAPISpecOperation
type Parameter = Operation["parameters"][number]
type Response = OpenApi.OpenApiSpecResponse

/** The operation, completed. */
export const complete = (operation: Operation, route: Route): Operation => {
  const { annotations } = route
  const scope = Context.getUnsafe(annotations, RequiredScope)
  const callers = Context.getUnsafe(annotations, Callers)
  const limit = Context.getUnsafe(annotations, RateLimitPolicy)
  const idempotent = Context.getOrUndefined(annotations, Idempotent)
  const permission = Context.getOrUndefined(annotations, RequiredPermission) ?? "NONE"
  const extensions = {
    ...(scope === "NONE" ? {} : { "x-required-scope": scope, "x-callers": callers }),
    ...(permission === "NONE" ? {} : { "x-permission": permission }),
    ...(limit === "NONE" ? {} : { "x-rate-limit": limit }),
    ...(idempotent === undefined ? {} : { "x-idempotent": idempotent })
  }
  return {
    ...operation,
    ...description(operation, scope, callers, permission),
    // What the parameter is belongs to the document, once.
    parameters: [tenant as never, ...parameters(operation, route)],
    ...(operation.requestBody === undefined ? {} : { requestBody: requestBody(operation, route) }),
    responses: responses(operation, route),
    security: scope === "NONE" ? [] : [{ bearer: [scope] }, { dpop: [scope] }],
    ...extensions
  }
}

const tenant = { $ref: "#/components/parameters/tenant" }

const description = (
  { description }: Operation,
  scope: RequiredScope["Service"],
  callers: Callers["Service"],
  permission: RequiredPermission["Service"]
) => {
  const access =
    scope === "NONE"
      ? "Takes no token."
      : `Scope of a client: \`${scope}\`${scopes[scope].internalOnly ? " (internal)" : ""}. For ${callers
          .map((kind) => names[kind])
          .join(", ")}.`
  const action = permission === "NONE" ? undefined : needed(permission)
  const texts = [description, access, action].filter((text) => text !== undefined)
  return { description: texts.join("\n\n") }
}

const needed = ({ action, on }: Permission) => `People need the action \`${action}\` ${places[on]}.`

const places = {
  RECORD: "on the record",
  TENANT: "on the tenant",
  ANYWHERE: "somewhere, and are answered what it covers"
} as const

const names = { Client: "clients", User: "users", Anonymous: "anonymous sessions" } as const

/** Parameters with the types that they have once read, what they mean, and nested ones as one. */
const parameters = (operation: Operation, { endpoint }: Route): Array<Parameter> => {
  const types = typesOf(endpoint.query)
  const { operationId } = operation
  const { method } = endpoint
  const completed = operation.parameters.map((parameter) => {
    const schema = parameter.in === "query" ? types.get(parameter.name) : undefined
    const example = parameterExampleOf({ ...parameter, method, operationId })
    return {
      ...parameter,
      ...(schema === undefined ? {} : { schema }),
      ...(example === undefined ? {} : { example })
    }
  })
  return withDeepObjects(completed).map((parameter) => {
    const term = parameterTermOf({ ...parameter, method, operationId })
    return {
      ...parameter,
      ...(term === undefined ? {} : { description: parameterTerms[term]!.means })
    }
  })
}

/** Text on the wire, but a number, a boolean or a list of such once read. */
const typesOf = (query: HttpApiEndpoint.Top["query"]): ReadonlyMap<string, object> => {
  const ast = query === undefined ? undefined : SchemaAST.toType(query.ast)
  if (ast === undefined || !SchemaAST.isObjects(ast)) return new Map()
  return new Map(
    ast.propertySignatures
      .filter(({ type }) => SchemaAST.isNumber(type) || SchemaAST.isBoolean(type))
      .map(({ name, type }) => [
        String(name),
        Schema.toJsonSchemaDocument(Schema.make<Schema.Top>(type)).schema
      ])
  )
}

const member = /^(\w+)\[(\w+)\]$/u

/** `order[by]` and `order[direction]` are members of one parameter `order`. */
const withDeepObjects = (given: ReadonlyArray<Parameter>): Array<Parameter> => {
  const plain = given.filter(({ name }) => !member.test(name))
  const nested = Map.groupBy(
    given.filter(({ name }) => member.test(name)),
    ({ name }) => member.exec(name)![1]!
  )
  const objects = [...nested].map(([name, members]) => ({
    name,
    in: "query" as const,
    required: false,
    style: "deepObject",
    explode: true,
    schema: {
      type: "object",
      properties: Object.fromEntries(
        members.map(({ name, schema }) => [member.exec(name)![2]!, schema])
      ),
      required: members.map(({ name }) => member.exec(name)![2]!),
      additionalProperties: false
    }
  }))
  return [...plain, ...objects]
}

type RequestBody = NonNullable<Operation["requestBody"]>

const requestBody = ({ requestBody }: Operation, { annotations, endpoint }: Route): RequestBody => {
  const schemas = [...endpoint.payload.values()].flatMap(({ schemas }) => [...schemas])
  const required = schemas.some(hasRequiredMembers)
  const example = Context.getOrUndefined(annotations, RequestExample) ?? (required ? undefined : {})
  const content = Object.entries(requestBody?.content ?? {}).map(([type, media]) => [
    type,
    { ...media, ...(example === undefined ? {} : { example }) }
  ])
  // The framework knows required bodies only; one without required members may be left out.
  return { required, content: Object.fromEntries(content) } as RequestBody
}

const hasRequiredMembers = (schema: Schema.Top): boolean => {
  const ast = SchemaAST.toEncoded(schema.ast)
  return (
    SchemaAST.isObjects(ast) &&
    ast.propertySignatures.some(({ type }) => type.context?.isOptional !== true)
  )
}

/** Errors that every route names but this one cannot answer. */
const impossible = ({ annotations, endpoint }: Route): ReadonlySet<string> => {
  const callers = Context.getUnsafe(annotations, Callers)
  // What is about a user says so itself.
  const seeksUser = [...endpoint.error].some((schema) => tagOf(schema) === "UserNotFound")
  return new Set([
    ...(callers.includes("Client") && !seeksUser ? ["UserNotFound"] : []),
    ...(endpoint.method === "GET" ? ["PayloadTooLarge", "UnsupportedMediaType"] : [])
  ])
}

const responses = ({ responses }: Operation, route: Route): Operation["responses"] => {
  const excluded = impossible(route)
  const entries = Object.entries(responses).flatMap(([status, response]) => {
    if (Number(status) < 400) return [[status, withHeaders(response)] as const]
    const tags = errorsOf(response).filter((tag) => !excluded.has(tag))
    return tags.length === 0 ? [] : [[status, errorResponse(tags, response)] as const]
  })
  return Object.fromEntries([...entries, ["default", { $ref: "#/components/responses/Failure" }]])
}

const requestId = { "x-request-id": { $ref: "#/components/headers/x-request-id" } }

const withHeaders = <R extends Response>(response: R): R => ({
  ...response,
  headers: { ...describedHeaders(response.headers), ...requestId }
})

const describedHeaders = (headers: Response["headers"] = {}) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, header]) => [
      name,
      { description: headerTerms[name], ...header }
    ])
  )

const prefix = "#/components/schemas/"

/** The errors that a response of the framework refers to, one or several. */
const errorsOf = ({ content }: Response): ReadonlyArray<string> => {
  const schema = content?.["application/json"]?.schema
  const references = Array.isArray(schema?.["anyOf"]) ? schema["anyOf"] : [schema]
  // Errors are components under their tags.
  return references.map(({ $ref }) => String($ref).slice(prefix.length))
}

const errorResponse = (tags: ReadonlyArray<string>, response: Response): Response => {
  const entries = tags.map(catalogueEntry)
  const references = tags.map((tag) => ({ $ref: prefix + tag }))
  return withHeaders({
    ...response,
    description: entries.map(({ code, when }) => `\`${code}\`: ${when}`).join("\n\n"),
    content: {
      "application/json": {
        schema: references.length === 1 ? references[0]! : { anyOf: references },
        examples: examplesOf(entries.map(({ code }) => code))
      }
    }
  })
}
