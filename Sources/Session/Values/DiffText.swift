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
  package var style = Style(enabled: false)
  package var charset = Charset.utf8

  package func text(_ diff: ContextDiff) -> String {
    var lines = diff.inserted.map { style(.added, "+ " + shown(ObjectText.line(of: $0))) }
    lines += diff.updated.map { update in
      let changes = update.changes.map { change in
        let text = "\(change.property) \(shown(change.old.debugText)) \(charset.arrow) \(shown(change.new.debugText))"
        return change.cause == nil ? text : "\(text) (as that is deleted)"
      }
      return style(.changed, "~ " + shown(ObjectText.name(of: update.object)) + ": " + changes.joined(separator: ", "))
    }
    lines += diff.deleted.map { style(.removed, "- " + shown($0.objectID.description)) }
    return lines.map { $0 + "\n" }.joined()
  }

  private func shown(_ text: String) -> String { DisplayText(text, in: 200, charset).text }
}
