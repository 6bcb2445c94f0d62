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
  let style: Style
  let charset: Charset

  package init(style: Style = Style(enabled: false), charset: Charset = .utf8) {
    (self.style, self.charset) = (style, charset)
  }

  package func text(_ diff: ContextDiff) -> String { lines(diff).map { $0.text + "\n" }.joined() }

  /// The lines, each with its object.
  package func lines(_ diff: ContextDiff) -> [(object: ManagedObject, text: String)] {
    var lines = diff.inserted.map { ($0, style(.added, "+ " + shown(ObjectText.line(of: $0)))) }
    lines += diff.updated.map { update in
      let changes = update.changes.map { change in
        let text = "\(change.property) \(shown(change.old.debugText)) \(charset.arrow) \(shown(change.new.debugText))"
        return change.cause == nil ? text : "\(text) (as that is deleted)"
      }
      return (
        update.object,
        style(.changed, "~ " + shown(ObjectText.name(of: update.object)) + ": " + changes.joined(separator: ", "))
      )
    }
    return lines + diff.deleted.map { ($0, style(.removed, "- " + shown($0.objectID.description))) }
  }

  private func shown(_ text: String) -> String { DisplayText(text, in: 200, charset).text }
}
