import { assert, describe, it } from "@effect/vitest"
import { Exit, Schema } from "effect"
import { HttpApi } from "effect/http-api"
import { openApi } from "../src/api/OpenApiDocument.ts"
import { QuittanceApi } from "../src/api/QuittanceApi.ts"
import { bodyParsing } from "../src/requests/Parsing.ts"

interface Media {
  readonly example?: unknown
}

interface Operation {
  readonly operationId: string
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, Media>> }>
  >
}

/** Each answer in JSON that succeeds, of a document as a reader gets it. */
const answersOf = (document: ReturnType<typeof openApi>) =>
  Object.values<Record<string, Operation>>(JSON.parse(JSON.stringify(document.paths)))
    .flatMap((item) => Object.entries(item).filter(([method]) => method !== "servers"))
    .flatMap(([, { operationId, responses }]) =>
      Object.entries(responses)
        .filter(([status]) => status.startsWith("2"))
        .flatMap(([, { content }]) => Object.entries(content ?? {}))
        .filter(([type]) => type.endsWith("json"))
        .map(([, { example }]) => ({ operationId, example }))
    )

const answers = answersOf(openApi())

/** What each route of the contract answers, by its name. */
const successes = new Map<string, ReadonlyArray<Schema.Top>>()
HttpApi.reflect(QuittanceApi, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, group }) =>
    successes.set(`${group.identifier}.${endpoint.identifier}`, [...endpoint.success])
})

/** Whether the contract answers this: each member that it names, and none that it does not. */
const fits = (operationId: string, example: unknown): boolean =>
  successes
    .get(operationId)!
    .some((schema) =>
      Exit.isSuccess(
        Schema.decodeUnknownExit(schema as Schema.Decoder<unknown>, bodyParsing)(example)
      )
    )

describe("the examples of answers", () => {
  it("are there for each answer in JSON that succeeds", () => {
    assert.isAbove(answers.length, 100)
    const without = answers.filter(({ example }) => example === undefined)
    assert.deepStrictEqual(
      without.map(({ operationId }) => operationId),
      [],
      "tell it in a story of apps/public-api/test/reference"
    )
  })

  it("are what their routes answer", () => {
    const wrong = answers
      .filter(({ operationId }) => successes.has(operationId))
      .filter(({ example, operationId }) => !fits(operationId, example))
    assert.deepStrictEqual(
      wrong.map(({ operationId }) => operationId),
      []
    )
  })

  it("would not fit with a member more, nor with one less", () => {
    const { example } = answers.find(({ operationId }) => operationId === "policies.get")!
    const { status, ...rest } = example as Record<string, unknown>
    assert.isFalse(fits("policies.get", rest))
    assert.isFalse(fits("policies.get", { ...rest, status, state: status }))
  })
})
