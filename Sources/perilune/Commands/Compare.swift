internal import ArgumentParser
internal import Session
internal import Shell

/// `perilune compare STORE OTHER`
struct Compare: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Show what distinguishes another store from a store: the models, and object by object.",
    usage: """
      perilune compare STORE OTHER [ENTITY ...] [--where PREDICATE] [--by NAMES] [--ignore NAMES] [--browse | --json | --csv | --sql | --lua | --patch FILE]
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

  @Flag(help: "Show the differences on a full screen.")
  var browse = false

  @Flag(help: "Print a row for each differing property as CSV: --mode csv.")
  var csv = false

  @Flag(help: "Write statements of SQL that make STORE's rows those of OTHER.")
  var sql = false

  @Flag(help: "Write a script that makes STORE's objects those of OTHER.")
  var lua = false

  @Flag(help: "Write one store as text, a line for each value, for programs that compare lines, such as git diff.")
  var textconv = false

  @Option(help: "Write the differences to a file, for perilune apply.", completion: .file())
  var patch: String?

  @OptionGroup var result: ResultOptions

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if textconv, names.count != 1 { throw ValidationError("expected one store: perilune compare --textconv STORE") }
    if !textconv, names.count < 2 {
      throw ValidationError("expected two stores: perilune compare STORE OTHER [ENTITY ...]")
    }
    let forms = [
      textconv ? "--textconv" : nil, browse ? "--browse" : nil, csv ? "--csv" : nil,
      sql ? "--sql" : nil, lua ? "--lua" : nil, patch.map { _ in "--patch" }, result.text.map { _ in "a mode" },
    ]
    .compactMap(\.self)
    if forms.count > 1 { throw ValidationError("\(forms[0]) and \(forms[1]) exclude each other") }
    if let tolerance, !(tolerance >= 0) {
      throw ValidationError("--tolerance: expected a number from 0 on, got \(tolerance)")
    }
  }

  var programRun: CompareRun {
    var run = CompareRun(names[0], textconv ? nil : names[1], common.options(mode: csv ? "csv" : result.text))
    run.entities = Array(names.dropFirst(2))
    run.by = list(by)
    run.ignore = list(ignore)
    run.tolerance = tolerance ?? 0
    run.predicate = `where`
    run.patch = patch
    run.isBrowsing = browse
    run.language = sql ? .sql : lua ? .lua : nil
    return run
  }
}
