internal import Presentation

extension Command {
  /// Returns a command that turns a setting on or off, or prints its state if it has no argument.
  static func toggle(
    _ name: String, _ summary: String, _ setting: ReferenceWritableKeyPath<ShellSettings, Bool>
  ) -> Command {
    Command(
      name: name, arguments: "[on|off]", summary: summary,
      parameters: [.oneOf("on", "off")],
      inSandbox: .allowed,
      run: { (invocation) throws(CommandFailure) in
        let settings = invocation.context.settings
        switch try invocation.optionalArgument() {
        case nil: invocation.context.print(".\(name) \(settings[keyPath: setting] ? "on" : "off")\n")
        case "on": settings[keyPath: setting] = true
        case "off": settings[keyPath: setting] = false
        case let other?: throw .invalidArgument(other, expected: ["on", "off"], nearest: nil)
        }
      })
  }

  static var timer: Command { .toggle("timer", "tell how long each block took", \.isTimed) }
  static var hints: Command { .toggle("hints", "show in grey what may follow while one types", \.showsHints) }
  static var sql: Command { .toggle("sql", "show the SQL of each request", \.showsSQL) }
}
