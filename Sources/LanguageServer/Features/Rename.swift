internal import JSONRPC
internal import Modeling
internal import Session

extension PropertyUses {
  /// The edits that rename the property in all documents and files of the workspace.
  ///
  /// - Throws: MessageError for a name that the property cannot have.
  func edit(to name: String, _ workspace: Workspace, among documents: [TextDocument]) throws(MessageError) -> JSON {
    guard Naming.isLuaIdentifier(name) else {
      throw MessageError(.failed, "'\(BoundedText(name, 80).text)' is not a name")
    }
    let family = property.entity.root.family
    if let other = family.first(where: { $0.index(of: name) != nil }) {
      throw MessageError(.failed, "\(other.name) has a property '\(name)' already")
    }
    var changes: [String: JSON] = [:]
    for (document, ranges) in all(workspace, among: documents) {
      changes[document.uri] = .array(
        ranges.map { .object(["range": document.json($0), "newText": .string(name)]) })
    }
    return .object(["changes": .object(changes)])
  }
}
