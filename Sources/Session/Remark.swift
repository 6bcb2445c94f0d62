/// A sentence about what happened that is neither a value nor an error.
package struct Remark {
  /// What it is about.
  package enum Kind: String {
    /// What a script or a person should know: how a file was read, what Swift declares.
    case note
    /// What a line has saved, undone or deleted, what is kept of it.
    case outcome
    /// A read that took long, or will.
    case slow
    /// An entity that was made for a file of rows.
    case entity
    /// A statement that the store ran.
    case statement
    /// What a command has done.
    case done
    /// Why what ran has ended before its end.
    case stopped
    /// A line of an answer that has several.
    case line
    /// What a script warned of.
    case warning
    /// A report of several lines.
    case report
  }

  package var kind: Kind
  /// What stands before the text, in another colour: `note: `.
  package var heading: String
  package var text: String

  package init(_ kind: Kind, _ text: String, heading: String = "") {
    (self.kind, self.text, self.heading) = (kind, text, heading)
  }
}
