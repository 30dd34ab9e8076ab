import { dryRun, type Fixtures } from "../MatrixFixture.ts"
import { randomUUID } from "node:crypto"

export const fixtures: Fixtures = {
  "firms.create": { ...dryRun, body: { name: "x", firmType: "RETAIL" } },
  "firms.update": { ...dryRun, body: { name: "x" } },
  "users.create": {
    ...dryRun,
    body: { email: "mo@example.test", firstName: "Mo", lastName: "Test" }
  },
  "users.update": { ...dryRun, body: { firstName: "x" } },
  "users.disable": { ...dryRun, body: {} },
  "users.enable": { ...dryRun, body: {} },
  "users.resetSecondFactor": { ...dryRun, body: {} },
  "users.endSignIn": dryRun,
  // The callers of the matrix have no stored sign-in.
  "account.endSignIn": { instead: { status: 404, code: "SIGN_IN_NOT_FOUND" } },
  "account.changePassword": {
    body: { presentPassword: "x", newPassword: "x" },
    instead: { status: 422, code: "WEAK_PASSWORD" }
  },
  // A caller can give only scopes whose actions they have.
  "clients.create": { ...dryRun, body: { name: "x", scopes: [] } },
  "clients.addSecret": { ...dryRun, body: {}, record: "clientWithRoomId" },
  "clients.removeSecret": dryRun,
  "clients.putKeys": { ...dryRun, body: { keys: [] } },
  "clients.remove": dryRun,
  // A role without actions, on a target where the caller may invite.
  "invitations.create": {
    ...dryRun,
    bodyOf: (caller, { northFirmId, policyId, roleId }) => ({
      email: `${randomUUID()}@example.test`,
      permissions: [
        {
          role: roleId,
          on:
            caller === "USER_ON_RECORD" || caller === "USER_OF_LONG_AGO"
              ? { kind: "RECORD", recordId: policyId }
              : { kind: "FIRM", brokerageFirmId: northFirmId }
        }
      ]
    })
  },
  "invitations.revoke": dryRun,
  "invitations.resend": { ...dryRun, body: {} },
  "invitations.accept": {
    body: { token: "n".repeat(43) },
    instead: { status: 404, code: "INVITATION_NOT_FOUND" }
  },
  "permissions.putRole": { ...dryRun, body: { name: "x", actions: {} } },
  "permissions.removeRole": dryRun,
  "permissions.replace": { ...dryRun, body: { permissions: [] } },
  // People ask about themselves; a client has no grants and names a user.
  "permissions.explain": {
    query: (caller, { userId }) =>
      `?action=policy.read${caller.startsWith("CLIENT") ? `&subject=${userId}` : ""}`
  }
}

export const missing = {
  secretId: "0000000000000000",
  signInId: "0".repeat(43)
}
