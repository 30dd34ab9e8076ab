/** Templates of documents as files. */
import { DocumentTemplate } from "@quittance/domain/documents/DocumentTemplate"
import { Effect, FileSystem, Path, Schema } from "effect"

export class TemplateFileError extends Schema.TaggedError<TemplateFileError>()(
  "TemplateFileError",
  { file: Schema.String, problem: Schema.String }
) {
  override get message() {
    return `The template in ${this.file} can't be published: ${this.problem}`
  }
}

/** The templates of all `*.json` in a folder and the folders in it; none where it is not there. */
export const read = Effect.fn("TemplateFiles.read")(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const names = yield* Effect.orElseSucceed(fs.readDirectory(folder, { recursive: true }), () => [])
  const files = names
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => path.join(folder, name))
  return yield* Effect.forEach(files, (file) =>
    fs.readFileString(file).pipe(
      Effect.flatMap(decode),
      Effect.mapError(({ message }) => new TemplateFileError({ file, problem: message }))
    )
  )
})

const decode = Schema.decodeEffect(Schema.fromJsonString(DocumentTemplate))
