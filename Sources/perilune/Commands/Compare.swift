internal import ArgumentParser
internal import Shell

/// `perilune compare STORE OTHER`
struct Compare: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Show what distinguishes another store from a store: the models, and object by object.",
    usage: """
      perilune compare STORE OTHER [ENTITY ...] [--where PREDICATE] [--by NAMES] [--ignore NAMES] [--json]
      """,
    discussion: """
      The stores are files of any kind, addresses of PostgreSQL databases, or files of rows; they are only read. The status \
      is 0 if they are equal and 1 if they differ.
      """)

  @Argument(help: "The two stores, and the entities that are compared; all without any.", completion: .file())
  var names: [String] = []

  @Option(help: "Compare the objects for which a predicate is true.")
  var `where`: String?

  @Option(help: "The properties by which objects are the same, with commas between.")
  var by: String?

  @Option(help: "Properties that are not compared, with commas between: updatedAt,Quake.place.")
  var ignore: String?

  @Option(help: "The distance within which numbers, or dates in seconds, are equal.")
  var tolerance: Double?

  @OptionGroup var result: ResultOptions

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if names.count < 2 {
      throw ValidationError("expected two stores: perilune compare STORE OTHER [ENTITY ...]")
    }
    if let tolerance, !(tolerance >= 0) {
      throw ValidationError("--tolerance: expected a number from 0 on, got \(tolerance)")
    }
  }

  var programRun: CompareRun {
    var run = CompareRun(names[0], names[1], common.options(mode: result.text))
    run.entities = Array(names.dropFirst(2))
    run.by = list(by)
    run.ignore = list(ignore)
    run.tolerance = tolerance ?? 0
    run.predicate = `where`
    return run
  }
}
