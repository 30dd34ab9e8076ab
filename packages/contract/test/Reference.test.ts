import { assert, describe, it } from "@effect/vitest"
import { described } from "../src/api/Described.ts"
import { openApi } from "../src/api/OpenApiDocument.ts"
import { headerTerms, parameterTermOf, parameterTerms } from "../src/api/ParameterTerms.ts"
import { termOf, terms, termTables } from "../src/api/Terms.ts"

interface Part {
  readonly [key: string]: unknown
}

interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly schema?: unknown
}

interface Operation {
  readonly operationId: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly responses: Record<string, { readonly headers?: Record<string, Part> }>
}

/** The document as a reader gets it. */
const published = JSON.parse(JSON.stringify(openApi()))

const operations = Object.values<Record<string, Operation>>(published.paths).flatMap((item) =>
  Object.entries(item)
    .filter(([method]) => method !== "servers")
    .map(([method, operation]) => ({ method, operation }))
)

interface Property {
  readonly path: ReadonlyArray<string>
  readonly schema: Part
}

const isPart = (value: unknown): value is Part => typeof value === "object" && value !== null

/** Every property of every object that a part describes, with the members that lead to it. */
const propertiesOf = (part: unknown, path: ReadonlyArray<string>): ReadonlyArray<Property> => {
  if (!isPart(part)) return []
  return Object.entries(part).flatMap(([key, value]): ReadonlyArray<Property> => {
    if (["const", "default", "enum", "example", "examples"].includes(key)) return []
    if (key !== "properties" || !isPart(value)) return propertiesOf(value, path)
    return Object.entries(value).flatMap(([name, schema]) => {
      const at = [...path, name]
      return [{ path: at, schema: schema as Part }, ...propertiesOf(schema, at)]
    })
  })
}

const parameters = operations.flatMap(({ method, operation }) =>
  operation.parameters
    .filter(({ $ref }) => $ref === undefined)
    .map((parameter) => ({ method, operationId: operation.operationId, ...parameter }))
)

const headers = operations
  .flatMap(({ operation }) => Object.values(operation.responses))
  .flatMap((response) => Object.entries(response.headers ?? {}))
  .filter(([, { $ref }]) => $ref === undefined)

const properties: ReadonlyArray<Property> = [
  ...Object.entries(published.components.schemas).flatMap(([name, schema]) =>
    propertiesOf(schema, [name])
  ),
  ...operations.flatMap(({ operation: { parameters: _parameters, ...rest } }) =>
    propertiesOf(rest, [])
  ),
  ...parameters.flatMap(({ name, schema }) => propertiesOf(schema, [name]))
]

const undescribed = ({ description }: { readonly description?: unknown }): boolean =>
  typeof description !== "string" || description.trim() === ""

/** What is wrong with a description, for its reader. */
const faultsOf = (text: string): ReadonlyArray<string> => {
  const long = text
    .split(/[.?!](?:\s|$)/u)
    .filter((sentence) => sentence.split(/\s+/u).filter(Boolean).length > 25)
  return [...long, ...(text.endsWith(".") ? [] : [text])]
}

describe("the reference", () => {
  it("describes every property, parameter and header", () => {
    assert.isAbove(properties.length, 1000)
    assert.isAbove(parameters.length, 300)
    const missing = [
      ...properties.filter(({ schema }) => undescribed(schema)).map(({ path }) => path.join(".")),
      ...parameters
        .filter((parameter) => undescribed(parameter))
        .map(({ name, operationId }) => `${operationId} ${name}`),
      ...headers.filter(([, header]) => undescribed(header)).map(([name]) => name),
      ...Object.entries<Part>({
        ...published.components.headers,
        ...published.components.parameters
      })
        .filter(([, part]) => undescribed(part))
        .map(([name]) => name)
    ]
    assert.deepStrictEqual(missing, [])
  })

  it("is made of whole sentences of at most 25 words", () => {
    const texts = [
      ...properties.map(({ schema }) => String(schema["description"])),
      ...parameters.map(({ description }) => String(description)),
      ...headers.map(([, { description }]) => String(description))
    ]
    assert.deepStrictEqual([...new Set(texts.flatMap(faultsOf))], [])
  })

  it("says of every amount what it is counted in", () => {
    const amounts = properties.filter(
      ({ schema }) => schema["$ref"] === "#/components/schemas/Money"
    )
    assert.isAbove(amounts.length, 30)
    const silent = amounts.filter(
      ({ schema }) => !String(schema["description"]).includes("minor unit of the")
    )
    assert.deepStrictEqual(
      silent.map(({ path }) => path.join(".")),
      []
    )
  })

  it("has no term that nothing bears, and none twice", () => {
    const used = new Set(
      properties.map(({ path, schema }) => {
        const term = termOf(path)
        return term !== undefined && terms.get(term) === schema["description"] ? term : undefined
      })
    )
    assert.deepStrictEqual(
      [...terms.keys()].filter((term) => !used.has(term)),
      []
    )
    assert.strictEqual(
      terms.size,
      termTables.reduce((sum, table) => sum + Object.keys(table).length, 0)
    )
    const usedParameters = new Set(parameters.map(parameterTermOf))
    assert.sameMembers(Object.keys(parameterTerms), [...usedParameters] as Array<string>)
    assert.sameMembers(Object.keys(headerTerms), [...new Set(headers.map(([name]) => name))])
  })

  it("takes the longest name that fits, and leaves what is said already", () => {
    assert.strictEqual(termOf(["PolicyStep", "status"]), "Policy.status")
    assert.strictEqual(termOf(["ProductConfig", "tiers", "id"]), "ProductConfig.tiers.id")
    assert.strictEqual(termOf(["Anything", "currency"]), "currency")
    assert.isUndefined(termOf(["Anything", "id"]))
    const currency = { type: "string" }
    const example = { properties: { currency: "not a schema" } }
    const said = { type: "string", description: "Said already." }
    assert.deepStrictEqual<unknown>(
      described({ anyOf: [{ properties: { currency, other: said, unit: said } }], example }),
      {
        anyOf: [
          {
            properties: {
              currency: { description: terms.get("currency"), type: "string" },
              other: said,
              unit: said
            }
          }
        ],
        example
      }
    )
  })
})
