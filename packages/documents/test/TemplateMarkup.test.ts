import { flows, line } from "@quittance/documents/TemplateMarkup"
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"

describe("the text of a template", () => {
  it("has emphasis, strong text, lists and places", () => {
    const read = Result.getOrThrow(flows("A **b {{policy.number}}**\n\n- c\n- *d*"))
    assert.deepStrictEqual(
      read.map(({ kind }) => kind),
      ["paragraph", "list"]
    )
    assert.deepInclude(read[0], {
      pieces: [
        { content: "A ", strong: false, emphasis: false },
        { content: "b ", strong: true, emphasis: false },
        { content: { path: "policy.number", format: "text" }, strong: true, emphasis: false }
      ]
    })
  })

  it.for([
    ["# heading", "heading"],
    ["[link](https://example.org)", "link"],
    ["![image](x.png)", "image"],
    ["<b>html</b>", "html"],
    ["`code`", "inlineCode"],
    ["> quote", "blockquote"],
    ["---", "thematicBreak"],
    ["    code", "code"],
    ["{{Policy.number}}", "path"],
    ["{{policy.number|shout}}", "format"],
    ["{{policy.number", "Close"],
    ["policy.number}}", "Close"],
    ["{{policy.number|money|a}b}}", "Close"],
    ["\u{E000}0\u{E001}", "U+E000"]
  ] as const)("refuses %s", ([text, said]) => {
    assert.include(Result.getOrThrow(Result.flip(flows(text))).join(" "), said)
  })

  it("stands in one line where it has to", () => {
    assert.isTrue(Result.isSuccess(line("a *b*")))
    assert.isTrue(Result.isFailure(line("- a")))
    assert.isTrue(Result.isFailure(line("a\n\nb")))
  })

  it("keeps a text for what is not there, with its bars", () => {
    const read = Result.getOrThrow(line("{{cover.limit|money|a|b}}"))
    assert.deepInclude(read[0], {
      content: { path: "cover.limit", format: "money", otherwise: "a|b" }
    })
  })
})
