/** `quittance admin`: commands of the operator, directly on the database of the service. */
import { Command } from "effect/cli"
import { auditCommand } from "./admin/Audit.ts"
import { documentTemplatesCommand } from "./admin/DocumentTemplates.ts"
import { encryptionKeyCommand } from "./admin/EncryptionKey.ts"
import { eventsCommand } from "./admin/Events.ts"
import { identityProviderCommand } from "./admin/IdentityProvider.ts"
import { keysCommand } from "./admin/Keys.ts"
import { migrateCommand } from "./admin/Migrations.ts"
import { moratoriumsCommand } from "./admin/Moratoriums.ts"
import { screeningCommand } from "./admin/Screening.ts"
import { privacyCommand } from "./admin/Privacy.ts"
import { quoteProvidersCommand } from "./admin/QuoteProviders.ts"
import { sealsCommand } from "./admin/Seals.ts"
import { tenantsCommand } from "./admin/Tenants.ts"
import { usersCommand } from "./admin/Users.ts"

export const adminCommand = Command.make("admin").pipe(
  Command.withDescription("Look after the service's database"),
  Command.withSubcommands([
    migrateCommand,
    tenantsCommand,
    usersCommand,
    keysCommand,
    encryptionKeyCommand,
    quoteProvidersCommand,
    identityProviderCommand,
    documentTemplatesCommand,
    moratoriumsCommand,
    screeningCommand,
    sealsCommand,
    auditCommand,
    eventsCommand,
    privacyCommand
  ])
)
