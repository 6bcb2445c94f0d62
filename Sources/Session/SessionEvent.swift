package import Presentation

/// What happens in a session, for its client.
package enum SessionEvent {
  /// A value of what ran, or one that a script shows.
  case value(Answer)
  /// What a script printed, where the client has taken C's streams.
  case printed(ScriptStream, [UInt8])
  /// An error or a warning, with its place where it has one.
  case diagnostic(Diagnostic)
  case remark(Remark)
  /// How far something is that takes long. The same report comes again, and at last as finished.
  case progress(ProgressReport)
  /// Live content that is observed has changed.
  case change(LiveChange)
}

/// The streams that scripts print to.
package enum ScriptStream: String, Sendable {
  case output, error
}
