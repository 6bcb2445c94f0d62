/// The types of the open store and of all functions for editors of Lua, with a session's additions to the engine: parameters,
/// specs and the commands as functions.
struct SessionAnnotations {
  /// Those of the engine.
  let annotations: String
  let commands: [Command]

  var text: String {
    let commands = commands.filter { $0.name != "quit" }.sorted { $0.name < $1.name }.map { command in
      "---@field \(command.name) fun(...: any) .\(command.name): \(command.summary)"
    }
    let table = ["---@class perilune.Commands", "---@field version string"] + commands
    return annotations + "\n" + table.joined(separator: "\n")
      + "\n\n---@type perilune.Commands\nperilune = nil\n\n"
      + Self.parameterAnnotations + "\n\n" + SpecFunctions.annotations + "\n"
  }

  private static let parameterAnnotations = """
    --- What `--param name=value` gave.
    ---@class perilune.Parameters
    ---@field [string] string|number|boolean
    ---@overload fun(name: string, default: any): any

    ---@type perilune.Parameters
    params = nil
    """
}
