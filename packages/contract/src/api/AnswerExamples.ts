/**
 * Examples of answers that succeed. `apps/public-api/test/reference` plays stories over HTTP and keeps
 * the first answer to each operation; it writes the file that they are read from, and holds it.
 */
import type { OpenApi } from "effect/http-api"
import received from "./ReceivedExamples.json" with { type: "json" }

type Paths = OpenApi.OpenAPISpecPaths
type Operation = OpenApi.OpenAPISpecOperation

const examples = new Map<string, unknown>(Object.entries(received))

/** The same operations, with an example of each answer in JSON that succeeds. */
export const withAnswerExamples = (paths: Paths): Paths =>
  Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]) => [
          method,
          method === "servers" ? operation : completed(operation as Operation)
        ])
      )
    ])
  )

const completed = (operation: Operation): Operation => {
  if (!examples.has(operation.operationId)) return operation
  const example = examples.get(operation.operationId)
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    if (!status.startsWith("2") || response.content === undefined) return [status, response]
    const content = Object.entries(response.content).map(([type, media]) => [
      type,
      isJson(type) ? { ...media, example } : media
    ])
    return [status, { ...response, content: Object.fromEntries(content) }]
  })
  return { ...operation, responses: Object.fromEntries(responses) }
}

const isJson = (type: string) => /^application\/(schema\+)?json$/u.test(type)
