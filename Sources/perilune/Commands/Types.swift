internal import ArgumentParser
internal import Shell

/// `perilune types STORE | MODEL`
struct Types: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "types",
    abstract: "Write the types of a store for editors of Lua (LuaCATS), or as Swift classes.",
    usage: "perilune types [--lua | --swift [--schema NAME]] STORE | MODEL")

  @OptionGroup var place: ModelArguments

  @Flag(help: "LuaCATS annotations, which editors of Lua read: the usual form.")
  var lua = false

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
    if schema != nil, !swift {
      throw ValidationError("--schema is the name of a schema in Swift: it goes with --swift")
    }
  }

  var programRun: TypesRun {
    TypesRun(swift ? .swift(schema: schema) : .lua, of: place.access(), common.options)
  }
}
