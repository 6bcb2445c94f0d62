package import LuaBindings

/// A part of a session with a subject of its own, such as a group of commands.
package protocol SessionPart {
  var session: Session { get }
}

extension SessionPart {
  package var engine: Engine { session.engine }
  package var settings: ShellSettings { session.settings }
  package var layout: Layout { session.layout }
  package var isAtPrompt: Bool { session.isAtPrompt }

  /// Writes text to the client's output.
  package func printText(_ text: String) { session.printText(text) }

  /// Says what a command has done.
  package func tellDone(_ text: String) { session.tell(Remark(.done, text)) }

  /// Runs the body of a command; an error in it is reported before the command fails.
  package func perform(_ body: () throws -> Void) throws(CommandFailure) {
    let status = session.guarding(body)
    if status != 0 { throw .failed(status: status) }
  }
}
