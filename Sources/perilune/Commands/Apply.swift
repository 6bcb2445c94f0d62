internal import ArgumentParser
internal import Shell

/// `perilune apply PATCH STORE`
struct Apply: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Make the changes of a patch in a store: all of them, or none.",
    usage: "perilune apply PATCH STORE [--partial | --dry-run]",
    discussion: """
      perilune compare STORE OTHER --patch PATCH writes a patch. An object that is not as the patch expects it is a conflict: each is \
      listed, and nothing is written.
      """)

  @Argument(help: "The patch, and the store.", completion: .file())
  var names: [String] = []

  @Flag(help: "Leave objects in conflict as they are, and change the others.")
  var partial = false

  @Flag(name: .customLong("dry-run"), help: "Show what would change, and take it back.")
  var dryRun = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if names.count != 2 { throw ValidationError("expected a patch and a store: perilune apply PATCH STORE") }
  }

  var programRun: ApplyRun {
    var store = StoreAccess()
    (store.path, store.writesCoreData, store.isDryRun) = (names[1], true, dryRun)
    return ApplyRun(names[0], to: store, isPartial: partial, common.options)
  }
}
