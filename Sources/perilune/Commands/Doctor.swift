internal import ArgumentParser
internal import Shell

/// `perilune doctor STORE`
struct Doctor: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Examine a store: what is wrong with it, and what helps.", usage: "perilune doctor STORE [--json]")

  @Argument(help: "The store.", completion: .file())
  var store: String?

  @OptionGroup var result: ResultOptions

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if store == nil { throw ValidationError("expected one store: perilune doctor STORE [--json]") }
  }

  var programRun: DoctorRun { DoctorRun(store ?? "", common.options(mode: result.text)) }
}
