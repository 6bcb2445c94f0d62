internal import ArgumentParser
internal import Shell

/// `perilune types STORE | MODEL`
struct Types: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "types",
    abstract: "Write the types of a store for editors of Lua (LuaCATS), or as Swift classes.",
    usage: "perilune types [--lua [--values] [--statistics] | --swift [--schema NAME]] STORE | MODEL")

  @OptionGroup var place: ModelArguments

  @Flag(help: "LuaCATS annotations, which editors of Lua read: the usual form.")
  var lua = false

  @Flag(help: "Offer the stored values of texts that take at most 20.")
  var values = false

  @Flag(help: "Say of each attribute how many values are stored, and in which range.")
  var statistics = false

  @Flag(help: "Classes over PeriluneKit.")
  var swift = false

  @Option(
    help:
      "The name of the schema in Swift, in place of one by the store's name; of a Swift file with several schemas, the one to read."
  )
  var schema: String?

  @OptionGroup var common: CommonOptions

  func validate() throws {
    try place.expect(usage: "perilune types STORE | MODEL")
    if lua && swift { throw ValidationError("--lua and --swift exclude each other") }
    if values || statistics, swift || !place.isStore {
      throw ValidationError(
        "--values and --statistics are what a store adds to the types for Lua: give a store, and no --swift")
    }
    if schema != nil, !swift {
      throw ValidationError("--schema is the name of a schema in Swift: it goes with --swift")
    }
  }

  var programRun: TypesRun {
    TypesRun(
      swift ? .swift(schema: schema) : .lua(values: values, statistics: statistics), of: place.access(), common.options)
  }
}
