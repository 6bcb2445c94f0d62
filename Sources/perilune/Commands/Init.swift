internal import ArgumentParser
internal import Shell

/// `perilune init [FOLDER]`
struct Init: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Begin a project: a model, a script, a spec, and what editors need.",
    usage: "perilune init [FOLDER]")

  @Argument(help: "The folder, made if it is not there; the current one without it.", completion: .directory)
  var folder: String?

  @OptionGroup var common: CommonOptions

  var programRun: ProjectRun { ProjectRun(in: folder ?? ".", common.options) }
}
