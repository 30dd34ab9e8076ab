/**
 * The templates of a tenant: those that it has published, else those that come with the release. So a tenant
 * has the templates of the shipped products from its first day on, and need not publish them.
 */
import type { DocumentTemplate } from "@quittance/domain/documents/DocumentTemplate"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { DocumentTemplatesRepo } from "@quittance/persistence/documents/DocumentTemplatesRepo"
import { Config, Context, Effect, FileSystem, Layer, Path } from "effect"
import { fileURLToPath } from "node:url"
import * as TemplateFiles from "./TemplateFiles.ts"

export class TenantTemplates extends Context.Service<
  TenantTemplates,
  {
    find(
      templateId: string,
      version: string
    ): Effect.Effect<DocumentTemplate | undefined, never, CurrentTenant>
    /** Those that come with the release, from `TEMPLATES_DIR`; none where that folder is not there. */
    readonly shipped: Effect.Effect<ReadonlyArray<DocumentTemplate>>
    /** The templates of all `*.json` in a folder and the folders in it; none where it is not there. */
    read(
      folder: string
    ): Effect.Effect<ReadonlyArray<DocumentTemplate>, TemplateFiles.TemplateFileError>
  }
>()("@quittance/operations/TenantTemplates") {
  static readonly layer = Layer.effect(
    TenantTemplates,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const repo = yield* DocumentTemplatesRepo
      const folder = yield* Config.String("TEMPLATES_DIR").pipe(
        Config.withDefault(
          fileURLToPath(new URL("../../../../products/templates", import.meta.url))
        )
      )

      const read = (from: string) =>
        TemplateFiles.read(from).pipe(
          Effect.provideService(FileSystem.FileSystem, fs),
          Effect.provideService(Path.Path, path)
        )

      // They come with the program: they are read once, when a document first asks for one.
      const shipped = yield* Effect.cached(Effect.orDie(read(folder)))

      const find = Effect.fn("TenantTemplates.find")(function* (
        templateId: string,
        version: string
      ) {
        const own = yield* repo.find(templateId, version)
        if (own !== undefined) return own
        return (yield* shipped).find(
          (one) => one.templateId === templateId && one.version === version
        )
      })

      return TenantTemplates.of({ find, shipped, read })
    })
  ).pipe(Layer.provide(DocumentTemplatesRepo.layer))
}
