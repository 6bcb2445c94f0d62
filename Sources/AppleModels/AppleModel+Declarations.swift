extension AppleModel {
  /// Where the document of a model declares an entity, or a property of it: a file, and a line from 1.
  ///
  /// Nil where it declares none, and for compiled models, which have no lines.
  package static func declaration(
    ofEntity entity: String, property: String?, in path: String, version: String? = nil
  ) -> (file: String, line: Int)? {
    guard let folder = try? file(at: path, version: version), let bytes = try? contents(folder + "/contents"),
      let root = try? MarkupReader.document(bytes),
      let own = root.children(named: "entity").first(where: { $0["name"] == entity })
    else { return nil }
    guard let property else { return (folder + "/contents", own.line) }
    return own.children.first { $0["name"] == property }.map { (folder + "/contents", $0.line) }
  }
}
