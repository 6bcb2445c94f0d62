internal import ArgumentParser
internal import Shell

/// `perilune merge BASE MINE THEIRS`
struct Merge: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Make the changes between two stores in a third one: all of them, or none.",
    usage: "perilune merge BASE MINE THEIRS [--policy POLICY] [--dry-run]",
    discussion: """
      What distinguishes THEIRS from BASE is changed in MINE. A property that MINE has changed otherwise is a conflict: each is listed, \
      nothing is written, and the status is 1, unless a policy settles it.
      """)

  @Argument(help: "The store that both come from, the one that is changed, and the other one.", completion: .file())
  var names: [String] = []

  @Option(
    help: "How conflicts are settled: \(MergeRun.policies.joined(separator: ", ")). The store of storeTrump is MINE.",
    completion: .list(MergeRun.policies))
  var policy = "error"

  @Flag(name: .customLong("dry-run"), help: "Show what would change, and take it back.")
  var dryRun = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if names.count != 3 { throw ValidationError("expected three stores: perilune merge BASE MINE THEIRS") }
    try expect("--policy", policy, among: MergeRun.policies)
  }

  var programRun: MergeRun {
    var store = StoreAccess()
    (store.path, store.writesCoreData, store.isDryRun) = (names[1], true, dryRun)
    return MergeRun(
      from: names[0], to: names[2], into: store, policy: policy, common.options)
  }
}
