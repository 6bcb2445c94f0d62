package import Presentation

/// What a person or a program uses a session through: a prompt, a run of scripts, a page, a notebook.
///
/// A client without a screen lacks the commands that need one; a session says so where they are named. It owns its session.
package protocol SessionClient: AnyObject {
  /// How texts are laid out for it.
  var layout: Layout { get }

  /// Where tables and texts go. Events come behind what was written before them.
  var output: OutputSink { get }

  /// Whether a person is there to answer questions.
  var answersQuestions: Bool { get }

  /// Whether the reader of the output is gone, as behind `head`.
  var isGone: Bool { get }

  /// Writes all output that is held back, also what scripts printed.
  func flush()

  /// Takes what happens, in the order in which it happens.
  func receive(_ event: SessionEvent) throws

  /// Answers a question; false where the answer is no, or none came.
  func confirms(_ question: String) -> Bool
}

extension SessionClient {
  package var isGone: Bool { false }
}
