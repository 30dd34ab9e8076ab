import { assert, describe, it } from "@effect/vitest"
import { imagePlaces, maximumTemplate, read } from "@quittance/documents/templates/TemplateFaults"
import type { TemplateBlock } from "@quittance/domain/documents/DocumentTemplate"
import { Result } from "effect"
import { globSync, readFileSync } from "node:fs"

const templates = globSync("../../../../products/templates/**/*.json", { cwd: import.meta.dirname })

const letter = {
  templateId: "a-letter",
  version: "1",
  locale: "fr-FR",
  layout: "letter",
  title: "Contrat {{policy.number}}",
  sender: ["{{tenant.name}}"],
  draft: "Projet",
  blocks: [{ kind: "paragraph", text: "Bonjour" }]
}

const faultsOf = (changes: Readonly<Record<string, unknown>>) =>
  Result.match(read({ ...letter, ...changes }), {
    onFailure: ({ issues }) => issues,
    onSuccess: () => []
  })
const pointers = (changes: Readonly<Record<string, unknown>>) =>
  faultsOf(changes).map(({ pointer }) => pointer)
const ofBlock = (block: unknown) => pointers({ blocks: [block] })

describe("the faults of a template", () => {
  it("are none in every template that comes with the service", () => {
    assert.isAbove(templates.length, 50)
    for (const file of templates) {
      const text = readFileSync(new URL(file, import.meta.url), "utf8")
      const found = read(JSON.parse(text))
      assert.isTrue(Result.isSuccess(found), `${file}: ${JSON.stringify(found)}`)
    }
  })

  it("tell all that is wrong with its shape at once", () => {
    const found = pointers({ locale: "french", layout: 7, fancy: true, blocks: [] })
    assert.deepStrictEqual(found.toSorted(), ["/blocks", "/fancy", "/layout", "/locale"])
  })

  it("name the place of what the model can't have", () => {
    assert.deepStrictEqual(
      pointers({
        title: "{{policy.premium}}",
        facts: [{ label: "A", value: "{{holder}}" }],
        blocks: [
          { kind: "heading", when: { path: "holder.nickname", exists: true }, text: "Bonjour" },
          { kind: "list", items: [{ each: { of: "policy", as: "one" }, text: "x" }] },
          { kind: "section", section: "TYPE", title: "{{a.b}}", blocks: letter.blocks }
        ]
      }),
      [
        "/title",
        "/facts/0/value",
        "/blocks/0/when/path",
        "/blocks/1/items/0/each/of",
        "/blocks/2/title"
      ]
    )
  })

  it("know the names that a list gives, within it and nowhere else", () => {
    const text = "{{cover.name}} {{cover.limit|money|–}}"
    const each = { of: "covers", as: "cover" }
    const inner = { kind: "paragraph", when: { path: "cover.limit", exists: true }, text }
    assert.deepStrictEqual(ofBlock({ kind: "each", each, blocks: [inner] }), [])
    assert.deepStrictEqual(pointers({ blocks: [{ kind: "each", each, blocks: [inner] }, inner] }), [
      "/blocks/1/when/path",
      "/blocks/1/text",
      "/blocks/1/text"
    ])
    const wrong = { ...inner, text: "{{cover.colour}}" }
    assert.deepStrictEqual(ofBlock({ kind: "each", each, blocks: [wrong] }), [
      "/blocks/0/blocks/0/text"
    ])
  })

  it("name a value of a list by its key", () => {
    const text = "{{policy.fields.usage.value}} {{policy.fields.usage.text|text|–}}"
    assert.deepStrictEqual(ofBlock({ kind: "paragraph", text }), [])
    assert.deepStrictEqual(ofBlock({ kind: "paragraph", text: "{{notice.invoices.one.total}}" }), [
      "/blocks/0/text"
    ])
  })

  it("are markup that no text may have, and characters that no font has", () => {
    for (const text of [
      "# Title",
      "{{policy.number",
      "{{policy.number|shout}}",
      "`x`",
      "保険",
      "{{price.total}}",
      "{{policy.number|money}}"
    ]) {
      assert.deepStrictEqual(ofBlock({ kind: "paragraph", text }), ["/blocks/0/text"], text)
    }
    assert.deepStrictEqual(ofBlock({ kind: "heading", text: "- a\n- b" }), ["/blocks/0/text"])
  })

  it("are rows that do not fit the columns of their table", () => {
    const columns = [{ title: "A" }, { title: "B" }]
    const table = { kind: "table", columns, rows: [{ cells: ["1", "2"] }, { cells: ["1"] }] }
    assert.deepStrictEqual(ofBlock(table), ["/blocks/0/rows/1/cells"])
  })

  it("are sections of an information document in another order, or twice", () => {
    const section = (name: string) => ({
      kind: "section",
      section: name,
      title: "x",
      blocks: letter.blocks
    })
    const blocks = ["TYPE", "NOT_INSURED", "INSURED", "WHERE", "WHERE"].map(section)
    assert.deepStrictEqual(pointers({ blocks }), ["/blocks/2/section", "/blocks/4/section"])
  })

  it("are one block too many, and one byte too many", () => {
    const each = { of: "covers", as: "cover" }
    const many = (count: number) => [
      { kind: "each", each, blocks: Array.from({ length: count }, () => letter.blocks[0]) }
    ]
    assert.deepStrictEqual(pointers({ blocks: many(499) }), [])
    assert.deepStrictEqual(pointers({ blocks: many(500) }), ["/blocks"])
    const sized = (count: number) => {
      const texts = Array.from({ length: 14 }, () => ({
        kind: "paragraph",
        text: "x".repeat(18_000)
      }))
      return { blocks: [...texts, { kind: "paragraph", text: "x".repeat(count) }] }
    }
    const base = Buffer.byteLength(JSON.stringify({ ...letter, ...sized(0) }))
    const left = maximumTemplate - base
    assert.isBelow(left, 20_000)
    assert.deepStrictEqual(pointers(sized(left)), [])
    assert.deepStrictEqual(pointers(sized(left + 1)), [""])
  })

  it("leave the places of images to who knows the files", () => {
    const file = "0".repeat(64)
    const image = { kind: "image", file, alt: "Logo", width: 20 } as const
    const blocks: ReadonlyArray<TemplateBlock> = [
      image,
      { kind: "section", section: "TYPE", title: "x", blocks: [image] }
    ]
    assert.deepStrictEqual(
      imagePlaces(blocks).map(({ pointer }) => pointer),
      ["/blocks/0/file", "/blocks/1/blocks/0/file"]
    )
  })
})
