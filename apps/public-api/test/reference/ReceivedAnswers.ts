/** Keeps the first answer to each operation of the published document that succeeds. */
import { openApi } from "@quittance/contract/api/OpenApiDocument"
import { createHash } from "node:crypto"

interface Route {
  readonly operationId: string
  readonly method: string
  readonly pattern: RegExp
  readonly parameters: number
}

const routes: ReadonlyArray<Route> = Object.entries(openApi().paths).flatMap(([path, item]) =>
  Object.entries<{ readonly operationId: string }>(item as never)
    .filter(([method]) => method !== "servers")
    .map(([method, { operationId }]) => ({
      operationId,
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/gu, "[^/]+")}$`, "u"),
      parameters: path.split("{").length - 1
    }))
)

/** The operations of the document, in its order. */
export const operationIds: ReadonlyArray<string> = routes.map(({ operationId }) => operationId)

/** Those that may write. */
export const writes = routes
  .filter(({ method }) => method !== "GET")
  .map(({ operationId }) => operationId)

// A path that is spelt out is meant before one with a parameter there.
const bySpelling = routes.toSorted((one, other) => one.parameters - other.parameters)

/** The operation that a request is of; none where the document has none. */
export const operationOf = ({ method, url }: Request): string | undefined => {
  const { pathname } = new URL(url)
  return bySpelling.find((route) => route.method === method && route.pattern.test(pathname))
    ?.operationId
}

/** Keeps what succeeds, unless its operation has an answer; of one that is no JSON, that it came. */
export const keep = async (
  received: Map<string, unknown>,
  request: Request,
  response: Response
): Promise<void> => {
  const operation = operationOf(request)
  if (!response.ok || operation === undefined || received.has(operation)) return
  const isJson = /^application\/(schema\+)?json/u.test(response.headers.get("content-type") ?? "")
  received.set(operation, isJson ? await response.json() : undefined)
}

/** A request's id, the same in every run. */
export const requestIdOf = (method: string, path: string): string => {
  const hash = createHash("sha256").update(`${method} ${path}`).digest("hex")
  const [, ...parts] = /^(.{8})(.{4})(.{4})(.{4})(.{12})/u.exec(hash)!
  return parts.join("-")
}
