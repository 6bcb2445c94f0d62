internal import LuaBindings
package import ObjectGraph
package import Presentation

/// Unsaved changes as lines: inserted objects, changed values, deleted objects.
///
///     + Quake/t1 { code = "us9", magnitude = 5.1 }
///     ~ Quake us2: magnitude 4.1 → 4.2
///     ~ Report 7: quake Quake/3 → nil (as that is deleted)
///     - Quake/3
package struct DiffText {
  /// What is said of one object.
  package struct Line {
    package let object: ManagedObject
    package let text: String
    /// Whether it changed only as objects to which it led are deleted.
    package var isConsequence = false
  }

  let style: Style
  let charset: Charset

  package init(style: Style = Style(enabled: false), charset: Charset = .utf8) {
    (self.style, self.charset) = (style, charset)
  }

  package func text(_ diff: ContextDiff) -> String { lines(diff).map { $0.text + "\n" }.joined() }

  /// The lines, each with its object.
  package func lines(_ diff: ContextDiff) -> [Line] {
    var lines = diff.inserted.map { Line(object: $0, text: style(.added, "+ " + shown(ObjectText.line(of: $0)))) }
    lines += diff.updated.map { update in
      let changes = update.changes.map { change in
        let text = "\(change.property) \(shown(change.old.debugText)) \(charset.arrow) \(shown(change.new.debugText))"
        return change.cause == nil ? text : "\(text) (as that is deleted)"
      }
      let text = style(
        .changed, "~ " + shown(ObjectText.name(of: update.object)) + ": " + changes.joined(separator: ", "))
      let isConsequence = !update.changes.isEmpty && update.changes.allSatisfy { $0.cause != nil }
      return Line(object: update.object, text: text, isConsequence: isConsequence)
    }
    return lines
      + diff.deleted.map { Line(object: $0, text: style(.removed, "- " + shown($0.objectID.description))) }
  }

  private func shown(_ text: String) -> String { DisplayText(text, in: 200, charset).text }
}
