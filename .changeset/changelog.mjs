/** How a changeset reads in a changelog: its own words, without the hash of a commit. */
const item = (text) => `- ${text.trim().split("\n").join("\n  ")}`

export default {
  getReleaseLine: async ({ summary }) => item(summary),
  getDependencyReleaseLine: async (_changesets, dependencies) =>
    dependencies.length === 0
      ? ""
      : item(
          `Needs ${dependencies.map(({ name, newVersion }) => `\`${name}\` ${newVersion}`).join(", ")}.`
        )
}
